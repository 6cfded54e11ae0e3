/** Parts of the sentences that clients read. */

/** `a user`, `an authentication provider`, `an 'order'`; a word in u is spoken as in user. */
export function addArticle(words: string): string {
  return `${/^'?[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** `1 was found`, `2 were found`. */
export function formatFoundCount(count: number): string {
  return `${count} ${count === 1 ? 'was' : 'were'} found`;
}

/** Names a few blockers and counts the rest, so that a message stays readable. */
export function enumerate(names: readonly string[], total: number): string {
  const shown = names.slice(0, 10).join(', ');
  return total > 10 ? `${shown} and ${total - 10} more` : shown;
}

/** A text of a client as it can be shown: without what is not seen, or changes the direction of what follows. */
export function toPrintable(text: string, maxCharacters = 200): string {
  const shown = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
  return shown.length > maxCharacters ? `${shown.slice(0, maxCharacters).toWellFormed()}…` : shown;
}

/** Headers have little room, and nobody reads on after these. */
const MAX_SENTENCES = 10;

/** The first sentences, and one that counts the others. */
export function limitSentences(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MAX_SENTENCES;
  return more <= 0 ? sentences : [...sentences.slice(0, MAX_SENTENCES), `And ${more} more of this kind.`];
}
