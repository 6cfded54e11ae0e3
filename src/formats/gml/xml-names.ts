/** Names of types and attributes as names of elements, ids as values of `gml:id`; what XML does not take is written `_x0020_`. */

// Of all letters, XML does not take these three.
const plainName = /^[[\p{L}--[ªµº]]_][[\p{L}--[ªµº]]\p{Nd}_.\-]*$/v;
const unfitCharacter = /[^[\p{L}--[ªµº]]\p{Nd}_.\-]/gv;
const unfitStart = /^[^[\p{L}--[ªµº]]_]/v;

/** Prefixes that mean something else in our documents, or in every document. */
const takenPrefixes = /^(?:xml.*|xsi|xsd|xs|xlink|gml|wfs|ows|fes|ogc)$/i;

/** Also good for ids: those of one type stay different from each other. */
export function toXmlName(text: string): string {
  if (plainName.test(text)) return text;
  const fit = text.toWellFormed().replace(unfitCharacter, escapeCharacter).replace(unfitStart, escapeCharacter);
  return fit === '' ? '_' : fit;
}

/** One that is free in our documents. */
export function toXmlPrefix(prefix: string): string {
  const name = prefix === '' ? 'feature' : toXmlName(prefix);
  return takenPrefixes.test(name) ? `${name}_` : name;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
