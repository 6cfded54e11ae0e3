/** Makes any string fit to stand in XML 1.0, as text or as the value of an attribute in double quotes. */

// The second class is everything XML 1.0 cannot hold, not even as a reference: control characters, halves of surrogate
// pairs, U+FFFE and U+FFFF.
const specialInText = /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const specialInAttribute = /[&<>"\t\n\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const replacementCharacter = '\uFFFD';

/** A carriage return goes out as a reference, since readers turn a bare one into a line feed. */
export function escapeText(text: string): string {
  return text.replace(specialInText, encodeCharacter);
}

/** Tabs and line ends go out as references, since readers turn bare ones into spaces. */
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
