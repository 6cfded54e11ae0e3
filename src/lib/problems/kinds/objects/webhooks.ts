/** Problems with webhooks. */
import { defineProblemKind } from '../kind.ts';

export const webhookProblems = {
  'webhook-unknown': defineProblemKind(
    404,
    'No webhook has that name.',
    (d: { name: string }) => `No such webhook: '${d.name}'.`,
  ),
  'webhook-exists': defineProblemKind(
    409,
    'A webhook of that name already exists.',
    (d: { name: string }) => `A webhook named '${d.name}' already exists.`,
  ),
} as const;
