/** Escapes strings for XML 1.0, as text or as attribute values in double quotes. */

// The second class is everything that XML 1.0 forbids, even as a reference: control characters, unpaired surrogates,
// U+FFFE and U+FFFF.
const specialInText = /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const specialInAttribute = /[&<>"\t\n\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const replacementCharacter = '\uFFFD';

/** Writes a carriage return as a reference, because readers convert a bare one to a line feed. */
export function escapeText(text: string): string {
  return text.replace(specialInText, encodeCharacter);
}

/** Writes tabs and line ends as references, because readers convert bare ones to spaces. */
export function escapeAttribute(text: string): string {
  return text.replace(specialInAttribute, encodeCharacter);
}

function encodeCharacter(character: string): string {
  switch (character) {
    case '&':
      return '&amp;';
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    case '\t':
      return '&#9;';
    case '\n':
      return '&#10;';
    case '\r':
      return '&#13;';
    default:
      return replacementCharacter;
  }
}
