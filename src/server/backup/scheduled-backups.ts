/**
 * Makes backups at scheduled times, keeps the newest ones, and records the results for metrics and the doctor. All nodes
 * share the record, and one of them makes the backup.
 */
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createFolder } from '../../lib/files/create-folder.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Backups, CompleteBackup, ScheduleStatus } from '../../operations/backup/backups.ts';
import type { Claim, Claims } from '../../storage/nodes/claims.ts';
import type { Notes } from '../../storage/port/port.ts';
import { type BackupSchedule, computeIntervalMs, computeNextTime } from '../settings/backup-schedule.ts';

export interface ScheduledBackupsInput {
  readonly schedule: BackupSchedule;
  readonly directory: string;
  /** The number of backups that are kept. */
  readonly keep: number;
  readonly passphrase: string | undefined;
  readonly backups: Pick<Backups, 'start'>;
  readonly notes: Pick<Notes, 'read' | 'write'>;
  readonly claims: Pick<Claims, 'claim'>;
  readonly clock: () => number;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** How often the schedule is checked. */
const CHECK_MS = 30_000;

/** A node that died loses its claim after this time. */
const CLAIM_MS = 120_000;
const RENEWAL_MS = 30_000;

/** A failed backup is repeated sooner than scheduled. */
const RETRY_MS = 3_600_000;

const NOTE = 'scheduled backups';

/** The form of the note. Times are in milliseconds since 1970. */
interface ScheduleRecord {
  /** When the last attempt began; at first, when the server started with this schedule. */
  readonly attemptedAtMs: number;
  readonly success: (Omit<CompleteBackup, 'damagedFiles'> & Partial<CompleteBackup>) | null;
  /** When the last backup without damaged files was made. Absent in records of earlier versions. */
  readonly intactAtMs?: number | null;
  /** Why the last attempt failed. */
  readonly failure: string | null;
}

export class ScheduledBackups {
  readonly #input: ScheduledBackupsInput;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running = Promise.resolve();

  constructor(input: ScheduledBackupsInput) {
    this.#input = input;
  }

