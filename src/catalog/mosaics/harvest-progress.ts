/** Tracks the running harvests for the operator. */
import type { HarvestCounts, SkippedFile } from '../../raster/mosaic/harvest.ts';

export interface RunningHarvest {
  /** With its workspace: `acme:ocean`. */
  readonly store: string;
  readonly workspace: string;
  readonly counts: HarvestCounts;
}

/** One harvest, from start to end. */
export interface HarvestMonitor {
  updateCounts(counts: HarvestCounts): void;
  addSkipped(file: SkippedFile): void;
  /** Must be called with any outcome. */
  end(outcome: 'done' | 'aborted'): void;
}

export interface HarvestProgress {
  begin(store: string, workspace: string): HarvestMonitor;
  list(): readonly RunningHarvest[];
}

/** Writes log lines about a harvest. */
export type HarvestLog = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** The number of files per log line: ten thousand take a few seconds. */
const FILES_PER_LINE = 1_000;

export function createHarvestProgress(log: HarvestLog): HarvestProgress {
  const running = new Set<RunningHarvest>();
  return {
    begin(store, workspace) {
      let now: RunningHarvest = { store, workspace, counts: { files: 0, skipped: 0, granules: 0 } };
      let logged = 0;
      running.add(now);
      return {
        updateCounts(counts) {
          running.delete(now);
          now = { ...now, counts };
          running.add(now);
          if (counts.files - logged >= FILES_PER_LINE) {
            logged = counts.files;
            log({ store, ...counts }, 'harvesting');
          }
        },
        addSkipped: ({ name, reason }) => log({ store, file: name, reason }, 'a file was skipped by a harvest'),
        end(outcome) {
          running.delete(now);
          log({ store, ...now.counts }, outcome === 'done' ? 'harvested' : 'a harvest was aborted');
        },
      };
    },
    list: () => [...running],
  };
}
