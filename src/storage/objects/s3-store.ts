/** An object store with the interface of Amazon S3. */

import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { allSettled } from '../../lib/async/all-settled.ts';
import { createHasher } from '../blobs/hash-thread.ts';
import { type ObjectContent, ObjectMissing, type ObjectStore, type PartUpload, type PutObjectOptions } from './port.ts';
import { readPart } from './read-part.ts';
import {
  INCOMPLETE,
  type ObjectRequest,
  ObjectRequests,
  ObjectStoreError,
  type ObjectStoreOptions,
  readElement,
  requireMissingObject,
  throwErrorDocument,
} from './send-request.ts';

/** Stores accept no smaller parts than 5 MiB. Larger ones need more memory and are repeated after a failure. */
const PART_BYTES = 8 * 1024 * 1024;

/** Stores accept 10,000 parts. */
const MAX_PARTS = 9_000;

/** Two parts keep a connection busy while the next part is read and hashed. */
const PARTS_AT_ONCE = 2;

export class S3Store implements ObjectStore {
  readonly shown: string;
  readonly #requests: ObjectRequests;
  readonly partBytes: number;
  readonly maxParts = MAX_PARTS;

  constructor(options: ObjectStoreOptions) {
    this.partBytes = options.partBytes ?? PART_BYTES;
    this.shown = options.location.shown;
    this.#requests = new ObjectRequests(options);
  }

  async put(key: string, content: ObjectContent, { onUpload }: PutObjectOptions = {}): Promise<void> {
    if (content.kind === 'bytes') {
      await this.#putBytes(key, content.bytes, content.hash);
      return;
    }
    const handle = await open(content.file);
    try {
      if (content.bytes <= this.partBytes) {
        await this.#putBytes(key, await readPart(handle, Buffer.allocUnsafe(content.bytes), 0), content.hash);
      } else {
        await this.#putParts(key, handle, content.bytes, onUpload);
      }
    } finally {
      await handle.close();
    }
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    const request: ObjectRequest = { method: 'PUT', key, body: bytes, headers: { 'if-none-match': '*' } };
    // 409: another conditional write of the same key is in progress.
    const { status } = await this.#requests.exchange(request, [200, 201, 204, 409, 412]);
    return status < 300;
  }

  async readSmall(key: string): Promise<Buffer | undefined> {
    const { status, text } = await this.#requests.exchange({ method: 'GET', key }, [200, 404]);
    if (status === 200) return Buffer.from(text);
    try {
      requireMissingObject(text);
    } catch (error) {
      throw this.#requests.toProblem(error);
    }
    return undefined;
  }

  async *read(key: string, bytes: number): AsyncGenerator<Buffer> {
    let received = 0;
    for (let attempt = 1; received < bytes || bytes === 0; ) {
      const response = await this.#openFrom(key, received);
      const before = received;
      try {
        for await (const piece of response as AsyncIterable<Buffer>) {
          received += piece.length;
          if (received > bytes) throw new ObjectStoreError(`the object has more than ${bytes} bytes`, 200, undefined);
          yield piece;
        }
        if (bytes === 0) return;
        if (received < bytes) {
          throw Object.assign(new Error(`the response ended after ${received} of ${bytes} bytes`), {
            code: 'ECONNRESET',
          });
        }
      } catch (error) {
        attempt = received > before ? 1 : attempt + 1;
        const isLast = attempt > this.#requests.attempts || error instanceof ObjectStoreError;
        if (isLast || this.#requests.toProblem(error) === error) throw this.#requests.toProblem(error);
        await this.#requests.pause(attempt);
      } finally {
        response.destroy();
      }
    }
  }

  async delete(key: string): Promise<void> {
    await this.#requests.exchange({ method: 'DELETE', key }, [200, 202, 204, 404]);
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    // Stores without this operation (405, 501) delete unfinished uploads by a rule of the bucket.
    await this.#requests.exchange({ method: 'DELETE', key, query: { uploadId } }, [200, 204, 404, 405, 501]);
  }

  close(): void {
    this.#requests.close();
  }

  async #openFrom(key: string, start: number): Promise<IncomingMessage> {
    const headers: Record<string, string> = start === 0 ? {} : { range: `bytes=${start}-` };
    const response = await this.#requests.send({ method: 'GET', key, headers }, [start === 0 ? 200 : 206, 404]);
    if (response.statusCode !== 404) return response;
    response.destroy();
    throw new ObjectMissing(key);
  }

