/** What can go wrong with a configuration that is sent as a whole. */
import { excerpt } from '../excerpt.ts';
import { type ConfigurationComplaint, kind } from './kind.ts';

/** How many complaints a sentence tells; programs read all of them. */
const TOLD = 5;

export const configurationProblems = {
  'outside-scope': kind(
    400,
    'The document has a resource that is not at or below the paths asked about, or of another kind.',
    (d: { path: string; total: number; scope: readonly string[]; kinds: readonly string[] }) =>
      `The document has '${excerpt(d.path)}'${d.total > 1 ? ` and ${d.total - 1} more` : ''}, which is not ${d.kinds.length === 0 ? '' : `a ${d.kinds.join(' or ')} `}at or below ${d.scope.join(', ') || '/'}.`,
  ),
  'configuration-moved': kind(
    412,
    'If-Match names another state of the configuration than the one that is there.',
    (d: { hash: string }) =>
      `The configuration is no longer the one that If-Match names: its hash is ${d.hash}. Nothing was done.`,
  ),
  'configuration-invalid': kind(
    422,
    'A configuration cannot be applied; every reason is told.',
    (d: { errors: readonly ConfigurationComplaint[] }) => {
      const more = d.errors.length - TOLD;
      const told = d.errors
        .slice(0, TOLD)
        .map(({ path, field = '', message }) => `${path}${field && ` (${field})`}: ${message}`);
      return `The configuration cannot be applied. ${told.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
    },
  ),
} as const;
