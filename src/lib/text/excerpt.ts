/** Shortens what a client sent before it is quoted in a sentence, since a name may be megabytes long. */
const maxExcerptLength = 40;

export function excerpt(text: string): string {
  return text.length <= maxExcerptLength ? text : `${text.slice(0, maxExcerptLength).toWellFormed()}…`;
}
