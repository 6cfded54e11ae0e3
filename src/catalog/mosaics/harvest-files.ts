/** Adds files to the index of a mosaic, in a session that makes them visible at its end. */
import type { GranuleDraft, GranuleSession } from '../../raster/granules/port/port.ts';
import type { HarvestCounts, NewCoverage, SkippedFile } from '../../raster/mosaic/harvest.ts';
import type { HarvestFile } from '../../raster/mosaic/harvested-files.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { Mosaic, MosaicCoverage } from '../kinds/mosaic.ts';
import { toMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import type { HarvestProgress } from './harvest-progress.ts';

export interface HarvestServices {
  readonly harvestWorkers: WorkerPool;
  /** Reads remote granules. */
  readonly remoteBlocks: RemoteBlocks;
  readonly clock: () => number;
  readonly progress: HarvestProgress;
}

export interface HarvestJob {
  /** The mosaic before the harvest. */
  readonly mosaic: Pick<Mosaic, 'definition' | 'coverages'>;
  readonly store: { readonly name: string; readonly workspace: string };
  readonly files: Iterable<HarvestFile> | AsyncIterable<HarvestFile>;
  readonly signal: AbortSignal;
}

export interface HarvestResult {
  /** The previous coverages and the new ones. */
  readonly coverages: readonly MosaicCoverage[];
  readonly newCoverages: readonly string[];
  readonly counts: HarvestCounts;
  /** The first skipped files; `counts` contains the total. */
  readonly skipped: readonly SkippedFile[];
  readonly warnings: readonly string[];
}

/** The number of files that a response lists; the log contains all. */
export const MAX_REPORTED = 1_000;

export async function harvestFiles(
  { harvestWorkers, remoteBlocks, clock, progress }: HarvestServices,
  session: GranuleSession,
  { mosaic, store, files, signal }: HarvestJob,
): Promise<HarvestResult> {
  const { harvest } = await import('../../raster/mosaic/harvest.ts');
  const watch = progress.begin(`${store.workspace}:${store.name}`, store.workspace);
  const coverages = [...mosaic.coverages];
  const known = new Set(coverages.map(({ name }) => name));
  const found = new Map<string, NewCoverage>();
  /** Recreates a table that was deleted from the database in the meantime. */
  const made = new Set<string>();
  const skipped: SkippedFile[] = [];
  const warnings: string[] = [];
  let counts: HarvestCounts = { files: 0, skipped: 0, granules: 0 };
  let outcome: 'done' | 'aborted' = 'aborted';
  try {
    const batches = harvest({
      definition: { ...mosaic.definition, index: { kind: 'embedded' } },
      defaultName: store.name,
      coverages,
      files,
      pool: harvestWorkers,
      remoteBlocks,
      now: new Date(clock()),
      signal,
    });
    for await (const batch of batches) {
      for (const coverage of batch.newCoverages) {
        made.add(coverage.name);
        await session.createIndex(coverage.schema);
        found.set(coverage.name, coverage);
      }
      for (const { schema, drafts } of batch.granules) {
        if (!made.has(schema.name)) {
          made.add(schema.name);
          await session.createIndex(schema);
        }
        await session.add(schema, drafts);
        addNewCoverage(found.get(schema.name), drafts, coverages);
      }
      for (const { schema, locations } of batch.without) {
        await session.removeFormer(schema, locations);
      }
      for (const file of batch.skipped) {
        watch.addSkipped(file);
        if (skipped.length < MAX_REPORTED) {
          skipped.push(file);
        }
      }
      warnings.push(...batch.warnings.slice(0, MAX_REPORTED - warnings.length));
      counts = batch.counts;
      watch.updateCounts(counts);
    }
    outcome = 'done';
  } finally {
    watch.end(outcome);
  }
  const newCoverages = coverages.map(({ name }) => name).filter((name) => !known.has(name));
  return { coverages, newCoverages, counts, skipped, warnings };
}

/** Adds a new coverage with the properties of its first granule. */
function addNewCoverage(
  found: NewCoverage | undefined,
  drafts: readonly GranuleDraft[],
  coverages: MosaicCoverage[],
): void {
  const [first] = drafts;
  if (found !== undefined && first !== undefined && !coverages.some(({ name }) => name === found.name)) {
    coverages.push(toMosaicCoverage(found, first));
  }
}

/** Formats lines such as `Skipped bad.tif: the file ends too early.` */
export function formatSkippedFiles({ skipped, counts }: Pick<HarvestResult, 'skipped' | 'counts'>): readonly string[] {
  const unlisted = counts.skipped - skipped.length;
  return [
    ...skipped.map(({ name, reason }) => `Skipped ${name}: ${reason}.`),
    ...(unlisted > 0 ? [`Skipped ${unlisted} more ${unlisted === 1 ? 'file' : 'files'}. The log lists them.`] : []),
  ];
}

/** Formats counts such as `1 granule of 2 files`. */
export function formatHarvestCounts({ granules, files }: HarvestResult['counts']): string {
  return `${granules} ${granules === 1 ? 'granule' : 'granules'} of ${files} ${files === 1 ? 'file' : 'files'}`;
}
