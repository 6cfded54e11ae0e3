/** Decodes the name of an entry and splits it into folders and file, or returns the reason why it is invalid. */
import { crc32 } from 'node:zlib';
import { findLabelFault } from '../../lib/text/file-name.ts';

export interface NameLimits {
  readonly maxNameBytes: number;
  readonly maxPathBytes: number;
  readonly maxDepth: number;
}

interface RawName {
  readonly bytes: Uint8Array;
  readonly isUtf8: boolean;
  readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[];
}

/** An Info-ZIP field that repeats the name in UTF-8, with a checksum of the original name. */
const UNICODE_PATH = 0x7075;

/** Returns undefined if the bytes are invalid in their declared encoding. */
export function decodeEntryName({ bytes, isUtf8, extraFields }: RawName): string | undefined {
  for (const { id, data } of extraFields) {
    if (id === UNICODE_PATH && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(bytes)) {
      return decodeUtf8(data.subarray(5));
    }
  }
  if (isUtf8) {
    return decodeUtf8(bytes);
  }
  // Some programs write UTF-8 without the flag; other text is hardly ever valid UTF-8 by chance.
  return decodeUtf8(bytes) ?? decodeCodePage437(bytes);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface EntryPath {
  /** Folders, then the file; empty for the root of the archive. */
  readonly parts: readonly string[];
  /** Whether the name denotes a folder. */
  readonly isFolder: boolean;
}

export function readEntryPath(name: string, limits: NameLimits): EntryPath | { readonly objection: string } {
  if (name === '') {
    return { objection: 'it has no name' };
  }
  if (/^(?:[/\\]|[a-z]:)/i.test(name)) {
    return { objection: 'its path is absolute' };
  }
  if (name.includes('\\')) {
    return { objection: 'its path contains a backslash' };
  }
  if (Buffer.byteLength(name) > limits.maxPathBytes) {
    return { objection: `its path is longer than ${limits.maxPathBytes} bytes` };
  }
  const isFolder = name.endsWith('/');
  // Some programs write `./data/roads.shp` for `data/roads.shp`.
  const parts = (isFolder ? name.slice(0, -1) : name).split('/').filter((part) => part !== '.');
  for (const part of parts) {
    if (part === '..') {
      return { objection: 'its path leads out of the archive' };
    }
    const objection = findLabelFault(part, limits.maxNameBytes);
    if (objection !== undefined) {
      return { objection: `a part of its path is not a valid file name: ${objection}` };
    }
  }
  if (parts.length > limits.maxDepth) {
    return { objection: `it is nested deeper than ${limits.maxDepth} folders` };
  }
  return parts.length === 0 && !isFolder ? { objection: 'it has no name' } : { parts, isFolder };
}

/** The characters of code page 437 from byte 128 on; those below are ASCII. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Decodes a name in code page 437, the default encoding of ZIP. */
function decodeCodePage437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : upperHalf[byte - 128])).join('');
}
