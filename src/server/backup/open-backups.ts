/** Runs backups in a thread. The server only passes their bytes on. */
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import { problem } from '../../lib/problems/problem.ts';
import { toStorageProblem } from '../../lib/problems/sqlite-problem.ts';
import type { BackupOptions, Backups, RunningBackup } from '../../operations/backup/backups.ts';
import type { Files } from '../../records/files/files.ts';
import type { Notes } from '../../storage/port/port.ts';
import { findBlobsDirectory, findObjectStore, type ObjectStoreSettings } from '../settings/file-storage.ts';
import type { Settings } from '../settings/settings.ts';
import { readVersion } from '../settings/version.ts';
import type { BackupBase, BackupMessage, BackupOrder } from './backup-order.ts';
import { ChunkReceiver, createChunkRing } from './chunk-ring.ts';
import { readChecksums, readObjectList, saveLists, saveNewChecksums } from './object-lists.ts';

export interface BackupsInput {
  readonly settings: Pick<Settings, 'dataDir'> & ObjectStoreSettings;
  readonly files: Pick<Files, 'createStaging' | 'holdDeletions' | 'takeNewChecksums' | 'waitUntilIdle'>;
  readonly notes: Pick<Notes, 'read' | 'listNames' | 'write'>;
  readonly clock: () => number;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** The thread needs memory for the list of objects. */
const MAX_HEAP_MB = 512;

/** Programs that edit a GeoPackage commit within seconds. */
const RETRY_SECONDS = 10;

export function openBackups(input: BackupsInput): Pick<Backups, 'start'> {
  let isRunning = false;
  return {
    async start(options) {
      if (isRunning) throw problem('backup-running', {});
      isRunning = true;
      return startBackup(input, options, () => {
        isRunning = false;
      });
    },
  };
}

/** Nothing that the state of the backup refers to is deleted until it ends. */
async function startBackup(input: BackupsInput, options: BackupOptions, ended: () => void): Promise<RunningBackup> {
  const { files, settings } = input;
  const releases: (() => Promise<unknown>)[] = [async () => ended()];
  let releasing: Promise<void> | undefined;
  const release = () => {
    releasing ??= (async () => {
      // The next start removes what cannot be removed now, and pins expire.
      for (const each of releases.toReversed()) await each().catch(() => undefined);
    })();
    return releasing;
  };
  try {
    const base = await findBase(input, options.since);
    releases.push(await files.holdDeletions());
    const staging = await files.createStaging('backup');
    releases.push(() => staging.discard());
    const createdAtMs = input.clock();
    await saveNewChecksums(input.notes, files.takeNewChecksums(), createdAtMs).catch(() => undefined);
    const { checksums: known, newLists } = await readChecksums(input.notes);
    const thread = new BackupThread({
      ...createSource(input, options, staging.path),
      passphrase: options.passphrase,
      base,
      checksums: known,
      version: readVersion(),
      createdAt: new Date(createdAtMs).toISOString(),
      ring: createChunkRing(),
    });
    releases.push(() => thread.end());
    options.signal.addEventListener('abort', () => void release(), { once: true });
    options.signal.throwIfAborted();
    await thread.waitUntilOpened();
    // Small files that the state refers to get their own files.
    if (settings.storage === undefined) await files.waitUntilIdle();
    // A backup on a full disk is complete without its lists. It cannot be continued.
    let damagedFiles: readonly string[] = [];
    const save = ({ id, objects, checksums, damaged, omitted }: FinishedBackup) => {
      damagedFiles = damaged;
      if (damaged.length > 0) input.logger.warn({ id, files: damaged }, 'a backup contains damaged files');
      if (omitted.length > 0) {
        input.logger.warn({ id, files: omitted }, 'a backup lacks files whose names are not valid UTF-8');
      }
      return saveLists(input.notes, { id, atMs: createdAtMs, objects, checksums }, newLists).catch(() => undefined);
    };
    return { pieces: passOn(thread, save, release), listDamaged: () => damagedFiles };
  } catch (error) {
    await release();
    throw error;
  }
}

async function findBase({ notes }: BackupsInput, since: string | undefined): Promise<BackupBase | undefined> {
  if (since === undefined) return undefined;
  const objects = await readObjectList(notes, since);
  if (objects === undefined) throw problem('backup-unknown', { id: since, field: 'since' });
  return { id: since, objects };
}

async function* passOn(
  thread: BackupThread,
  save: (finished: FinishedBackup) => Promise<void>,
  release: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    // Saved before the last bytes: a client that has them can continue the backup.
    yield* thread.readChunks(save);
  } finally {
    await release();
  }
}

function createSource(
  { settings }: BackupsInput,
  { includeTiles }: BackupOptions,
  staging: string,
): Pick<BackupOrder, 'source'> {
  const { dataDir, storage } = settings;
  return {
    source:
      storage === undefined
        ? { kind: 'directory', dataDir, staging, includeTiles }
        : {
            kind: 'postgres',
            place: storage,
            blobs: findBlobsDirectory(settings),
            objects: findObjectStore(settings),
          },
  };
}

type FinishedBackup = Extract<BackupMessage, { kind: 'done' }>;

class BackupThread {
  readonly #worker: Worker;
  readonly #receiver: ChunkReceiver;
  readonly #opened = Promise.withResolvers<void>();
  readonly #chunks: Uint8Array[] = [];
  #done: FinishedBackup | undefined;
  #failure: unknown;
  /** Resolves with the next message. */
  #changed = Promise.withResolvers<void>();

  constructor(order: BackupOrder) {
    // The worker is in the same folder. Its extension differs after the build.
    const program = new URL(import.meta.url.replace(/open-backups(\.\w+)$/, 'backup-worker$1'));
    this.#worker = new Worker(program, {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#receiver = new ChunkReceiver(order.ring);
    this.#opened.promise.catch(() => undefined);
    this.#worker.on('message', (message: BackupMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(toStorageProblem(error)));
    this.#worker.on('exit', () => this.#fail(new Error('The backup ended unexpectedly.')));
  }

  waitUntilOpened(): Promise<void> {
    return this.#opened.promise;
  }

  /** The last chunk waits for `save`. */
  async *readChunks(save: (finished: FinishedBackup) => Promise<void>): AsyncGenerator<Uint8Array> {
    this.#worker.postMessage('continue');
    for (;;) {
      while (this.#chunks.length > 1) yield* this.#takeChunk();
      if (this.#done !== undefined) break;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#changed.promise;
    }
    await save(this.#done);
    yield* this.#takeChunk();
  }

  /** The memory of a chunk is used again when the next chunk is requested. */
  *#takeChunk(): Generator<Uint8Array> {
    yield this.#chunks.shift() ?? new Uint8Array();
    this.#receiver.pass();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(message: BackupMessage): void {
    switch (message.kind) {
      case 'opened':
        this.#opened.resolve();
        break;
      case 'locked':
        this.#fail(problem('backup-file-locked', { path: message.path, retryAfterSeconds: RETRY_SECONDS }));
        break;
      case 'chunk':
        this.#chunks.push(this.#receiver.receive(message.bytes));
        break;
      case 'done':
        this.#done = message;
    }
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#opened.reject(error);
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
