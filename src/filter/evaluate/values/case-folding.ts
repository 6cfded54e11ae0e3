/** Texts without regard to case, by the full case folding of Unicode: `Straße` is `STRASSE`, and `Οδός` is `ΟΔΌΣ`. */

const ascii = /^[\0-\x7f]*$/;

/** The same for all spellings; longer than the text where one letter stands for two. */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // A dotless i is a letter of its own, although there is but one I for both.
  return text
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .join('ı');
}
