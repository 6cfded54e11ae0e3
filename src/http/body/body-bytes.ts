/** Reads the bytes of a body within a limit, as a stream or at once. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { problem } from '../../lib/problems/problem.ts';
import { WholeBody } from './whole-body.ts';

export async function* readBodyPieces(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limitBytes: number,
): AsyncGenerator<Buffer> {
  checkBodyHeaders(headers, limitBytes);
  let size = 0;
  try {
    // Keep the stream open: the rest of a rejected body must be drained, or the client never reads the response. Node
    // drains it.
    for await (const piece of stream.iterator({ destroyOnReturn: false })) {
      size += piece.length;
      if (size > limitBytes) {
        throw problem('body-too-large', { limitBytes });
      }
      yield piece;
    }
  } catch (error) {
    // The client disconnected, which is not a server error.
    throw error instanceof Error && 'code' in error && disconnectCodes.has(error.code)
      ? problem('body-incomplete', {})
      : error;
  }
}

/** Of HTTP/1.1 and HTTP/2. */
const disconnectCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Do not trust a declared length beyond this size. */
const MAX_PREALLOCATED_BYTES = 1_048_576;

export async function readBodyBytes(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limitBytes: number,
): Promise<Buffer> {
  checkBodyHeaders(headers, limitBytes);
  // Streaming bytes that are already in memory would take longer than processing them.
  return stream instanceof WholeBody
    ? checkBodySize(stream.bytes, limitBytes)
    : collectPieces(
        readBodyPieces(stream, headers, limitBytes),
        Math.min(Number(headers['content-length'] ?? 0), MAX_PREALLOCATED_BYTES),
      );
}

function checkBodySize(bytes: Buffer, limitBytes: number): Buffer {
  if (bytes.length > limitBytes) {
    throw problem('body-too-large', { limitBytes });
  }
  return bytes;
}

function checkBodyHeaders(headers: IncomingHttpHeaders, limitBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > limitBytes) {
    throw problem('body-too-large', { limitBytes });
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== '' && encoding !== 'identity') {
    throw problem('body-encoding-unknown', { found: encoding });
  }
}

/** Allocates the declared length up front, so that nothing is copied. */
async function collectPieces(stream: AsyncIterable<Buffer>, expectedBytes: number): Promise<Buffer> {
  let all = Buffer.allocUnsafeSlow(expectedBytes);
  let size = 0;
  for await (const piece of stream) {
    if (size + piece.length > all.length) {
      all = Buffer.concat([all.subarray(0, size)], Math.max(2 * all.length, size + piece.length));
    }
    piece.copy(all, size);
    size += piece.length;
  }
  return all.subarray(0, size);
}
