/** Logs each problem once, and again only after it was cleared, so that requests do not flood the log. */
import type { Warn } from './security.ts';

/** Limits the memory; beyond this number some problems are logged again. */
const MAX_SUBJECTS = 1_000;

export interface WarnOnce {
  /** Logs the warning, unless it equals the last one for this subject. */
  warn(subject: string, message: string, details: Readonly<Record<string, unknown>>): void;
  /** Marks the problem of the subject as resolved. */
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
