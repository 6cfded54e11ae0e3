/** Parts of the sentences that clients read. */

/** `a user`, `an authentication provider`, `an 'order'`; a word in u is spoken as in user. */
export function withArticle(words: string): string {
  return `${/^'?[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Names a few blockers and counts the rest, so that a message stays readable. */
export function enumerate(names: readonly string[], total: number): string {
  const shown = names.slice(0, 10).join(', ');
  return total > 10 ? `${shown} and ${total - 10} more` : shown;
}
