/**
 * Tile exports: jobs that write the tiles of a layer to an archive. Any node takes a pending export and holds a claim
 * while it draws. If the node dies, its claim expires, and another node, or the same after its restart, begins again.
 * Each node works on one export at a time, so that requests of users take precedence.
 */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Fence } from '../../lib/async/fence.ts';
import type { ReadableFile } from '../../lib/files/readable-file.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import {
  type ExportJob,
  type ExportOrder,
  type ExportProgress,
  type ExportStatus,
  formatArchiveName,
  isUnfinished,
  pendingExport,
} from './export-job.ts';
import { type ExportNotes, ExportRecords, MAX_EXPORTS } from './export-notes.ts';
import { orderExports } from './order-exports.ts';
import { checkSize, type DrawExportedTile, type ExportCounts, noTiles, writeExport } from './write-export.ts';

/** The exports, for clients. */
export interface TileExports {
  /** Returns a new export, which is not added yet. Throws a Problem if there is no space for another. */
  prepare(order: ExportOrder): Promise<ExportJob>;
  /** Throws a Problem if there are too many exports. */
  add(job: ExportJob): Promise<void>;
  /** In the order of their creation. */
  list(): Promise<readonly ExportStatus[]>;
  find(id: string): Promise<ExportStatus | undefined>;
  /** Stops a pending or running export on its node. */
  cancel(id: string): Promise<void>;
  /** Begins a failed or cancelled export again. */
  restart(id: string): Promise<void>;
  /** Stops an export, and deletes it with its archive. */
  remove(id: string): Promise<void>;
  open(status: ExportStatus): Promise<OpenArchive>;
}

export interface OpenArchive {
  readonly file: ReadableFile;
  readonly sizeBytes: number;
}

/** A claim that expires with its node. */
interface ExportClaim {
  readonly fence: Fence | undefined;
  renew(forMs: number): Promise<boolean>;
  release(): Promise<void>;
}

/** The files of the storage, which all nodes read. */
export interface ExportFiles {
  createStaging(): Promise<{ readonly path: string; discard(): Promise<void> }>;
  /**
   * Stores a file, and calls `record` with its file set before it can be collected. If `record` throws, the file is
   * deleted.
   */
  store(file: StagedArchive, record: (fileSet: string) => Promise<void>): Promise<void>;
  /** Throws a Problem if the bytes do not exist any more. */
  open(fileSet: string, name: string): Promise<OpenArchive>;
  /** Deletes an archive that no other export has. */
  remove(fileSet: string): Promise<void>;
}

export interface StagedArchive {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

export interface ExportTimes {
  /** How long the export of a dead node waits for another one. */
  readonly claimMs: number;
  readonly renewMs: number;
  /** The interval at which a node records its progress and notices a cancellation. */
  readonly progressMs: number;
  /** How long ended exports and their archives are kept. */
  readonly keepMs: number;
}

export interface TileExportsOptions {
  readonly notes: ExportNotes & { watch(listener: () => void): () => void };
  readonly claims: { claim(what: string, forMs: number): Promise<ExportClaim | undefined> };
  readonly files: ExportFiles;
  readonly clock: () => number;
  /** The maximum size of all archives, and that of one. */
  readonly maxTotalBytes: number;
  readonly maxArchiveBytes: number;
  readonly times: ExportTimes;
  readonly onEnd: (job: ExportJob, progress: ExportProgress) => void;
  readonly onError: (reason: unknown) => void;
}

/** A job that ended its node repeatedly would do so again. */
const MAX_ATTEMPTS = 3;

/** Exports are kept for days. */
const DELETION_MS = 3_600_000;

/** Unguessable, and unique without a list of former ids. */
const ID_BYTES = 8;

/** The error of an export that was cancelled or deleted, or continues on another node. */
class ExportStopped extends Error {
  override readonly name = 'ExportStopped';
}

/** The exports of this node. */
export class TileExportsNode implements TileExports {
  readonly #options: TileExportsOptions;
  readonly #records: ExportRecords;
  readonly #closed = new AbortController();
  #draw: DrawExportedTile | undefined;
  #end: (() => void)[] = [];
  #hasUnfinished = false;
  #isRefreshRequested = false;
  #working: Promise<void> | undefined;
  #stopCurrent: { readonly id: string; readonly stop: AbortController } | undefined;

  constructor(options: TileExportsOptions) {
    this.#options = options;
    this.#records = new ExportRecords(options.notes);
  }

