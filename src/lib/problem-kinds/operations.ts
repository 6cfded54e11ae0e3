/** What can go wrong when somebody asks about the server itself. */
import { kind } from './kind.ts';

export const operationsProblems = {
  'module-unknown': kind(
    404,
    'The server has no part of that name.',
    (d: { name: string }) => `No such module: '${d.name}'.`,
  ),
} as const;
