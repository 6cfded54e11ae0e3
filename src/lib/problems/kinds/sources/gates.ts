/** What the gates refuse: URLs, archives, paths and file names that come from clients; and the checks that URLs need. */
import { defineProblemKind } from '../kind.ts';

export const gateProblems = {
  'url-refused': defineProblemKind(
    403,
    'A URL that the server was asked to open is odd, or no URL check lets it pass.',
    (d: { url: string; reason: string }) => `The URL '${d.url}' may not be opened: ${d.reason}.`,
  ),
  'url-unreachable': defineProblemKind(
    502,
    'The host of a remote URL cannot be found or reached, or breaks off.',
    (d: { url: string; reason: string }) => `The URL '${d.url}' could not be read: ${d.reason}.`,
  ),
  'url-too-slow': defineProblemKind(
    504,
    'A remote URL takes longer than the limit.',
    (d: { url: string; limitMs: number }) => `The URL '${d.url}' was not read within ${d.limitMs} ms.`,
  ),
  'url-too-large': defineProblemKind(
    413,
    'A remote URL holds more than the limit.',
    (d: { url: string; limitBytes: number }) => `The URL '${d.url}' holds more than ${d.limitBytes} bytes.`,
  ),
  'archive-refused': defineProblemKind(
    400,
    'A ZIP archive is damaged, or holds an entry that may not be unpacked. Nothing of it is kept.',
    (d: { entry: string | null; reason: string }) =>
      d.entry === null
        ? `The archive cannot be unpacked: ${d.reason}.`
        : `The archive cannot be unpacked because of its entry '${d.entry}': ${d.reason}.`,
  ),
  'archive-too-large': defineProblemKind(
    413,
    'A ZIP archive holds more, or inflates to more, than the limit. Nothing of it is kept.',
    (d: { entry: string | null; reason: string }) =>
      d.entry === null
        ? `The archive is too large: ${d.reason}.`
        : `The archive is too large at its entry '${d.entry}': ${d.reason}.`,
  ),
  'path-invalid': defineProblemKind(
    400,
    'A path or file: URL on the server is written in a way that is not taken, or nothing usable is there.',
    (d: { path: string; reason: string }) => `The path '${d.path}' cannot be used: ${d.reason}.`,
  ),
  'path-refused': defineProblemKind(
    403,
    'A path on the server lies where this user may not point, links followed.',
    (d: { path: string; reason: string }) => `The path '${d.path}' may not be used: ${d.reason}.`,
  ),
  'file-name-illegal': defineProblemKind(
    400,
    'A file name holds separators or control characters, or is one that some system reserves.',
    (d: { name: string; reason: string }) => `'${d.name}' cannot be a file name: ${d.reason}.`,
  ),
  'url-check-unknown': defineProblemKind(
    404,
    'There is no URL check of that name.',
    (d: { name: string }) => `No such URL check: '${d.name}'.`,
  ),
  'url-check-exists': defineProblemKind(
    409,
    'A URL check of that name exists already.',
    (d: { name: string }) => `A URL check named '${d.name}' already exists.`,
  ),
} as const;
