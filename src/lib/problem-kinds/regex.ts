/** What can be wrong with a regular expression that a client sends. */
import { kind } from './kind.ts';

export const regexProblems = {
  'regex-invalid': kind(
    400,
    'A regular expression does not compile, or holds what cannot be matched in linear time.',
    (d: { what: string; regex: string; reason: string; position: number }) =>
      `${d.what} ('${d.regex}') cannot be used: at character ${d.position}, ${d.reason}.`,
  ),
} as const;
