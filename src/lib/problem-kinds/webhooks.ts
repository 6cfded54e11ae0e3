/** What can go wrong with webhooks. */
import { kind } from './kind.ts';

export const webhookProblems = {
  'webhook-unknown': kind(
    404,
    'There is no webhook of that name.',
    (d: { name: string }) => `No such webhook: '${d.name}'.`,
  ),
  'webhook-exists': kind(
    409,
    'A webhook of that name exists already.',
    (d: { name: string }) => `A webhook named '${d.name}' already exists.`,
  ),
} as const;
