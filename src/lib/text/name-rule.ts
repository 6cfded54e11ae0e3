/** Validates the names of resources. Names become parts of URLs and folders, so one rule applies to all sources. */

/** Most file systems limit a name to 255 bytes; suffixes need some of them. */
export const MAX_NAME_BYTES = 200;

export interface NameRestrictions {
  /** Forbidden characters of this kind of name, in addition to the common ones. */
  readonly forbidden?: readonly string[];
  readonly reserved?: readonly string[];
}

/**
 * Coverages, feature types and cascaded layers: `:` separates qualified names, and `*` means every layer in access
 * rules.
 */
export const layerNames: NameRestrictions = { forbidden: [':'], reserved: ['*'] };

/** The end of a message that rejects the name of a layer. */
export const LAYER_NAMES_ALLOWED = `a name has at most ${MAX_NAME_BYTES} bytes, contains no slash, backslash, colon or control character, and neither begins nor ends with a dot or a space`;

/** Extensions that select a format in a path; `default.xml` must stay the default workspace in XML. */
const formatEndings = /\.(?:xml|json|html)$/i;

/** Returns why a name is invalid, as the end of a sentence; undefined for a valid name. */
export function findNameFault(name: string, { forbidden = [], reserved = [] }: NameRestrictions): string | undefined {
  if (name.trim() === '') {
    return 'it is empty';
  }
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `it is longer than ${MAX_NAME_BYTES} bytes`;
  }
  if (!name.isWellFormed()) {
    return 'it is not valid Unicode text';
  }
  if (/\p{Cc}|[\u2028\u2029\ufffe\uffff]/u.test(name)) {
    return 'it contains a control character';
  }
  const character = ['/', '\\', ...forbidden].find((each) => name.includes(each));
  if (character !== undefined) {
    return `it contains the character ${character}`;
  }
  if (name !== name.trim()) {
    return 'it begins or ends with a space';
  }
  if (name.endsWith('.')) {
    return 'it ends with a dot';
  }
  if (name.startsWith('.')) {
    return 'it begins with a dot';
  }
  return reserved.includes(name.replace(formatEndings, '').toLowerCase()) ? 'it is reserved' : undefined;
}
