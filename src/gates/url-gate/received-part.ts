/** Requests a part of a body, and checks that a server sent that part. */
import type { IncomingMessage } from 'node:http';

export interface ByteRange {
  readonly first: number;
  /** Inclusive, as in HTTP; it may be beyond the end of the file. */
  readonly last: number;
  /** The server sends the part only if the file still has this entity tag; a weak tag is not sent. */
  readonly ifMatch?: string;
}

export interface ReceivedPart {
  readonly first: number;
  readonly last: number;
  /** The size of the whole file. */
  readonly totalBytes: number;
  /** The entity tag and the time of the last change, as the server sent them. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export function createRangeHeaders({ first, last, ifMatch }: ByteRange): Readonly<Record<string, string>> {
  const isStrong = ifMatch !== undefined && !ifMatch.startsWith('W/');
  return { range: `bytes=${first}-${last}`, ...(isStrong ? { 'if-match': ifMatch } : {}) };
}

/** Returns why the response is not the requested part; undefined if it is. */
export function findPartFault(response: IncomingMessage, range: ByteRange): string | undefined {
  const { statusCode = 0 } = response;
  if (statusCode === 200) return 'its server does not support range requests';
  if (statusCode === 416) return `it has fewer than ${range.first + 1} bytes`;
  if (statusCode !== 206) return `it returned status ${statusCode}`;
  return parsePart(response, range) === undefined ? 'its response is not the requested range' : undefined;
}

export function readPart(response: IncomingMessage, range: ByteRange): ReceivedPart {
  const part = parsePart(response, range);
  if (part === undefined) throw new Error('The response was not checked.');
  return part;
}

/** The part must start at the requested byte and end at the last requested one, or at the end of the file. */
function parsePart({ headers }: IncomingMessage, { first, last }: ByteRange): ReceivedPart | undefined {
  const match = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/i.exec(headers['content-range']?.trim() ?? '');
  if (match === null) return undefined;
  const [, sentFirst, sentLast, totalBytes] = match.map(Number);
  if (sentFirst === undefined || sentLast === undefined || totalBytes === undefined) return undefined;
  if (![sentFirst, sentLast, totalBytes].every(Number.isSafeInteger)) return undefined;
  if (sentFirst !== first || sentLast !== Math.min(last, totalBytes - 1)) return undefined;
  const length = headers['content-length'];
  if (length !== undefined && Number(length) !== sentLast - sentFirst + 1) return undefined;
  return {
    first: sentFirst,
    last: sentLast,
    totalBytes,
    etag: headers.etag,
    lastModified: headers['last-modified'],
  };
}