  async prepare(order: ExportOrder): Promise<ExportJob> {
    const { clock, maxTotalBytes } = this.#options;
    await this.#deleteOld();
    const { length } = await this.#records.list();
    if (length >= MAX_EXPORTS) throw problem('tile-exports-too-many', { limit: MAX_EXPORTS });
    if ((await this.#countStoredBytes()) >= maxTotalBytes) {
      throw problem('tile-exports-full', { limitBytes: maxTotalBytes });
    }
    return { ...order, id: randomBytes(ID_BYTES).toString('hex'), createdAtMs: clock() };
  }

  async add(job: ExportJob): Promise<void> {
    if (!(await this.#records.add(job))) throw problem('tile-exports-too-many', { limit: MAX_EXPORTS });
    this.#refresh();
  }

  async list(): Promise<readonly ExportStatus[]> {
    const statuses: ExportStatus[] = [];
    for (const job of await this.#records.list()) {
      const progress = await this.#records.readProgress(job.id);
      if (progress !== undefined) statuses.push(this.#toStatus(job, progress));
    }
    return statuses;
  }

  async find(id: string): Promise<ExportStatus | undefined> {
    const job = (await this.#records.list()).find((each) => each.id === id);
    const progress = job && (await this.#records.readProgress(id));
    return job && progress && this.#toStatus(job, progress);
  }

  #toStatus(job: ExportJob, progress: ExportProgress): ExportStatus {
    const { finishedAtMs } = progress;
    const expiry = finishedAtMs === undefined ? {} : { expiresAtMs: finishedAtMs + this.#options.times.keepMs };
    return { job, ...progress, ...expiry };
  }

  async cancel(id: string): Promise<void> {
    const finishedAtMs = this.#options.clock();
    await this.#records.update(id, (progress) =>
      isUnfinished(progress) ? { ...progress, state: 'cancelled', finishedAtMs } : undefined,
    );
    this.#stopLocally(id);
  }

  async restart(id: string): Promise<void> {
    const change = ({ state }: ExportProgress) =>
      state === 'failed' || state === 'cancelled' ? pendingExport : undefined;
    if (await this.#records.update(id, change)) await this.#records.announceRestart(id);
    this.#refresh();
  }

  async remove(id: string): Promise<void> {
    const found = await this.find(id);
    await this.#records.remove(id);
    this.#stopLocally(id);
    if (found?.fileSet !== undefined) await this.#options.files.remove(found.fileSet);
  }

  async open({ job, fileSet = '' }: ExportStatus): Promise<OpenArchive> {
    return this.#options.files.open(fileSet, formatArchiveName(job));
  }

  /** Starts the work of this node. */
  startWorking(draw: DrawExportedTile): void {
    this.#draw = draw;
    const { notes, times } = this.#options;
    const takeOver = setInterval(() => {
      if (this.#hasUnfinished) this.#refresh();
    }, times.renewMs).unref();
    const deletion = setInterval(() => {
      this.#deleteOld().catch(this.#options.onError);
    }, DELETION_MS).unref();
    this.#end = [notes.watch(() => this.#refresh()), () => clearInterval(takeOver), () => clearInterval(deletion)];
    this.#refresh();
  }

  async close(): Promise<void> {
    this.#closed.abort(new ExportStopped('The server is closing'));
    for (const each of this.#end) each();
    await this.#working;
  }

  #stopLocally(id: string): void {
    if (this.#stopCurrent?.id === id) this.#stopCurrent.stop.abort(new ExportStopped('The export was stopped'));
  }

  /** Works until no export is left for this node. A call meanwhile makes it look for work again. */
  #refresh(): void {
    this.#isRefreshRequested = true;
    if (this.#draw === undefined || this.#working !== undefined) return;
    this.#working = this.#work(this.#draw).finally(() => {
      this.#working = undefined;
    });
  }

  async #work(draw: DrawExportedTile): Promise<void> {
    while (this.#isRefreshRequested && !this.#closed.signal.aborted) {
      this.#isRefreshRequested = false;
      const hasRun = await this.#runNext(draw).catch((reason: unknown) => {
        this.#options.onError(reason);
        return false;
      });
      this.#isRefreshRequested ||= hasRun;
    }
  }

  /** Returns whether this node has worked on an export. */
  async #runNext(draw: DrawExportedTile): Promise<boolean> {
    const unfinished = orderExports(await this.list());
    this.#hasUnfinished = unfinished.length > 0;
    for (const { job } of unfinished) {
      if (this.#closed.signal.aborted) return false;
      const claim = await this.#options.claims.claim(`tile export ${job.id}`, this.#options.times.claimMs);
      if (claim === undefined) continue;
      try {
        if (await this.#run(job, claim, draw)) return true;
      } finally {
        await claim.release().catch(() => undefined);
      }
    }
    return false;
  }

  /** Returns false if the export has ended meanwhile. */
  async #run(job: ExportJob, claim: ExportClaim, draw: DrawExportedTile): Promise<boolean> {
    if (!(await this.#begin(job, claim))) return false;
    const stop = new AbortController();
    this.#stopCurrent = { id: job.id, stop };
    let counts = noTiles;
    const { times } = this.#options;
    const renewal = setInterval(async () => {
      const isHeld = await claim.renew(times.claimMs).catch(() => true);
      if (!isHeld) stop.abort(new ExportStopped('Another node has taken over'));
    }, times.renewMs).unref();
    const recording = setInterval(async () => {
      const isOurs = await this.#record(job, claim, counts).catch(() => true);
      if (!isOurs) stop.abort(new ExportStopped('The export was stopped'));
    }, times.progressMs).unref();
    try {
      await this.#export(job, claim, {
        draw,
        signal: AbortSignal.any([stop.signal, this.#closed.signal]),
        report: (now) => {
          counts = now;
        },
      });
    } catch (reason) {
      await this.#recordFailure(job, claim, stop.signal.aborted ? stop.signal.reason : reason, counts);
    } finally {
      this.#stopCurrent = undefined;
      clearInterval(renewal);
      clearInterval(recording);
    }
    return true;
  }

  /** Returns false if the export must not be drawn. */
  async #begin({ id }: ExportJob, { fence }: ExportClaim): Promise<boolean> {
    const startedAtMs = this.#options.clock();
    let canBegin = false;
    const change = (before: ExportProgress): ExportProgress | undefined => {
      canBegin = isUnfinished(before) && before.attempts < MAX_ATTEMPTS;
      if (!isUnfinished(before)) return undefined;
      if (canBegin) return { ...pendingExport, state: 'running', attempts: before.attempts + 1, startedAtMs };
      const { message } = problem('tile-export-interrupted', { attempts: before.attempts });
      return { ...before, state: 'failed', finishedAtMs: startedAtMs, problem: message };
    };
    return (await this.#records.update(id, change, fence)) && canBegin;
  }

  /** Returns false if the export was stopped. */
  #record({ id }: ExportJob, { fence }: ExportClaim, counts: ExportCounts): Promise<boolean> {
    return this.#records.update(
      id,
      (progress) => (progress.state === 'running' ? { ...progress, ...counts } : undefined),
      fence,
    );
  }

  async #export(
    job: ExportJob,
    claim: ExportClaim,
    { draw, signal, report }: Pick<Parameters<typeof writeExport>[0], 'draw' | 'signal' | 'report'>,
  ): Promise<void> {
    const { files, times, clock, onEnd } = this.#options;
    const maxBytes = await this.#computeLimit();
    const name = formatArchiveName(job);
    const staging = await files.createStaging();
    let counts = noTiles;
    try {
      const path = `${staging.path}/${name}`;
      await writeExport({
        ...{ job, path, maxBytes, draw, signal, retryMs: times.progressMs },
        isStorageReadable: () => this.#isStorageReadable(),
        report: (now) => {
          counts = now;
          report(now);
        },
      });
      const { size } = await stat(path);
      // Another node can have finished an export meanwhile.
      checkSize(size, await this.#computeLimit());
      signal.throwIfAborted();
      await files.store({ path, name, bytes: size }, async (fileSet) => {
        const finished = { ...counts, state: 'finished', bytes: size, finishedAtMs: clock(), fileSet } as const;
        const change = (before: ExportProgress) =>
          before.state === 'running' ? { ...before, ...finished } : undefined;
        if (!(await this.#records.update(job.id, change, claim.fence))) throw new ExportStopped('It was stopped');
        onEnd(job, { attempts: 0, ...finished });
      });
    } finally {
      await staging.discard();
    }
  }

  #isStorageReadable(): Promise<boolean> {
    return this.#records.list().then(
      () => true,
      () => false,
    );
  }

  async #recordFailure(job: ExportJob, claim: ExportClaim, reason: unknown, counts: ExportCounts): Promise<void> {
    const { clock, onError, onEnd } = this.#options;
    const change = (before: ExportProgress): ExportProgress | undefined => {
      if (before.state !== 'running') return undefined;
      // Another node, or the next start, begins again at once. This was not a failed attempt.
      if (this.#closed.signal.aborted) return { ...pendingExport, attempts: before.attempts - 1 };
      if (reason instanceof ExportStopped) return undefined;
      const { message } = reason instanceof Problem ? reason : problem('tile-export-broken', {});
      return { ...before, ...counts, state: 'failed', finishedAtMs: clock(), problem: message };
    };
    const isExpected = reason instanceof Problem || reason instanceof ExportStopped || this.#closed.signal.aborted;
    if (!isExpected) onError(reason);
    if (!(await this.#records.update(job.id, change, claim.fence).catch(() => false))) return;
    const progress = await this.#records.readProgress(job.id);
    if (progress?.state === 'failed') onEnd(job, progress);
  }

  /** The maximum size of an archive beside the stored ones. */
  async #computeLimit(): Promise<number> {
    const { maxArchiveBytes, maxTotalBytes } = this.#options;
    return Math.max(0, Math.min(maxArchiveBytes, maxTotalBytes - (await this.#countStoredBytes())));
  }

  async #countStoredBytes(): Promise<number> {
    return (await this.list()).reduce((sum, { fileSet, bytes }) => sum + (fileSet === undefined ? 0 : bytes), 0);
  }

  /** Deletes exports that ended a long time ago. */
  async #deleteOld(): Promise<void> {
    await this.#records.deleteLeftovers();
    const nowMs = this.#options.clock();
    for (const { job, expiresAtMs } of await this.list()) {
      if (expiresAtMs !== undefined && expiresAtMs < nowMs) await this.remove(job.id);
    }
  }
}
