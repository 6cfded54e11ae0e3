/** Decodes documents by their byte order mark, Content-Type or XML declaration. */
import { problem } from '../problems/problem.ts';

/** An XML declaration is ASCII and shorter than this. */
const maxDeclarationBytes = 256;

const LESS_THAN = 0x3c;
const QUESTION_MARK = 0x3f;

const declaredEncoding =
  /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)')/;

interface ByteOrderMark {
  readonly charset: string;
  readonly length: number;
}

/**
 * Decodes by the byte order mark, else by the charset of the Content-Type, else, for XML, by the encoding of the XML
 * declaration, else as UTF-8. A contradicting XML declaration is ignored.
 */
export function decodeText(bytes: Uint8Array, declaredCharset: string | undefined, xml: boolean): string {
  const mark = findByteOrderMark(bytes);
  if (mark) return decode(bytes.subarray(mark.length), mark.charset);

  const declared = declaredCharset?.trim().toLowerCase();
  if (declared) return decode(bytes, declared === 'utf-16' ? detectUtf16(bytes) : declared);

  return decode(bytes, xml ? detectXmlCharset(bytes) : 'utf-8');
}

function findByteOrderMark(bytes: Uint8Array): ByteOrderMark | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { charset: 'utf-8', length: 3 };
  if (first === 0xfe && second === 0xff) return { charset: 'utf-16be', length: 2 };
  if (first === 0xff && second === 0xfe) return { charset: 'utf-16le', length: 2 };
  return undefined;
}

/** Detects the byte order: documents begin with an ASCII character, so one of its two bytes is zero. */
function detectUtf16(bytes: Uint8Array): string {
  return bytes[0] === 0 ? 'utf-16be' : 'utf-16le';
}

function detectXmlCharset(bytes: Uint8Array): string {
  if (bytes[0] === 0 || bytes[1] === 0) return detectUtf16(bytes);

  if (bytes[0] !== LESS_THAN || bytes[1] !== QUESTION_MARK) return 'utf-8';
  const start = String.fromCharCode(...bytes.subarray(0, maxDeclarationBytes));
  const match = declaredEncoding.exec(start);
  const charset = (match?.[1] ?? match?.[2] ?? 'utf-8').toLowerCase();
  // Some clients serialise to a UTF-16 string and send it as UTF-8. The declaration was readable byte by byte, so the
  // text is not UTF-16.
  return charset.startsWith('utf-16') ? 'utf-8' : charset;
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    // RangeError: unknown charset. TypeError: invalid bytes.
    if (error instanceof RangeError || error instanceof TypeError) throw problem('text-undecodable', { charset });
    throw error;
  }
}
