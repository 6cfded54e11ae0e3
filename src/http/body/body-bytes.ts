/** The bytes of a body, within a limit, as they arrive or all together. */
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
    // What is left of a body we refuse must still be read, or the client never gets to hear why: Node does so afterwards.
    for await (const piece of stream.iterator({ destroyOnReturn: false })) {
      size += piece.length;
      if (size > limitBytes) {
        throw problem('body-too-large', { limitBytes });
      }
      yield piece;
    }
  } catch (error) {
    // The client went away in the middle: its doing, not a failure of ours.
    throw error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
      ? problem('body-incomplete', {})
      : error;
  }
}

/** Who says that more will come has to send it first. */
const MAX_PREALLOCATED_BYTES = 1_048_576;

export async function readBodyBytes(
  stream: Readable,
  headers: IncomingHttpHeaders,
  limitBytes: number,
): Promise<Buffer> {
  checkBodyHeaders(headers, limitBytes);
  // Read as a stream, what is there already would take longer than all that becomes of it.
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

/** Where it is known how much there will be, nothing is held twice. */
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
