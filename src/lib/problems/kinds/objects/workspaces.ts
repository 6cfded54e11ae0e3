/** What can go wrong with workspaces and namespaces. */
import { addArticle, enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const workspaceProblems = {
  'name-illegal': defineProblemKind(
    400,
    'A name is missing, too long, reserved, or holds characters that names may not hold.',
    (d: { what: string; name: string; reason: string }) =>
      `'${d.name}' cannot be the name of ${addArticle(d.what)}: ${d.reason}.`,
  ),
  'name-emptied': defineProblemKind(
    400,
    'A change would leave the resource without a name.',
    (d: { what: string }) => `The name of ${addArticle(d.what)} cannot be empty; leave it out to keep the current one.`,
  ),
  'workspace-unknown': defineProblemKind(
    404,
    'There is no workspace of that name.',
    (d: { name: string }) => `No such workspace: '${d.name}'.`,
  ),
  'workspace-exists': defineProblemKind(
    409,
    'A workspace of that name exists already.',
    (d: { name: string }) => `A workspace named '${d.name}' already exists.`,
  ),
  'workspace-not-empty': defineProblemKind(
    403,
    'The workspace still holds something and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The workspace '${d.name}' is not empty: it holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'no-default-workspace': defineProblemKind(
    404,
    'There is no workspace at all, and so no default one.',
    () => 'No such workspace: there is no default workspace, since there is no workspace at all.',
  ),
  'namespace-unknown': defineProblemKind(
    404,
    'There is no namespace with that prefix.',
    (d: { prefix: string }) => `No such namespace: '${d.prefix}'.`,
  ),
  'namespace-exists': defineProblemKind(
    409,
    'A namespace with that prefix exists already.',
    (d: { prefix: string }) => `A namespace with the prefix '${d.prefix}' already exists.`,
  ),
  'namespace-uri-taken': defineProblemKind(
    409,
    'Another namespace that is not isolated has the same URI.',
    (d: { uri: string; prefix?: string }) =>
      `The URI '${d.uri}' already exists as that of ${d.prefix === undefined ? 'another namespace' : `the namespace '${d.prefix}'`}. Choose another one, or make the workspace isolated.`,
  ),
  'namespace-not-empty': defineProblemKind(
    403,
    'The workspace of the namespace still holds something and recurse was not asked for.',
    (d: { prefix: string; blockers: readonly string[]; total: number }) =>
      `The namespace '${d.prefix}' is not empty: its workspace holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'namespace-prefix-fixed': defineProblemKind(
    403,
    'The prefix of a namespace cannot be changed here.',
    (d: { prefix: string }) =>
      `The prefix of the namespace '${d.prefix}' cannot be changed; rename its workspace instead.`,
  ),
} as const;
