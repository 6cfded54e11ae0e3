/** Unpacks ZIP archives of clients, completely into a new folder or not at all. All archives pass through here. */
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fromRandomAccessReaderPromise } from 'yauzl';
import { allSettled } from '../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../lib/async/concurrency-limiter.ts';
import { runZipStep } from './archive-gate/archive-problems.ts';
import { type EntryHasher, inflateEntry } from './archive-gate/inflate-entry.ts';
import { type ArchiveLimits, type PlannedEntry, planUnpacking } from './archive-gate/plan.ts';
import { SpooledArchive } from './archive-gate/spooled-archive.ts';

export type { ArchiveLimits } from './archive-gate/plan.ts';

export interface UnpackOptions {
  readonly limits: ArchiveLimits;
  /** Whether nested archives are kept as files (they are never unpacked) or rejected. */
  readonly nested?: 'keep' | 'refuse';
  readonly signal?: AbortSignal;
  /** Computes the hash of each file while it is written, so that it need not be read again. */
  readonly createHasher?: (bytes: number) => EntryHasher;
}

export interface UnpackedFile {
  /** The path inside the archive, with slashes: `roads/roads.shp`. */
  readonly name: string;
  /** The path of the unpacked file. */
  readonly path: string;
  readonly bytes: number;
  /** CRC-32. */
  readonly checksum: number;
  /** Set if `createHasher` is. */
  readonly hash?: string;
}

/** Inflating keeps one core busy; more concurrency would only use memory. */
const ENTRIES_AT_ONCE = 2;

/**
 * Unpacks an archive file into a new folder, which must not exist. A rejection (`archive-refused`, `archive-too-large`)
 * or any other failure deletes the folder. Permissions, owners and times are not restored.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  options: UnpackOptions,
): Promise<readonly UnpackedFile[]> {
  const file = await open(archive, 'r');
  try {
    const { size } = await file.stat();
    const spooled = new SpooledArchive(file, size);
    const zip = await runZipStep(
      fromRandomAccessReaderPromise(spooled, size, {
        lazyEntries: true,
        autoClose: false,
        // We validate names and sizes ourselves: the library knows neither our limits nor all encodings.
        decodeStrings: false,
        validateEntrySizes: false,
      }),
      null,
      'it is not a ZIP archive, or it is incomplete',
    );
    // Errors are returned by the calls that cause them; a second error event must not end the process.
    zip.on('error', () => {});
    const planned = await planUnpacking(zip, file, options.limits);
    return await writeAll(spooled, planned, folder, { archiveBytes: size, ...options });
  } finally {
    await file.close();
  }
}

async function writeAll(
  archive: SpooledArchive,
  planned: readonly PlannedEntry[],
  folder: string,
  options: UnpackOptions & { readonly archiveBytes: number },
): Promise<readonly UnpackedFile[]> {
  await mkdir(folder, { mode: 0o700 });
  const { archiveBytes, limits, nested = 'keep', signal, createHasher } = options;
  const atOnce = createConcurrencyLimiter(ENTRIES_AT_ONCE);
  const failure = new AbortController();
  const stop = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const total = { bytes: 0 };
  const how = { limits, nested, total, archiveBytes, signal: stop, createHasher };
  try {
    await createFolders(planned, folder);
    const files = planned.filter(({ kind }) => kind === 'file');
    const write = async (entry: PlannedEntry): Promise<UnpackedFile> => {
      const path = join(folder, ...entry.parts);
      try {
        stop.throwIfAborted();
        return { name: entry.name, path, ...(await inflateEntry(archive, entry, path, how)) };
      } catch (error) {
        // Abort the others with the same reason, so that the order of rejections does not matter.
        failure.abort(error);
        throw error;
      }
    };
    return await allSettled(files.map((entry) => atOnce(() => write(entry))));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw failure.signal.aborted ? failure.signal.reason : error;
  }
}

async function createFolders(planned: readonly PlannedEntry[], folder: string): Promise<void> {
  const created = new Set([folder]);
  for (const { kind, parts } of planned) {
    const path = join(folder, ...parts);
    const needed = kind === 'folder' ? path : dirname(path);
    if (!created.has(needed)) {
      await mkdir(needed, { recursive: true, mode: 0o700 });
      created.add(needed);
    }
  }
}
