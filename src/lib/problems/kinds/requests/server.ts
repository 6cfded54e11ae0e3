/** Problems of the server itself. */
import { formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const serverProblems = {
  unexpected: defineProblemKind(
    500,
    'An internal error. The server log has the details under the request id.',
    (d: { requestId: string }) =>
      `The server failed to process the request. The server log has the details under request id ${d.requestId}.`,
  ),
  'key-too-long': defineProblemKind(
    400,
    'An indexed value, such as the URI of a namespace, exceeds the limit of the database.',
    () =>
      'A name, URI or other indexed value exceeds the limit of the database of this server, about 2,600 bytes. Use a shorter value.',
  ),
  'too-many-requests': defineProblemKind(
    429,
    'The client address exceeds the rate of `--rate-limit`. `Retry-After` has the seconds until the next request is accepted.',
    (d: { limit: number; retryAfterSeconds: number }) =>
      `Too many requests from this address: the limit is ${d.limit} per minute. Retry in ${formatCount(d.retryAfterSeconds, 'second')}.`,
  ),
  'too-many-concurrent': defineProblemKind(
    429,
    'The client address has as many requests in progress as `--concurrent-limit` allows.',
    (d: { limit: number; retryAfterSeconds: number }) =>
      `Too many concurrent requests from this address: the limit is ${d.limit}. Retry when one of them has ended.`,
  ),
  'backup-running': defineProblemKind(
    409,
    'Another backup is running. A node makes one backup at a time.',
    () => 'Another backup is running on this server. Retry when it has finished.',
  ),
  'backup-file-locked': defineProblemKind(
    503,
    'Another program keeps a GeoPackage of the data directory locked, so its state cannot be saved.',
    (d: { path: string; retryAfterSeconds: number }) =>
      `Another program keeps the file '${d.path}' of the data directory locked. Close that program, or retry later.`,
  ),
  'backup-unknown': defineProblemKind(
    404,
    'The base of an incremental backup is unknown. The server remembers its last 10 backups.',
    (d: { id: string }) =>
      `This server does not know the backup '${d.id}'. It remembers the last 10 backups. Make a full backup, without 'since'.`,
  ),
  'storage-full': defineProblemKind(
    507,
    'The disk is full. Nothing was changed, and reads still work.',
    () => 'The disk of the server is full, so nothing was changed. Free some space and retry.',
  ),
  'storage-busy': defineProblemKind(
    503,
    'Another program, such as a backup, keeps the database locked. Nothing was changed.',
    (_: { retryAfterSeconds: number }) =>
      'Another program keeps the database of the server locked, so nothing was changed. Retry later.',
  ),
  'storage-unavailable': defineProblemKind(
    503,
    'The disk, the database or the object store cannot be read or written. Check whether a change was saved before sending it again.',
    (_: { retryAfterSeconds?: number }) =>
      'The disk, the database or the object store of the server is unavailable. The server log has the reason.',
  ),
  'outcome-unknown': defineProblemKind(
    503,
    'The connection to the database was lost during a commit, and the outcome could not be determined.',
    (_: { retryAfterSeconds: number }) =>
      'The connection to the database was lost during the commit, so it is unknown whether the change was saved. ' +
      'Check the resource, or send the request again with the same Idempotency-Key.',
  ),
  // Reserved for writes that cannot be rolled back; every current write can.
  'dry-run-impossible': defineProblemKind(
    501,
    'The write does not support dryRun. Reserved: no current write returns this code.',
    (d: { what: string }) => `${d.what} does not support dryRun. Remove the query parameter dryRun.`,
  ),
  'doctor-path-unknown': defineProblemKind(
    404,
    'A path that the doctor is asked to check is that of no stored resource.',
    (d: { path: string; field: string }) =>
      `No stored resource exists at or below '${d.path}'. Use paths as the history shows them, such as /workspaces/acme/layers/roads.`,
  ),
  'crs-unknown': defineProblemKind(
    404,
    'No coordinate reference system has that code.',
    (d: { code: string }) => `No such coordinate reference system: '${d.code}'. /crs lists the supported ones.`,
  ),
  'crs-malformed': defineProblemKind(
    400,
    'The code of a coordinate reference system is malformed.',
    (d: { code: string }) =>
      `Invalid code of a coordinate reference system: '${d.code}'. Expected a code such as EPSG:4326.`,
  ),
  'console-unavailable': defineProblemKind(
    503,
    'The files of the console are missing and could not be built.',
    (d: { reason: string }) =>
      `The console could not be built: ${d.reason}. Run \`npm ci\` in the folder of the server, or start it with --no-console.`,
  ),
  draining: defineProblemKind(503, 'The server is shutting down.', () => 'The server is shutting down.'),
  'module-unknown': defineProblemKind(
    404,
    'The server has no module of that name.',
    (d: { name: string }) => `No such module: '${d.name}'.`,
  ),
} as const;
