/** Helpers for the wording of messages. */

/**
 * Adds the indefinite article: `a user`, `an authentication provider`, `an 'order'`. A leading u counts as a consonant.
 */
export function addArticle(words: string): string {
  return `${/^'?[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Returns `1 band`, `2 bands`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns `json` for one value, and `one of json, xml` for several. */
export function formatChoices(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

/** Returns `1 was found`, `2 were found`. */
export function formatFoundCount(count: number): string {
  return `${count} ${count === 1 ? 'was' : 'were'} found`;
}

/** Joins the first ten names and counts the rest, to keep messages readable. */
export function enumerate(names: readonly string[], total: number): string {
  const listed = names.slice(0, 10).join(', ');
  return total > 10 ? `${listed} and ${total - 10} more` : listed;
}

/** Replaces control and bidirectional characters in the text of a client, and truncates it. */
export function toPrintable(text: string, maxCharacters = 200): string {
  const printable = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
  return printable.length > maxCharacters ? `${printable.slice(0, maxCharacters).toWellFormed()}…` : printable;
}

/** Keeps response headers within the size limits of clients and proxies. */
const MAX_SENTENCES = 10;

/** Returns the first sentences, and one that counts the others. */
export function limitSentences(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MAX_SENTENCES;
  return more <= 0 ? sentences : [...sentences.slice(0, MAX_SENTENCES), `And ${more} more of this kind.`];
}
