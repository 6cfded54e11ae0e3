/** Problems with stored queries. */
import { defineProblemKind } from '../kind.ts';

export const storedQueryProblems = {
  'stored-query-unknown': defineProblemKind(
    404,
    'No stored query has that id.',
    (d: { name: string }) => `No such stored query: '${d.name}'.`,
  ),
  'stored-query-exists': defineProblemKind(
    409,
    'A stored query of that id already exists.',
    (d: { name: string }) => `A stored query with the id '${d.name}' already exists.`,
  ),
  'stored-query-invalid': defineProblemKind(
    400,
    'The definition of the stored query is invalid.',
    (d: { name: string; reason: string }) => `The stored query '${d.name}' is invalid: ${d.reason}.`,
  ),
  'stored-query-global': defineProblemKind(
    403,
    'Only administrators can change global stored queries.',
    () =>
      'Administrator rights are required to change global stored queries. Use a stored query of a workspace instead.',
  ),
  'stored-queries-too-many': defineProblemKind(
    409,
    'The server or the workspace has too many stored queries.',
    (d: { limit: number }) => `At most ${d.limit} stored queries are possible here. Delete others first.`,
  ),
} as const;
