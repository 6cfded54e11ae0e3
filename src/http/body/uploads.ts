/** Streams a body of any type and size to a file with constant memory. */
import { type FileHandle, open } from 'node:fs/promises';
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { freeBuffers } from '../../lib/async/free-buffers.ts';
import { WriteBehind } from '../../lib/async/write-behind.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import { readBodyBytes, readBodyPieces } from './body-bytes.ts';

/** An unread body. Call exactly one of the three methods, once. */
export interface Upload {
  /** The declared type in lower case, without parameters; undefined if none is declared. */
  readonly mediaType: string | undefined;
  /** The Content-Type header, including parameters. */
  readonly contentType: string;
  /** Writes the body to a new file and returns its size. The file is not synced yet; publishing syncs it. */
  saveTo(file: string, options?: SaveBodyOptions): Promise<number>;
  /** Reads the whole body, for small content. */
  bytes(maxBytes: number): Promise<Buffer>;
  /** Reads the trimmed text, for bodies that only contain a name. */
  text(): Promise<string>;
}

export interface SaveBodyOptions {
  readonly maxBytes?: number;
  /** Called with the number of bytes that are in the file so far. */
  readonly onWritten?: ((bytes: number) => void) | undefined;
}

export interface UploadLimits {
  readonly maxUploadBytes: number;
}

/** The body is a URL or a path, with room for some blank lines. */
const MAX_TEXT_BYTES = 65_536;

/** Chunks arrive in 64 KiB; combining them needs a sixteenth of the system calls. */
const WRITE_BYTES = 1_048_576;

export function createUpload(stream: Readable, headers: IncomingHttpHeaders, limits: UploadLimits): Upload {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  return {
    mediaType: mediaType === '' ? undefined : mediaType,
    contentType: headers['content-type'] ?? '',
    bytes(maxBytes) {
      return readBodyBytes(stream, headers, Math.min(maxBytes, limits.maxUploadBytes));
    },
    async saveTo(file, { maxBytes = limits.maxUploadBytes, onWritten } = {}) {
      const handle = await open(file, 'wx', 0o600);
      try {
        const pieces = readBodyPieces(stream, headers, Math.min(maxBytes, limits.maxUploadBytes));
        // Node passes the buffers of a connection to their reader only. Those of other streams may be used again.
        const free = stream instanceof IncomingMessage ? freeBuffers : () => undefined;
        return await writePieces(pieces, handle, { onWritten, free });
      } finally {
        await handle.close();
      }
    },
    async text() {
      const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(headers['content-type'] ?? '')?.[1];
      return decodeText(await readBodyBytes(stream, headers, MAX_TEXT_BYTES), charset, false).trim();
    },
  };
}

async function writePieces(
  pieces: AsyncIterable<Buffer>,
  handle: FileHandle,
  { onWritten, free }: Pick<SaveBodyOptions, 'onWritten'> & { readonly free: (pieces: readonly Buffer[]) => void },
): Promise<number> {
  const output = new WriteBehind(handle);
  let size = 0;
  let sent: readonly Buffer[] = [];
  let sentBytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  try {
    for await (const piece of pieces) {
      size += piece.length;
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes >= WRITE_BYTES) {
        // Resolves when the previous pieces are written.
        await output.write(waiting);
        free(sent);
        onWritten?.(sentBytes);
        sent = waiting;
        sentBytes = size;
        waiting = [];
        waitingBytes = 0;
      }
    }
    await output.write(waiting);
    await output.end();
    onWritten?.(size);
    return size;
  } finally {
    await output.end().catch(() => {});
  }
}
