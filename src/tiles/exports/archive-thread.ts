/** Writes an archive in a thread of its own, and waits while more tiles arrive than it can write. */
import { Worker } from 'node:worker_threads';
import { attachCause, findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ArchiveSummary } from '../../lib/tile-archive/archive-file.ts';
import type { TilePosition } from '../../lib/tile-archive/tile-id.ts';
import type { ArchiveOrder, ArchiveReply, ArchiveRequest } from './archive-messages.ts';

/** Tiles that wait for the thread are in memory. A tile has some 20 KB, and at most some megabytes. */
const MAX_IN_FLIGHT_BYTES = 8_388_608;

/** Directories of 10,000,000 tiles take some 60 MB, and the hashes of 100,000 tiles some 20 MB. */
const MAX_HEAP_MB = 256;

export class ArchiveThread {
  readonly #worker: Worker;
  readonly #finished = Promise.withResolvers<void>();
  #inFlightBytes = 0;
  #room: PromiseWithResolvers<void> | undefined;
  #failure: Error | undefined;
  #bytes = 0;

  constructor(order: ArchiveOrder) {
    // The worker is in the same folder. Its extension differs after the build.
    const program = new URL(import.meta.url.replace(/archive-thread(\.\w+)$/, 'archive-thread-worker$1'));
    this.#worker = new Worker(program, {
      workerData: order,
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#finished.promise.catch(() => undefined);
    this.#worker.on('message', (reply: ArchiveReply) => this.#read(reply));
    this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#fail(new Error('The thread that writes the archive has ended.')));
  }

  /** The size of the archive so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when the next tile can be added. */
  async add(position: TilePosition, bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#inFlightBytes += bytes.length;
    // The bytes are copied, because the tile cache may have them too.
    this.#post({ kind: 'tile', position, bytes });
    if (this.#inFlightBytes <= MAX_IN_FLIGHT_BYTES) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  /** Resolves when the archive is complete. */
  async finish(summary: ArchiveSummary): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#post({ kind: 'finish', summary });
    await this.#finished.promise;
  }

  /** Ends the thread; the archive is incomplete unless it is finished. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(request: ArchiveRequest): void {
    this.#worker.postMessage(request);
  }

  #read(reply: ArchiveReply): void {
    if (reply.kind === 'finished') {
      this.#finished.resolve();
      return;
    }
    if (reply.kind === 'failed') {
      this.#fail(toError(reply));
      return;
    }
    this.#bytes = reply.archiveBytes;
    this.#inFlightBytes -= reply.tileBytes;
    if (this.#inFlightBytes > MAX_IN_FLIGHT_BYTES / 2) return;
    this.#room?.resolve();
    this.#room = undefined;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#room?.promise.catch(() => undefined);
    this.#room?.reject(this.#failure);
    this.#room = undefined;
    this.#finished.reject(this.#failure);
  }
}

/** SQLite reports a full disk with a message of its own. */
function toError({ message, code }: Extract<ArchiveReply, { readonly kind: 'failed' }>): Error {
  const error = Object.assign(new Error(message), { code });
  if (/database or disk is full/.test(message)) return attachCause(problem('storage-full', {}), error);
  return findDiskProblem(error) ?? error;
}
