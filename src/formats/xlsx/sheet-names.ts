/** Names of worksheets within the rules of spreadsheet programs. */

/** The limit of spreadsheet programs, which reject a workbook with longer names. */
const MAX_CHARACTERS = 31;

/** Programs reject a workbook with this name, which they use themselves. */
const RESERVED = 'history';

/** Creates a name that no other sheet has, without regard to case, and adds it to the taken names. */
export function createSheetName(title: string, taken: Set<string>): string {
  const plain = title.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\\/?*[\]:]/gu, '_').replaceAll(/^'|'$/g, '_');
  const base = plain === '' || plain.toLowerCase() === RESERVED ? `${plain}_` : plain;
  let name = shorten(base, MAX_CHARACTERS);
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
    const suffix = ` (${number})`;
    name = `${shorten(base, MAX_CHARACTERS - suffix.length)}${suffix}`;
  }
  taken.add(name.toLowerCase());
  return name;
}

/** Counts UTF-16 units, as programs do, and does not split a character. */
function shorten(text: string, maxLength: number): string {
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > maxLength) break;
    kept += character;
  }
  return kept.replace(/'$/, '_');
}
