/** Decodes the bytes of a style. Some real files are not in the encoding that they declare. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { computeTextPosition } from '../../lib/text/text-position.ts';

export interface DecodedStyle {
  readonly text: string;
  /** A sentence about a deviation that was tolerated. */
  readonly warning?: string | undefined;
}

/** Any bytes can be decoded in this encoding, which most old editors use. */
const legacyCharset = 'windows-1252';

/**
 * Decodes XML with bytes that are invalid in its encoding as Windows-1252. Throws `text-undecodable` in strict
 * handling, for other languages, and if the client declares the charset.
 */
export function decodeStyle(
  bytes: Uint8Array,
  {
    charset,
    isXml,
    strict,
  }: { readonly charset: string | undefined; readonly isXml: boolean; readonly strict: boolean },
): DecodedStyle {
  try {
    return { text: decodeText(bytes, charset, isXml) };
  } catch (error) {
    const canBeLegacy = error instanceof Problem && isXml && !strict && charset === undefined && !bytes.includes(0);
    if (!canBeLegacy) throw error;
    const { line, column } = computeTextPosition(...findInvalidPosition(bytes));
    const text = new TextDecoder(legacyCharset).decode(bytes);
    const warning = `Line ${line}, column ${column}: the bytes do not match the encoding of the document: it is read as ${legacyCharset}.`;
    return { text, warning };
  }
}

/** Returns the text as UTF-8, and the offset of its first invalid character. */
function findInvalidPosition(bytes: Uint8Array): [string, number] {
  const text = new TextDecoder('utf-8').decode(bytes);
  return [text, Math.max(0, text.indexOf('\uFFFD'))];
}
