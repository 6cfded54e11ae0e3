/** Escapes strings for XML 1.0, as text or as attribute values in double quotes. */

// The second class is everything that XML 1.0 forbids, even as a reference: control characters, unpaired surrogates,
// U+FFFE and U+FFFF.
const specialInText = /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const specialInAttribute = /[&<>"\t\n\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const specialInHtml = /[&<>"'\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const replacementCharacter = '\uFFFD';

/** Long texts are escaped in pieces: `replace` keeps a record for each match until it has found the last one. */
const PIECE_CHARACTERS = 65_536;

/** Writes a carriage return as a reference, because readers convert a bare one to a line feed. */
export function escapeText(text: string): string {
  return escapeSpecial(text, specialInText);
}

/** Writes tabs and line ends as references, because readers convert bare ones to spaces. */
export function escapeAttribute(text: string): string {
  return escapeSpecial(text, specialInAttribute);
}

/** Escapes text for HTML, also in attribute values with either kind of quotation marks. */
export function escapeHtml(text: string): string {
  return escapeSpecial(text, specialInHtml);
}

function escapeSpecial(text: string, special: RegExp): string {
  if (text.length <= PIECE_CHARACTERS) return text.replace(special, encodeCharacter);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_CHARACTERS;
    // The halves of a surrogate pair belong together.
    const isPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    pieces.push(text.slice(start, isPair ? end + 1 : end).replace(special, encodeCharacter));
    start = isPair ? end + 1 : end;
  }
  return pieces.join('');
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
    case "'":
      return '&#39;';
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