  async #putBytes(key: string, body: Uint8Array, bodyHash: string): Promise<void> {
    await this.#requests.repeat(async () => {
      await this.#requests.exchangeOnce({ method: 'PUT', key, body, bodyHash }, [200, 201, 204]);
      await this.#confirm(key, body.length);
    });
  }

  /** Detects a store, or a proxy before it, that acknowledged fewer bytes. */
  async #confirm(key: string, bytes: number): Promise<void> {
    const { status, headers } = await this.#requests.exchangeOnce({ method: 'HEAD', key }, [200, 404]);
    const found = status === 404 ? undefined : Number(headers['content-length']);
    if (found !== bytes) {
      throw new ObjectStoreError(`the store confirmed ${found ?? 'no'} bytes of ${bytes}`, status, INCOMPLETE);
    }
  }

  async #putParts(
    key: string,
    handle: FileHandle,
    bytes: number,
    onUpload: PutObjectOptions['onUpload'],
  ): Promise<void> {
    const upload = await this.beginParts(key);
    const { uploadId } = upload;
    try {
      await onUpload?.(uploadId);
      await this.#sendParts(upload, handle, bytes);
      await upload.complete(bytes);
    } catch (error) {
      // The collector aborts what cannot be aborted now.
      await this.abortUpload(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  async beginParts(key: string): Promise<PartUpload> {
    const { text } = await this.#requests.exchange({ method: 'POST', key, query: { uploads: '' } }, [200]);
    const uploadId = readElement(text, 'UploadId');
    if (uploadId === undefined || uploadId === '') {
      throw this.#requests.toProblem(new ObjectStoreError('the store started no upload', 200, undefined));
    }
    /** The entity tags of the parts in order. */
    const tags: string[] = [];
    return {
      uploadId,
      send: async (part, body, hash, signal) => {
        tags[part - 1] = await this.#sendPart({ key, uploadId, part, body, hash, signal });
      },
      complete: (bytes) => this.#complete(key, uploadId, tags, bytes),
    };
  }

  async #sendParts(upload: PartUpload, handle: FileHandle, bytes: number): Promise<void> {
    const partBytes = Math.max(this.partBytes, Math.ceil(bytes / MAX_PARTS));
    const parts = Math.ceil(bytes / partBytes);
    let next = 0;
    let hasFailed = false;
    /** Each lane has one buffer, which bounds the memory. */
    const runLane = async () => {
      const buffer = Buffer.allocUnsafeSlow(Math.min(partBytes, bytes));
      while (next < parts && !hasFailed) {
        const part = next;
        next += 1;
        const start = part * partBytes;
        const body = await readPart(handle, buffer.subarray(0, Math.min(partBytes, bytes - start)), start);
        await upload.send(part + 1, body, await hashPart(body));
      }
    };
    await allSettled(
      Array.from({ length: Math.min(PARTS_AT_ONCE, parts) }, () =>
        runLane().catch((error: unknown) => {
          hasFailed = true;
          throw error;
        }),
      ),
    );
  }

  #sendPart({ key, uploadId, part, body, hash, signal }: Part): Promise<string> {
    const query = { partNumber: String(part), uploadId };
    const request: ObjectRequest = { method: 'PUT', key, query, body, bodyHash: hash, ...(signal && { signal }) };
    return this.#requests.repeat(async () => {
      signal?.throwIfAborted();
      const { headers } = await this.#requests.exchangeOnce(request, [200]);
      if (headers.etag === undefined) throw new ObjectStoreError(`part ${part} has no ETag`, 200, 'InternalError');
      return headers.etag;
    });
  }

  async #complete(key: string, uploadId: string, tags: readonly string[], bytes: number): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeTag(tag)}</ETag></Part>`,
    );
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    );
    const request: ObjectRequest = { method: 'POST', key, query: { uploadId }, body };
    await this.#requests.repeat(async () => {
      try {
        throwErrorDocument(request, await this.#requests.exchangeOnce(request, [200]));
      } catch (error) {
        // If the response to the first attempt was lost, a further one finds no upload. No other upload has the key.
        if (!(await this.#isConfirmed(key, bytes))) throw error;
      }
    });
    await this.#requests.repeat(() => this.#confirm(key, bytes));
  }

  #isConfirmed(key: string, bytes: number): Promise<boolean> {
    return this.#confirm(key, bytes).then(
      () => true,
      () => false,
    );
  }
}

interface Part {
  readonly key: string;
  readonly uploadId: string;
  readonly part: number;
  readonly body: Uint8Array;
  readonly hash: string;
  readonly signal: AbortSignal | undefined;
}

function escapeTag(tag: string): string {
  return tag.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function hashPart(bytes: Uint8Array): Promise<string> {
  const hasher = createHasher(bytes.length);
  await hasher.update(bytes);
  return (await hasher.digest()).hash;
}
