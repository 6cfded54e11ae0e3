/** The harvests that are under way: whoever runs the server can watch them. */
import type { HarvestCounts, SkippedFile } from '../../raster/mosaic/harvest.ts';

export interface RunningHarvest {
  /** With its workspace: `acme:ocean`. */
  readonly store: string;
  readonly workspace: string;
  readonly counts: HarvestCounts;
}

/** One harvest, from its beginning to its end. */
export interface HarvestMonitor {
  updateCounts(counts: HarvestCounts): void;
  addSkipped(file: SkippedFile): void;
  /** Whatever came of it. */
  end(outcome: 'done' | 'given up'): void;
}

export interface HarvestProgress {
  begin(store: string, workspace: string): HarvestMonitor;
  list(): readonly RunningHarvest[];
}

/** Where lines about a harvest go. */
export type HarvestLog = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/** A line of the log for so many files: ten thousand take a few seconds. */
const FILES_PER_LINE = 1_000;

export function createHarvestProgress(log: HarvestLog): HarvestProgress {
  const running = new Set<RunningHarvest>();
  return {
    begin(store, workspace) {
      let now: RunningHarvest = { store, workspace, counts: { files: 0, skipped: 0, granules: 0 } };
      let told = 0;
      running.add(now);
      return {
        updateCounts(counts) {
          running.delete(now);
          now = { ...now, counts };
          running.add(now);
          if (counts.files - told >= FILES_PER_LINE) {
            told = counts.files;
            log({ store, ...counts }, 'harvesting');
          }
        },
        addSkipped: ({ name, reason }) => log({ store, file: name, reason }, 'a file is not harvested'),
        end(outcome) {
          running.delete(now);
          log({ store, ...now.counts }, outcome === 'done' ? 'harvested' : 'a harvest was given up');
        },
      };
    },
    list: () => [...running],
  };
}
