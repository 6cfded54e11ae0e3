/** Unicode full case folding: `Straße` equals `STRASSE`, and `Οδός` equals `ΟΔΌΣ`. */

const ascii = /^[\0-\x7f]*$/;

/** Returns the same text for all spellings. It can be longer than the input, because one letter can fold to two. */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Dotless i is a separate letter, although it shares its upper case I with i.
  return text
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .join('ı');
}
