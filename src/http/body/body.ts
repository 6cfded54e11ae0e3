/** Parses the body of a request into the neutral tree, within limits. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { decodeText } from '../../lib/files/decode-text.ts';
import { startReadingJson } from '../../lib/json/reader.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Format, formats } from '../serialization/format.ts';
import type { DocumentLimits, InputNode } from '../serialization/input-tree.ts';
import { startReadingJsonInput } from '../serialization/read-json.ts';
import { startReadingXmlInput } from '../serialization/read-xml.ts';
import { readBodyBytes } from './body-bytes.ts';

export interface BodyLimits extends DocumentLimits {
  readonly maxDocumentBytes: number;
}

export type BodyFormat = Extract<Format, 'xml' | 'json'>;

const bodyMediaTypes: readonly string[] = [...formats.xml.mediaTypes, ...formats.json.mediaTypes];

/** Guesses the format of a body from its type, to choose the format of the response. */
export function guessBodyFormat(headers: IncomingHttpHeaders): BodyFormat | undefined {
  const mediaType = parseMediaType(headers['content-type'] ?? '');
  return mediaType.endsWith('json') ? 'json' : mediaType.endsWith('xml') ? 'xml' : undefined;
}

/** Reads a line of plain text; undefined if the body is empty. */
export async function readText(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
): Promise<string | undefined> {
  const mediaType = parseMediaType(headers['content-type'] ?? 'text/plain');
  if (mediaType !== 'text/plain') {
    throw problem('body-type-unknown', { found: mediaType, expected: ['text/plain'] });
  }
  const bytes = await readBodyBytes(stream, headers, limits.maxDocumentBytes);
  const text = decodeText(bytes, parseCharset(headers), false).trim();
  return text === '' ? undefined : text;
}

/** Reads any text, for services that parse it themselves. */
export async function readAnyText(stream: Readable, headers: IncomingHttpHeaders, limits: BodyLimits): Promise<string> {
  const bytes = await readBodyBytes(stream, headers, limits.maxDocumentBytes);
  return decodeText(bytes, parseCharset(headers), !isJson(headers));
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return guessBodyFormat(headers) === 'json';
}

/** Returns the format of a Content-Type; undefined without one. Throws 415 for an unsupported type. */
export function readDeclaredFormat(headers: IncomingHttpHeaders): BodyFormat | undefined {
  const header = headers['content-type'];
  if (header === undefined || header.trim() === '') {
    return undefined;
  }
  const mediaType = parseMediaType(header);
  if (formats.xml.mediaTypes.includes(mediaType)) {
    return 'xml';
  }
  if (formats.json.mediaTypes.includes(mediaType)) {
    return 'json';
  }
  throw problem('body-type-unknown', { found: mediaType, expected: bodyMediaTypes });
}

/** Reads a document; undefined if the body is empty. */
export async function readDocument(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
  maxBytes = limits.maxDocumentBytes,
): Promise<InputNode | undefined> {
  const bytes = await readBodyBytes(stream, headers, Math.min(maxBytes, limits.maxDocumentBytes));
  if (bytes.length === 0) {
    return undefined;
  }
  const format = readDeclaredFormat(headers) ?? sniffFormat(bytes);
  const text = decodeText(bytes, parseCharset(headers), format === 'xml');
  if (text.trim() === '') {
    return undefined;
  }
  return readInPieces(format === 'xml' ? startReadingXmlInput(text, limits) : startReadingJsonInput(text, limits));
}

/** Reads JSON and keeps its structure; undefined if the body is empty. */
export async function readJsonTree(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
): Promise<JsonTree | undefined> {
  if (readDeclaredFormat(headers) === 'xml') {
    throw problem('body-type-unknown', { found: headers['content-type'] ?? '', expected: formats.json.mediaTypes });
  }
  const bytes = await readBodyBytes(stream, headers, limits.maxDocumentBytes);
  const text = decodeText(bytes, parseCharset(headers), false);
  return text.trim() === '' ? undefined : readInPieces(startReadingJson(text, limits));
}

/** Takes some milliseconds to parse; most documents are smaller. */
const PIECE_CHARACTERS = 16_384;

async function readInPieces<T>(reading: { advance(characters: number): T | undefined }): Promise<T> {
  for (;;) {
    const whole = reading.advance(PIECE_CHARACTERS);
    if (whole !== undefined) {
      return whole;
    }
    await othersFirst();
  }
}

/** Without a Content-Type, the first visible character decides. */
function sniffFormat(bytes: Buffer): BodyFormat {
  const start = bytes.toString('latin1', 0, 64).replace(/^(?:\xef\xbb\xbf)?\s*/, '');
  return start.startsWith('{') || start.startsWith('[') ? 'json' : 'xml';
}

function parseMediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

function parseCharset(headers: IncomingHttpHeaders): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(headers['content-type'] ?? '')?.[1];
}
