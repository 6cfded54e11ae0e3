/**
 * Names of types and attributes as names of XML elements. Data of other people can have any names, also those with markup:
 * signs that XML excludes are escaped as the server does it, such as a space as `_x0020_`.
 */

// XML names exclude these three letters.
const unfit = /[ªµº]|[^\p{L}\p{Nd}_.-]/gu;
const unfitStart = /^(?:[ªµº]|[^\p{L}_])/u;

export function toXmlName(text: string): string {
  const fit = text.toWellFormed().replace(unfit, escapeCharacter).replace(unfitStart, escapeCharacter);
  return fit === '' ? '_' : fit;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
