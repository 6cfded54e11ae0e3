/** Says each trouble once, and again only when it has been over in between: a log is no place for an echo. */
import type { Warn } from './security.ts';

/** Troubles remembered at most; who has more gets some of them said twice. */
const MAX_SUBJECTS = 1_000;

export interface WarnOnce {
  /** Says it, unless it was the last thing said of this subject. */
  warn(subject: string, message: string, details: Readonly<Record<string, unknown>>): void;
  /** The subject is well again. */
  clear(subject: string): void;
}

export function createWarnOnce(warn: Warn): WarnOnce {
  const said = new Map<string, string>();
  return {
    warn(subject, message, details) {
      const words = `${message} ${JSON.stringify(details)}`;
      if (said.get(subject) === words) {
        return;
      }
      said.delete(subject);
      said.set(subject, words);
      if (said.size > MAX_SUBJECTS) {
        said.delete(said.keys().next().value ?? subject);
      }
      warn(message, details);
    },
    clear(subject) {
      said.delete(subject);
    },
  };
}
