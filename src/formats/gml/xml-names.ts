/**
 * Converts type and attribute names to element names, and ids to `gml:id` values; invalid characters are escaped as
 * `_x0020_`.
 */

// XML names exclude these three letters.
const plainName = /^[[\p{L}--[ªµº]]_][[\p{L}--[ªµº]]\p{Nd}_.\-]*$/v;
const unfitCharacter = /[^[\p{L}--[ªµº]]\p{Nd}_.\-]/gv;
const unfitStart = /^[^[\p{L}--[ªµº]]_]/v;

/** Prefixes that are reserved in these documents or in XML. */
const takenPrefixes = /^(?:xml.*|xsi|xsd|xs|xlink|gml|wfs|ows|fes|ogc)$/i;

/** Also used for ids: distinct ids of a type stay distinct. */
export function toXmlName(text: string): string {
  if (plainName.test(text)) return text;
  const fit = text.toWellFormed().replace(unfitCharacter, escapeCharacter).replace(unfitStart, escapeCharacter);
  return fit === '' ? '_' : fit;
}

/** Returns a prefix that is not reserved. */
export function toXmlPrefix(prefix: string): string {
  const name = prefix === '' ? 'feature' : toXmlName(prefix);
  return takenPrefixes.test(name) ? `${name}_` : name;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
