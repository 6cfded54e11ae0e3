/** Rejected URLs, archives, paths and file names of clients, and problems with URL checks. */
import { defineProblemKind } from '../kind.ts';

export const gateProblems = {
  'url-refused': defineProblemKind(
    403,
    'The server may not open the URL: it is malformed, or no URL check allows it.',
    (d: { url: string; reason: string }) => `The URL '${d.url}' is not allowed: ${d.reason}.`,
  ),
  'url-unreachable': defineProblemKind(
    502,
    'The host of a remote URL cannot be resolved or reached, or the connection failed.',
    (d: { url: string; reason: string }) => `The URL '${d.url}' could not be read: ${d.reason}.`,
  ),
  'url-too-slow': defineProblemKind(
    504,
    'A remote URL did not respond within the time limit.',
    (d: { url: string; limitMs: number }) => `The URL '${d.url}' could not be read within ${d.limitMs} ms.`,
  ),
  'url-too-large': defineProblemKind(
    413,
    'The content of a remote URL exceeds the size limit.',
    (d: { url: string; limitBytes: number }) =>
      `The content of the URL '${d.url}' exceeds the limit of ${d.limitBytes} bytes.`,
  ),
  'remote-file-changed': defineProblemKind(
    503,
    'A remote file changed each time while it was read.',
    (d: { file: string }) => `The remote file '${d.file}' changed while it was read. Retry when it is complete.`,
  ),
  'archive-refused': defineProblemKind(
    400,
    'A ZIP archive is damaged, or contains an entry that is not allowed. Nothing was saved.',
    (d: { entry: string | null; reason: string }) =>
      d.entry === null
        ? `The archive cannot be unpacked: ${d.reason}.`
        : `The archive cannot be unpacked because of its entry '${d.entry}': ${d.reason}.`,
  ),
  'archive-too-large': defineProblemKind(
    413,
    'A ZIP archive exceeds the limits of entries or of unpacked size. Nothing was saved.',
    (d: { entry: string | null; reason: string }) =>
      d.entry === null
        ? `The archive is too large: ${d.reason}.`
        : `The archive is too large at its entry '${d.entry}': ${d.reason}.`,
  ),
  'path-invalid': defineProblemKind(
    400,
    'A path or file: URL on the server is malformed, or does not lead to a usable file or folder.',
    (d: { path: string; reason: string }) => `The path '${d.path}' is invalid: ${d.reason}.`,
  ),
  'path-refused': defineProblemKind(
    403,
    'The user has no access to a path on the server, after resolving links.',
    (d: { path: string; reason: string }) => `Access to the path '${d.path}' is not allowed: ${d.reason}.`,
  ),
  'file-name-illegal': defineProblemKind(
    400,
    'A file name contains separators or control characters, or is reserved by an operating system.',
    (d: { name: string; reason: string }) => `Invalid file name '${d.name}': ${d.reason}.`,
  ),
  'url-check-unknown': defineProblemKind(
    404,
    'No URL check has that name.',
    (d: { name: string }) => `No such URL check: '${d.name}'.`,
  ),
  'url-check-exists': defineProblemKind(
    409,
    'A URL check of that name already exists.',
    (d: { name: string }) => `A URL check named '${d.name}' already exists.`,
  ),
} as const;
