/**
 * The tile exports of all nodes: one note lists the orders, and each export has a note with its progress. They are not
 * configuration, so they have no number and no history.
 */
import type { Fence } from '../../lib/async/fence.ts';
import type { TileNotes } from '../cache/tile-invalidations.ts';
import { type ExportJob, type ExportProgress, pendingExport } from './export-job.ts';

export interface ExportNotes extends TileNotes {
  listNames(beginning: string): Promise<readonly string[]>;
  write(name: string, text: string | null): Promise<void>;
  update(name: string, write: (text: string | undefined) => string | undefined, fence?: Fence): Promise<boolean>;
}

const LIST = 'tile exports';
const PREFIX = 'tile export ';

/** Archives are large, and each is for one purpose. More than this indicates a faulty script. */
export const MAX_EXPORTS = 50;

export class ExportRecords {
  readonly #notes: ExportNotes;

  constructor(notes: ExportNotes) {
    this.#notes = notes;
  }

  /** In the order of their creation. */
  async list(): Promise<readonly ExportJob[]> {
    return parseJobs(await this.#notes.read(LIST));
  }

  /** Returns undefined if it was deleted. */
  async readProgress(id: string): Promise<ExportProgress | undefined> {
    return parseProgress(await this.#notes.read(`${PREFIX}${id}`));
  }

  /** Returns false if there are too many. */
  async add(job: ExportJob): Promise<boolean> {
    await this.#notes.write(`${PREFIX}${job.id}`, JSON.stringify(pendingExport));
    let isAdded = false;
    await this.#notes.announce(LIST, (text) => {
      const jobs = parseJobs(text);
      isAdded = jobs.length < MAX_EXPORTS;
      return isAdded ? JSON.stringify([...jobs, job]) : (text ?? null);
    });
    if (!isAdded) await this.#notes.write(`${PREFIX}${job.id}`, null);
    return isAdded;
  }

  /** The progress is deleted first: without an entry in the list, it would keep the archive for ever. */
  async remove(id: string): Promise<void> {
    await this.#notes.write(`${PREFIX}${id}`, null);
    await this.#dropJobs(new Set([id]));
  }

  /** Deletes the entries of exports whose deletion was interrupted. */
  async deleteLeftovers(): Promise<void> {
    const left = new Set<string>();
    for (const { id } of await this.list()) if ((await this.readProgress(id)) === undefined) left.add(id);
    if (left.size > 0) await this.#dropJobs(left);
  }

  async #dropJobs(ids: ReadonlySet<string>): Promise<void> {
    await this.#notes.announce(LIST, (text) => {
      const kept = parseJobs(text).filter(({ id }) => !ids.has(id));
      return kept.length === 0 ? null : JSON.stringify(kept);
    });
  }

  /** Notifies all nodes of an export that is pending again. */
  async announceRestart(id: string): Promise<void> {
    await this.#notes.announce(LIST, (text, number) => {
      const jobs = parseJobs(text).map((job) => (job.id === id ? { ...job, restart: number } : job));
      return jobs.length === 0 ? null : JSON.stringify(jobs);
    });
  }

  /**
   * Changes the progress. Returns false if the export was deleted, `change` returns undefined, or the fence belongs to
   * another node.
   */
  update(
    id: string,
    change: (progress: ExportProgress) => ExportProgress | undefined,
    fence?: Fence | undefined,
  ): Promise<boolean> {
    return this.#notes.update(
      `${PREFIX}${id}`,
      (text) => {
        const progress = parseProgress(text);
        const changed = progress && change(progress);
        return changed && JSON.stringify(changed);
      },
      fence,
    );
  }
}

/** Returns whether the archive of an export has this file set. */
export async function isExportedFile(
  notes: Pick<ExportNotes, 'read' | 'listNames'>,
  fileSet: string,
): Promise<boolean> {
  for (const name of await notes.listNames(PREFIX)) {
    if (parseProgress(await notes.read(name))?.fileSet === fileSet) return true;
  }
  return false;
}

function parseJobs(text: string | undefined): readonly ExportJob[] {
  // Only this module writes these notes.
  return text === undefined ? [] : (JSON.parse(text) as readonly ExportJob[]);
}

function parseProgress(text: string | undefined): ExportProgress | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as ExportProgress);
}
