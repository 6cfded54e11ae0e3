/** Determines the encoding of a .dbf file and decodes its texts. */
import { problem } from '../../../lib/problems/problem.ts';

/** Decodes a range of a larger buffer. */
export type TextDecode = (bytes: Buffer, start: number, end: number) => string;

/** The default of the reference server. */
const FALLBACK = 'iso-8859-1';

/** Encodings by language driver byte; one code page covers many languages. */
const languageDrivers: Readonly<Record<string, readonly number[]>> = {
  cp437: [0x01, 0x09, 0x0b, 0x0d, 0x0f, 0x11, 0x15, 0x18, 0x19, 0x1b],
  cp850: [0x02, 0x08, 0x0a, 0x0e, 0x10, 0x12, 0x14, 0x16, 0x1a, 0x1d, 0x25, 0x37],
  cp1252: [0x03, 0x58, 0x59],
  'iso-8859-1': [0x57],
  cp865: [0x17, 0x66],
  cp932: [0x13, 0x7b],
  cp863: [0x1c, 0x6c],
  cp852: [0x1f, 0x22, 0x23, 0x40, 0x64, 0x87],
  cp860: [0x24],
  cp866: [0x26, 0x65],
  cp936: [0x4d, 0x7a],
  cp949: [0x4e, 0x79],
  cp950: [0x4f, 0x78],
  cp874: [0x50, 0x7c],
  cp861: [0x67],
  cp737: [0x6a, 0x86],
  cp857: [0x6b, 0x88],
  cp1250: [0xc8],
  cp1251: [0xc9],
  cp1254: [0xca],
  cp1253: [0xcb],
  cp1257: [0xcc],
};

export interface CharsetHints {
  /** The user setting, which is applied or rejected. */
  readonly charset?: string;
  /** The content of the .cpg file. */
  readonly codePage?: string;
  readonly languageDriver?: number;
}

export async function chooseCharset(hints: CharsetHints): Promise<TextDecode> {
  if (hints.charset !== undefined && hints.charset.trim() !== '') {
    const decode = await findDecoder(hints.charset);
    if (decode === undefined) throw problem('charset-unknown', { charset: hints.charset });
    return decode;
  }
  for (const name of [hints.codePage, getDriverEncoding(hints.languageDriver ?? 0)]) {
    const decode = name === undefined ? undefined : await findDecoder(name);
    if (decode !== undefined) return decode;
  }
  return decodeLatin1;
}

/** Encodes texts in a requested charset; unsupported characters become question marks. */
export interface EncodedCharset {
  /** The name for a .cpg file. */
  readonly name: string;
  /** The language driver byte; 0 if none stands for this charset. */
  readonly languageDriver: number;
  readonly encode: (text: string) => Buffer;
}

export async function chooseTextEncode(charset: string): Promise<EncodedCharset> {
  const name = normalizeCharsetName(charset);
  if (name === 'utf-8') return { name: 'UTF-8', languageDriver: 0, encode: (text) => Buffer.from(text, 'utf8') };
  if (!(await isKnownCharset(charset))) throw problem('charset-unknown', { charset });
  const { default: iconv } = await import('iconv-lite');
  const [languageDriver = 0] = languageDrivers[name] ?? [];
  return { name: name.toUpperCase(), languageDriver, encode: (text) => iconv.encode(text, name) };
}

export async function isKnownCharset(text: string): Promise<boolean> {
  return (await findDecoder(text)) !== undefined;
}

/** Returns the encoding for a language driver byte. */
export function getDriverEncoding(languageDriver: number): string {
  return Object.entries(languageDrivers).find(([, bytes]) => bytes.includes(languageDriver))?.[0] ?? FALLBACK;
}

const decodeLatin1: TextDecode = (bytes, start, end) => bytes.toString('latin1', start, end);
const decodeUtf8: TextDecode = (bytes, start, end) =>
  bytes.toString('utf8', start, findCharacterEnd(bytes, start, end));

async function findDecoder(text: string): Promise<TextDecode | undefined> {
  const name = normalizeCharsetName(text);
  if (name === 'utf-8') return decodeUtf8;
  if (name === FALLBACK) return decodeLatin1;
  const { default: iconv } = await import('iconv-lite');
  // Wide-character encodings do not work for byte fields.
  if (!iconv.encodingExists(name) || /utf.?(?:16|32|7)|ucs|hex|base64|binary/i.test(name)) return undefined;
  // A decoder per call is slow, and most texts are ASCII, which all these encodings share.
  return (bytes, start, end) =>
    isAscii(bytes, start, end) ? bytes.toString('latin1', start, end) : iconv.decode(bytes.subarray(start, end), name);
}

/** Code pages are written as `1252`, `ANSI 1252`, `CP1252`, `LDID/87`, `88591`, `ISO-8859-1`, `Shift_JIS` and more. */
function normalizeCharsetName(text: string): string {
  const name = text
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase();
  const driver = /^ldid\/(\d{1,3})$/.exec(name)?.[1];
  if (driver !== undefined) {
    return Object.entries(languageDrivers).find(([, bytes]) => bytes.includes(Number(driver)))?.[0] ?? name;
  }
  const iso = /^(?:iso[\s_-]*)?8859[\s_-]*(\d{1,2})$/.exec(name)?.[1];
  if (iso !== undefined) return `iso-8859-${iso}`;
  const page = /^(?:ansi|oem|cp|windows|ms|ibm)?[\s_-]*(\d{3,5})$/.exec(name)?.[1];
  if (page === '65001' || /^utf[\s_-]*8$/.test(name)) return 'utf-8';
  return page === undefined ? name : `cp${page}`;
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > 0x7f) return false;
  return true;
}

/** Writers truncate texts to the field width, possibly inside a character; the partial character is dropped. */
export function findCharacterEnd(bytes: Buffer, start: number, end: number): number {
  let lead = end - 1;
  while (lead >= start && lead > end - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const byte = lead < start ? 0 : (bytes[lead] ?? 0);
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + length > end && byte >= 0xc0 ? lead : end;
}
