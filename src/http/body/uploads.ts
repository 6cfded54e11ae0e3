/** A body of any kind and size -> a file, piece by piece: a gigabyte costs no more memory than a page. */
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { WriteBehind } from '../../lib/async/write-behind.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import { readBodyBytes, readBodyPieces } from './body-bytes.ts';

/** What a client sends, not read yet; exactly one of the three methods may be called, once. */
export interface Upload {
  /** As declared, without parameters, in lower case; undefined when nothing was declared. */
  readonly mediaType: string | undefined;
  /** The Content-Type as it was sent, parameters included. */
  readonly contentType: string;
  /** Writes the body to a new file, and gives its size. It may not be on the disk yet: what is kept is synced as it is published. */
  saveTo(file: string, maxBytes?: number): Promise<number>;
  /** The whole body, for contents that are always small. */
  bytes(maxBytes: number): Promise<Buffer>;
  /** The body as text without spaces around it, for those that only name something. */
  text(): Promise<string>;
}

export interface UploadLimits {
  readonly maxUploadBytes: number;
}

/** A body that names something is a URL or a path, with room for a few blank lines. */
const MAX_TEXT_BYTES = 65_536;

/** Pieces arrive in 64 KiB; written together they cost a sixteenth of the calls. */
const WRITE_BYTES = 1_048_576;

export function createUpload(stream: Readable, headers: IncomingHttpHeaders, limits: UploadLimits): Upload {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  return {
    mediaType: mediaType === '' ? undefined : mediaType,
    contentType: headers['content-type'] ?? '',
    bytes(maxBytes) {
      return readBodyBytes(stream, headers, Math.min(maxBytes, limits.maxUploadBytes));
    },
    async saveTo(file, maxBytes = limits.maxUploadBytes) {
      const handle = await open(file, 'wx', 0o600);
      try {
        return await writePieces(readBodyPieces(stream, headers, Math.min(maxBytes, limits.maxUploadBytes)), handle);
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

async function writePieces(pieces: AsyncIterable<Buffer>, handle: FileHandle): Promise<number> {
  const output = new WriteBehind(handle);
  let size = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  try {
    for await (const piece of pieces) {
      size += piece.length;
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes >= WRITE_BYTES) {
        await output.write(waiting);
        waiting = [];
        waitingBytes = 0;
      }
    }
    await output.write(waiting);
    await output.end();
    return size;
  } finally {
    await output.end().catch(() => {});
  }
}
