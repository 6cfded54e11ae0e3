/**
 * Splits a property file into logical lines like Java: without comments, with continuation lines joined, and with
 * escapes.
 */
import { problem } from '../../lib/problems/problem.ts';
import { type DataFile, readBytes } from '../support/data-file.ts';

export interface PropertyLine {
  /** Without leading spaces. */
  readonly text: string;
  /** The first physical line, starting at 1, and its offset. */
  readonly number: number;
  readonly offset: number;
  /** Whether the line is not valid UTF-8 and was read as ISO 8859-1, the original encoding of property files. */
  readonly isLatin: boolean;
}

const CHUNK_BYTES = 1_048_576;

/** A line is held in memory; a geometry of a million positions is shorter. */
const MAX_LINE_BYTES = 67_108_864;

const NEW_LINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;
const comments: ReadonlySet<number | undefined> = new Set([0x23, 0x21]);
const spaces: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0c]);

/** A line that continues on the next. */
interface ContinuedLine {
  readonly parts: Buffer[];
  bytes: number;
  readonly number: number;
  readonly offset: number;
}

/** Yields the complete lines of each chunk; a batch can be empty. */
export async function* readPropertyLines(file: DataFile): AsyncGenerator<readonly PropertyLine[]> {
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  let continued: ContinuedLine | undefined;
  let lines: PropertyLine[] = [];

  const addLine = (line: Buffer, offset: number): void => {
    number += 1;
    let start = number === 1 && line.length >= 3 && line.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
    while (spaces.has(line[start])) start += 1;
    if (continued === undefined && (start === line.length || comments.has(line[start]))) return;
    const goesOn = hasTrailingBackslash(line, start);
    const part = line.subarray(start, goesOn ? line.length - 1 : line.length);
    const whole = continued ?? { parts: [], bytes: 0, number, offset };
    whole.parts.push(part);
    whole.bytes += part.length;
    checkLength(file, whole, whole.bytes);
    continued = goesOn ? whole : undefined;
    if (!goesOn) lines.push(decodeLine(whole));
  };

  while (position < file.sizeBytes) {
    const chunk = await readBytes(file, position, Math.min(CHUNK_BYTES, file.sizeBytes - position));
    const start = position - rest.length;
    position += chunk.length;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = findLineEnd(bytes, from); end >= 0; end = findLineEnd(bytes, from)) {
      // The next byte shows whether a carriage return is followed by a line feed.
      if (bytes[end] === RETURN && end + 1 === bytes.length && position < file.sizeBytes) break;
      addLine(bytes.subarray(from, end), start + from);
      from = end + (bytes[end] === RETURN && bytes[end + 1] === NEW_LINE ? 2 : 1);
    }
    rest = bytes.subarray(from);
    checkLength(file, { number: number + 1, offset: start + from }, rest.length);
    yield lines;
    lines = [];
  }
  if (rest.length > 0) addLine(rest, file.sizeBytes - rest.length);
  if (continued !== undefined) lines.push(decodeLine(continued));
  yield lines;
}

function findLineEnd(bytes: Buffer, from: number): number {
  const newLine = bytes.indexOf(NEW_LINE, from);
  const before = bytes.subarray(from, newLine < 0 ? bytes.length : newLine).indexOf(RETURN);
  return before < 0 ? newLine : from + before;
}

/** A doubled backslash is an escaped backslash. */
function hasTrailingBackslash(line: Buffer, start: number): boolean {
  let at = line.length;
  while (at > start && line[at - 1] === BACKSLASH) at -= 1;
  return (line.length - at) % 2 === 1;
}

function checkLength(
  file: DataFile,
  { number, offset }: Pick<ContinuedLine, 'number' | 'offset'>,
  bytes: number,
): void {
  if (bytes <= MAX_LINE_BYTES) return;
  const reason = `line ${number} exceeds ${MAX_LINE_BYTES} bytes`;
  throw problem('vector-file-malformed', { file: file.name, offset, reason });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeLine({ parts, number, offset }: ContinuedLine): PropertyLine {
  const [only] = parts;
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  try {
    return { text: utf8.decode(bytes), number, offset, isLatin: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: bytes.toString('latin1'), number, offset, isLatin: true };
  }
}

/** An error in a line; callers that know the file convert it to a problem. */
export class MalformedLineError extends Error {
  override readonly name = 'MalformedLineError';
}

/** Splits at an unescaped sign into a maximum number of pieces. */
export function splitAt(text: string, sign: string, maxPieces = Number.POSITIVE_INFINITY): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  let at = text.indexOf(sign);
  while (at >= 0 && pieces.length + 1 < maxPieces) {
    let backslashes = 0;
    while (at - backslashes > from && text.charCodeAt(at - backslashes - 1) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
    at = text.indexOf(sign, at + 1);
  }
  pieces.push(text.slice(from));
  return pieces;
}

const meanings: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** Decodes the escapes of a text. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  const meant = text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]?))/gu,
    (written, code: string | undefined, other: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (other === 'u') throw new MalformedLineError(`'${written}' must be followed by four hexadecimal digits`);
      return meanings[other] ?? other;
    },
  );
  if (!meant.isWellFormed()) throw new MalformedLineError('a surrogate pair is incomplete');
  return meant;
}
