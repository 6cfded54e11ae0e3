/** What is left of the disks that this server writes to, and what is stored on them that nothing needs. */
import { stat } from 'node:fs/promises';
import type { Orphans } from '../../records/files/orphans.ts';
import type { Disk, DiskSpace } from '../../storage/blobs/disk.ts';

export interface DiskRoot extends DiskSpace {
  readonly name: RootName;
}

/** What is on it: the data directory, the cache of tiles, the directory of shared files. */
export type RootName = 'data' | 'tile-cache' | 'blobs';

export interface DiskUsage {
  /** Each file system once, by the first of the folders that are on it. */
  roots(): Promise<readonly DiskRoot[]>;
  countOrphans(signal?: AbortSignal): Promise<Orphans>;
  /** As they were last counted; undefined before that. Begins to count them anew where that is a while ago. */
  lastOrphans(): Orphans | undefined;
  /** Ends counting. */
  stop(): void;
}

/** All stored files are looked at: those who read metrics every few seconds do not need it anew each time. */
const ORPHAN_COUNT_INTERVAL_MS = 600_000;

export interface DiskUsageOptions {
  /** Those that are not there are left out. */
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
