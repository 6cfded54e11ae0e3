/** Sends bytes while they are produced, as fast as the client reads, and stops when the client disconnects. */
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { sendReply } from '../response/reply.ts';
import { PIECE_CHARACTERS, type SendFailure, type StreamHead, sendPiece } from '../response/send.ts';

/** Throws errors that happen before the first byte. */
export async function sendStream(
  head: StreamHead,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<SendFailure | undefined> {
  const { reply, status, headers } = head;
  const { raw } = reply;
  const waiting = new PieceBuffer();
  try {
    for await (const piece of pieces) {
      waiting.add(piece);
      if (waiting.size < PIECE_CHARACTERS) {
        continue;
      }
      await sendPiece(head, waiting.flush());
      if (raw.destroyed || raw.writableEnded) {
        return undefined;
      }
    }
  } catch (error) {
    if (!raw.headersSent) {
      throw error;
    }
    return { reason: error };
  }
  if (!raw.headersSent) {
    // The body fits into one chunk.
    sendReply(reply, status, headers, waiting.flush());
  } else if (!raw.destroyed) {
    raw.end(waiting.flush());
  }
  return undefined;
}

/** Combines chunks that are too small to send one by one. */
class PieceBuffer {
  #text = '';
  #bytes: Uint8Array[] = [];
  size = 0;

  add(piece: string | Uint8Array): void {
    this.size += piece.length;
    if (typeof piece === 'string') {
      this.#text += piece;
      return;
    }
    this.#endText();
    this.#bytes.push(piece);
  }

  flush(): Buffer {
    this.#endText();
    const [only] = this.#bytes;
    // Usually there is one large chunk, which is not copied.
    const all =
      only !== undefined && this.#bytes.length === 1
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(this.#bytes);
    this.#bytes = [];
    this.size = 0;
    return all;
  }

  #endText(): void {
    if (this.#text !== '') {
      this.#bytes.push(Buffer.from(this.#text));
      this.#text = '';
    }
  }
}

/** Features compress tenfold at any level, and the lowest level takes a third of the time of the default. */
const STREAM_LEVEL = 1;

/** Compresses the bytes in another thread. */
export async function* compressStream(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: STREAM_LEVEL });
  // The pipeline ends both streams together; the reader gets the error.
  pipeline(Readable.from(joinPieces(pieces)), gzip, () => undefined);
  yield* gzip as AsyncIterable<Uint8Array>;
}

/** Combines small chunks, because the overhead of the other thread is per chunk. */
async function* joinPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  const waiting = new PieceBuffer();
  for await (const piece of pieces) {
    waiting.add(piece);
    if (waiting.size >= PIECE_CHARACTERS) {
      yield waiting.flush();
    }
  }
  yield waiting.flush();
}