  start(): void {
    const check = () => {
      this.#running = this.runIfDue().finally(() => {
        if (!this.#stopped.signal.aborted) this.#timer = setTimeout(check, CHECK_MS).unref();
      });
    };
    check();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Makes a backup if its time has come and no other node makes it. Never rejects. */
  async runIfDue(): Promise<void> {
    const { claims, logger } = this.#input;
    try {
      if (!(await this.#isDue())) return;
      const claim = await claims.claim('scheduled backup', CLAIM_MS);
      if (claim === undefined) return;
      try {
        // Another node may have made it meanwhile.
        if (await this.#isDue()) await this.#run(claim);
      } finally {
        await claim.release();
      }
    } catch (reason) {
      logger.warn({ err: reason }, 'the schedule of backups could not be checked');
    }
  }

  async readStatus(): Promise<ScheduleStatus> {
    const { schedule, clock } = this.#input;
    const record = await this.#readRecord();
    const { success, intactAtMs = success?.atMs ?? null } = record;
    const sinceMs = success?.atMs ?? record.attemptedAtMs;
    return {
      success: success && { damagedFiles: 0, ...success },
      intactAtMs,
      failure: record.failure,
      isOverdue: clock() - sinceMs > 2 * computeIntervalMs(schedule),
    };
  }

  async #readRecord(): Promise<ScheduleRecord> {
    const text = await this.#input.notes.read(NOTE);
    // The server wrote it.
    return text === undefined
      ? { attemptedAtMs: this.#input.clock(), success: null, failure: null }
      : (JSON.parse(text) as ScheduleRecord);
  }

  async #isDue(): Promise<boolean> {
    const { schedule, notes, clock } = this.#input;
    const record = await this.#readRecord();
    if ((await notes.read(NOTE)) === undefined) await this.#write(record);
    const next = computeNextTime(schedule, record.attemptedAtMs);
    const dueMs = record.failure === null ? next : Math.min(next, record.attemptedAtMs + RETRY_MS);
    return clock() >= dueMs;
  }

  async #run(claim: Claim): Promise<void> {
    const { clock, logger } = this.#input;
    const before = await this.#readRecord();
    const attemptedAtMs = clock();
    const lost = new AbortController();
    const renewal = setInterval(async () => {
      if (!(await claim.renew(CLAIM_MS).catch(() => false))) lost.abort(new Error('another node took over'));
    }, RENEWAL_MS).unref();
    const began = performance.now();
    try {
      const signal = AbortSignal.any([this.#stopped.signal, lost.signal]);
      const { file, ...saved } = await this.#save(attemptedAtMs, signal);
      const success = { atMs: attemptedAtMs, seconds: Math.round(performance.now() - began) / 1_000, ...saved };
      const intactAtMs = saved.damagedFiles === 0 ? attemptedAtMs : (await this.readStatus()).intactAtMs;
      await this.#write({ attemptedAtMs, success, intactAtMs, failure: null });
      if (saved.damagedFiles === 0) logger.info({ file, ...success }, 'made a scheduled backup');
      else logger.warn({ file, ...success }, 'made a scheduled backup with damaged files');
    } catch (reason) {
      // The next start makes it.
      if (this.#stopped.signal.aborted) return;
      // It is made at a later check. If the other backup takes very long, the schedule is overdue.
      if (reason instanceof Problem && reason.code === 'backup-running') return;
      const failure = reason instanceof Error ? reason.message : String(reason);
      logger.warn({ err: reason }, 'a scheduled backup failed');
      await this.#write({ ...before, attemptedAtMs, failure });
    } finally {
      clearInterval(renewal);
    }
  }

  /** A file gets its name when it is complete and on disk. The name shows whether stored files in it are damaged. */
  async #save(atMs: number, signal: AbortSignal): Promise<SavedBackup> {
    const { directory, backups, passphrase } = this.#input;
    await createFolder(directory);
    for (const name of await this.#listNames(PARTIAL_NAME)) await rm(join(directory, name));
    const name = `graticule-${new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const part = join(directory, `${name}.backup.part`);
    const handle = await open(part, 'w', 0o600);
    let bytes = 0;
    let damagedFiles = 0;
    try {
      const running = await backups.start({ passphrase, includeTiles: false, since: undefined, signal });
      for await (const piece of running.pieces) {
        signal.throwIfAborted();
        await handle.writeFile(piece);
        bytes += piece.length;
      }
      damagedFiles = running.listDamaged().length;
      await handle.sync();
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    const file = join(directory, `${name}${damagedFiles === 0 ? '' : '.damaged'}.backup`);
    await rename(part, file);
    await this.#removeOldBackups();
    return { file, bytes, damagedFiles };
  }

  /** The newest backup without damaged files is kept, however old it is: only it can replace them. */
  async #removeOldBackups(): Promise<void> {
    const { directory, keep } = this.#input;
    const names = await this.#listNames(COMPLETE_NAME);
    const intact = names.findLast((name) => !name.endsWith('.damaged.backup'));
    for (const name of names.slice(0, -keep)) if (name !== intact) await rm(join(directory, name));
  }

  /** The oldest first. */
  async #listNames(pattern: RegExp): Promise<readonly string[]> {
    return (await readdir(this.#input.directory)).filter((name) => pattern.test(name)).toSorted();
  }

  async #write(record: ScheduleRecord): Promise<void> {
    await this.#input.notes.write(NOTE, JSON.stringify(record));
  }
}

interface SavedBackup extends Pick<CompleteBackup, 'bytes' | 'damagedFiles'> {
  readonly file: string;
}

const COMPLETE_NAME = /^graticule-\d{8}T\d{6}Z(?:\.damaged)?\.backup$/;
const PARTIAL_NAME = /^graticule-\d{8}T\d{6}Z\.backup\.part$/;
