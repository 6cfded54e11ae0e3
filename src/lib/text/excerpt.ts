/** Shortens the input of a client for a message, because a name can be megabytes long. */
const maxExcerptLength = 40;

export function excerpt(text: string): string {
  return text.length <= maxExcerptLength ? text : `${text.slice(0, maxExcerptLength).toWellFormed()}…`;
}
