/** What can go wrong with a configuration that is sent as a whole. */
import { excerpt } from '../../../text/excerpt.ts';
import { type ConfigurationError, defineProblemKind } from '../kind.ts';

/** How many complaints a sentence tells; programs read all of them. */
const MAX_LISTED = 5;

export const configurationProblems = {
  'outside-scope': defineProblemKind(
    400,
    'The document has a resource that is not at or below the paths asked about, or of another kind.',
    (d: { path: string; total: number; scope: readonly string[]; kinds: readonly string[] }) =>
      `The document has '${excerpt(d.path)}'${d.total > 1 ? ` and ${d.total - 1} more` : ''}, which is not ${d.kinds.length === 0 ? '' : `a ${d.kinds.join(' or ')} `}at or below ${d.scope.join(', ') || '/'}.`,
  ),
  'configuration-moved': defineProblemKind(
    412,
    'If-Match names another state of the configuration than the one that is there.',
    (d: { hash: string }) =>
      `The configuration is no longer the one that If-Match names: its hash is ${d.hash}. Nothing was done.`,
  ),
  'configuration-invalid': defineProblemKind(
    422,
    'A configuration cannot be applied; every reason is told.',
    (d: { errors: readonly ConfigurationError[] }) => {
      const more = d.errors.length - MAX_LISTED;
      const told = d.errors
        .slice(0, MAX_LISTED)
        .map(({ path, field = '', message }) => `${path}${field && ` (${field})`}: ${message}`);
      return `The configuration cannot be applied. ${told.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
    },
  ),
} as const;
