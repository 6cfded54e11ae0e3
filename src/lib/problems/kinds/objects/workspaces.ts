/** Problems with workspaces, namespaces and names in general. */
import { addArticle, enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const workspaceProblems = {
  'name-illegal': defineProblemKind(
    400,
    'A name is missing, too long or reserved, or contains invalid characters.',
    (d: { what: string; name: string; reason: string }) =>
      `Invalid name '${d.name}' for ${addArticle(d.what)}: ${d.reason}.`,
  ),
  'name-emptied': defineProblemKind(
    400,
    'A change would set an empty name.',
    (d: { what: string }) => `The name of ${addArticle(d.what)} cannot be empty. Omit it to keep the current name.`,
  ),
  'workspace-unknown': defineProblemKind(
    404,
    'No workspace has that name.',
    (d: { name: string }) => `No such workspace: '${d.name}'.`,
  ),
  'workspace-exists': defineProblemKind(
    409,
    'A workspace of that name already exists.',
    (d: { name: string }) => `A workspace named '${d.name}' already exists.`,
  ),
  'workspace-not-empty': defineProblemKind(
    403,
    'The workspace is not empty, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The workspace '${d.name}' is not empty: it contains ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'no-default-workspace': defineProblemKind(
    404,
    'No workspace exists, so there is no default one.',
    () => 'No such workspace: no default workspace exists, because no workspace exists.',
  ),
  'namespace-unknown': defineProblemKind(
    404,
    'No namespace has that prefix.',
    (d: { prefix: string }) => `No such namespace: '${d.prefix}'.`,
  ),
  'namespace-exists': defineProblemKind(
    409,
    'A namespace with that prefix already exists.',
    (d: { prefix: string }) => `A namespace with the prefix '${d.prefix}' already exists.`,
  ),
  'namespace-uri-taken': defineProblemKind(
    409,
    'Another namespace that is not isolated already uses the URI.',
    (d: { uri: string; prefix?: string }) =>
      `The URI '${d.uri}' already exists: ${d.prefix === undefined ? 'another namespace' : `the namespace '${d.prefix}'`} uses it. Use another URI, or make the workspace isolated.`,
  ),
  'namespace-not-empty': defineProblemKind(
    403,
    'The workspace of the namespace is not empty, and recurse=true was not set.',
    (d: { prefix: string; blockers: readonly string[]; total: number }) =>
      `The namespace '${d.prefix}' is not empty: its workspace contains ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'namespace-prefix-fixed': defineProblemKind(
    403,
    'The prefix of a namespace cannot be changed. Rename its workspace instead.',
    (d: { prefix: string }) =>
      `The prefix of the namespace '${d.prefix}' cannot be changed. Rename its workspace instead.`,
  ),
} as const;
