/** What can go wrong with URL checks. */
import { kind } from './kind.ts';

export const urlCheckProblems = {
  'url-check-unknown': kind(
    404,
    'There is no URL check of that name.',
    (d: { name: string }) => `No such URL check: '${d.name}'.`,
  ),
  'url-check-exists': kind(
    409,
    'A URL check of that name exists already.',
    (d: { name: string }) => `A URL check named '${d.name}' already exists.`,
  ),
} as const;
