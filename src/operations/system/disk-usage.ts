/** Free space of the disks that this server writes to, and stored files without references. */
import { stat } from 'node:fs/promises';
import type { Orphans } from '../../records/files/orphans.ts';
import type { Disk, DiskSpace } from '../../storage/blobs/disk.ts';

export interface DiskRoot extends DiskSpace {
  readonly name: RootName;
}

/** Its use: the data directory, the tile cache, or the directory of shared files. */
export type RootName = 'data' | 'tile-cache' | 'blobs';

export interface DiskUsage {
  /** Each file system once, under the first folder on it. */
  roots(): Promise<readonly DiskRoot[]>;
  countOrphans(signal?: AbortSignal): Promise<Orphans>;
  /** The last count; undefined before the first one. Starts a new count if the last one is old. */
  lastOrphans(): Orphans | undefined;
  /** Stops counting. */
  stop(): void;
}

/** Counting reads all stored files, so frequent metric reads reuse the last count. */
const ORPHAN_COUNT_INTERVAL_MS = 600_000;

export interface DiskUsageOptions {
  /** Missing folders are omitted. */
  readonly folders: Readonly<Partial<Record<RootName, string>>>;
  readonly disk: Pick<Disk, 'measureSpace'>;
  readonly countOrphans: (signal?: AbortSignal) => Promise<Orphans>;
  readonly onError: (reason: unknown) => void;
}

export function openDiskUsage({ folders, disk, countOrphans, onError: failed }: DiskUsageOptions): DiskUsage {
  const stopped = new AbortController();
  let last: Orphans | undefined;
  let countedAtMs = Number.NEGATIVE_INFINITY;

  async function updateOrphans(signal?: AbortSignal): Promise<Orphans> {
    countedAtMs = performance.now();
    last = await countOrphans(signal);
    return last;
  }

  return {
    countOrphans: updateOrphans,
    lastOrphans() {
      if (performance.now() - countedAtMs > ORPHAN_COUNT_INTERVAL_MS && !stopped.signal.aborted) {
        updateOrphans(stopped.signal).catch((reason: unknown) => {
          if (!stopped.signal.aborted) failed(reason);
        });
      }
      return last;
    },
    stop: () => stopped.abort(),
    async roots() {
      const found: DiskRoot[] = [];
      const devices = new Set<number>();
      for (const [name, folder] of Object.entries(folders)) {
        const device = await stat(folder).then(
          ({ dev }) => dev,
          () => undefined,
        );
        if (device === undefined || devices.has(device)) continue;
        devices.add(device);
        found.push({ name: name as RootName, ...(await disk.measureSpace(folder)) });
      }
      return found;
    },
  };
}
