/** How one kind of problem is declared. */
import type { CommonDetails } from '../problem.ts';

export interface ProblemKind<D> {
  readonly status: number;
  /** When a client meets this, for the reference page. */
  readonly when: string;
  readonly message: (details: D) => string;
}

export function kind<D = CommonDetails>(status: number, when: string, message: (details: D) => string): ProblemKind<D> {
  return { status, when, message };
}

/** `a user`, `an authentication provider`, `an 'order'`; a word in u is spoken as in user. */
export function withArticle(words: string): string {
  return `${/^'?[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Names a few blockers and counts the rest, so that a message stays readable. */
export function enumerate(names: readonly string[], total: number): string {
  const shown = names.slice(0, 10).join(', ');
  return total > 10 ? `${shown} and ${total - 10} more` : shown;
}
