/** Problems with configuration documents. */
import { excerpt } from '../../../text/excerpt.ts';
import { type ConfigurationError, defineProblemKind } from '../kind.ts';

/** Errors that the message lists; the response document contains all of them. */
const MAX_LISTED = 5;

export const configurationProblems = {
  'outside-scope': defineProblemKind(
    400,
    'The document contains a resource outside of the requested paths or kinds.',
    (d: { path: string; total: number; scope: readonly string[]; kinds: readonly string[] }) =>
      `The document contains '${excerpt(d.path)}'${d.total > 1 ? ` and ${d.total - 1} more` : ''}, which is not ${d.kinds.length === 0 ? '' : `a ${d.kinds.join(' or ')} `}at or below ${d.scope.join(', ') || '/'}.`,
  ),
  'configuration-moved': defineProblemKind(
    412,
    'If-Match does not match the current state of the configuration.',
    (d: { hash: string }) =>
      `The configuration has changed: its hash is ${d.hash}, which If-Match does not name. Nothing was changed.`,
  ),
  'move-in-refused': defineProblemKind(
    422,
    'The archive is not a supported data directory, or the master password is wrong.',
    (d: { reason: string; message: string }) => d.message,
  ),
  'file-hash-invalid': defineProblemKind(
    400,
    'The name of a file is not a SHA-256 hash.',
    (d: { hash: string }) => `'${d.hash}' is not a SHA-256 hash. Use 64 hexadecimal digits in lower case.`,
  ),
  'file-hash-mismatch': defineProblemKind(
    422,
    'The content of a file does not have the SHA-256 hash in the path. Nothing was stored.',
    (d: { expected: string; found: string }) =>
      `The content has the SHA-256 hash ${d.found} instead of ${d.expected}. Send the file again.`,
  ),
  'configuration-invalid': defineProblemKind(
    422,
    'A configuration is invalid. Every error is listed.',
    (d: { errors: readonly ConfigurationError[] }) => {
      const more = d.errors.length - MAX_LISTED;
      const listed = d.errors
        .slice(0, MAX_LISTED)
        .map(({ path, field = '', message }) => `${path}${field && ` (${field})`}: ${message}`);
      return `The configuration is invalid. ${listed.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
    },
  ),
} as const;
