/** What is our own fault or doing, or is asked about the server itself. */
import { defineProblemKind } from '../kind.ts';

export const serverProblems = {
  unexpected: defineProblemKind(
    500,
    'A fault on our side; the log has the details under the request id.',
    (d: { requestId: string }) =>
      `The server failed to answer. Its log has the details under request id ${d.requestId}.`,
  ),
  'key-too-long': defineProblemKind(
    400,
    'A value that resources are found by, such as the URI of a namespace, is longer than the database can look up.',
    () =>
      'A name, URI or other value that resources are found by is longer than the database of this server can look up: about 2,600 bytes. Choose a shorter one.',
  ),
  'storage-full': defineProblemKind(
    507,
    'The disk has no room for what was to be written; nothing was changed, and everything can still be read.',
    () => 'There is no room left on the disk of the server, so nothing was changed. Make room, and send this again.',
  ),
  'storage-busy': defineProblemKind(
    503,
    'Another program (a backup, say) keeps the database locked; nothing was changed.',
    (_: { retryAfterSeconds: number }) =>
      'Another program keeps the database of the server locked, so nothing was changed. Send this again later.',
  ),
  'storage-unavailable': defineProblemKind(
    503,
    'The disk or the database cannot be written or read. Whether a change was kept has to be looked up.',
    (_: { retryAfterSeconds?: number }) =>
      'The disk or the database of the server cannot be used right now. The log of the server says why.',
  ),
  'outcome-unknown': defineProblemKind(
    503,
    'The connection to the database was lost while a change was made durable, and it could not be asked since.',
    (_: { retryAfterSeconds: number }) =>
      'The connection to the database was lost while this change was made, so nobody knows whether it was kept. ' +
      'Look it up, or send it again with the Idempotency-Key that it had.',
  ),
  // Reserved for what cannot be rolled back; whatever takes writes now can be.
  'dry-run-impossible': defineProblemKind(
    501,
    'The write cannot be tried without effect. There is no such write now: nothing answers with this code.',
    (d: { what: string }) => `${d.what} cannot be tried without effect; leave the parameter dryRun out.`,
  ),
  'crs-unknown': defineProblemKind(
    404,
    'There is no coordinate reference system of that code.',
    (d: { code: string }) => `No such coordinate reference system: '${d.code}'; /crs lists those there are.`,
  ),
  'crs-malformed': defineProblemKind(
    400,
    'What was asked for is no code of a coordinate reference system.',
    (d: { code: string }) =>
      `'${d.code}' is no code of a coordinate reference system; one such as EPSG:4326 was expected.`,
  ),
  draining: defineProblemKind(503, 'The server is shutting down.', () => 'The server is shutting down.'),
  'module-unknown': defineProblemKind(
    404,
    'The server has no part of that name.',
    (d: { name: string }) => `No such module: '${d.name}'.`,
  ),
} as const;
