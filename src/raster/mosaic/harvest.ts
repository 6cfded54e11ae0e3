/** Converts files to granules of a mosaic: headers are read in threads and not kept in memory. */
import { basename } from 'node:path';
import { formatCrsLabel } from '../../crs/are-same-crs.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { GranuleDraft, GranuleSchema } from '../granules/port/port.ts';
import type { CoverageDescription, CoverageDimension } from '../port/port.ts';
import { createCoverageSchema, findAttribute, toGranuleValue } from './coverage-schema.ts';
import type { MosaicDefinition } from './definition.ts';
import { createFootprintMaker, type FootprintMaker } from './footprints.ts';
import { type Axis, findValueType, listSlices, toGranuleValues } from './granule-drafts.ts';
import { type HarvestFile, isCandidate, isCommonFootprints } from './harvested-files.ts';
import { type CoverageHeader, countPictures, type FileHeader } from './header-tasks.ts';
import { createNameMatcher } from './match-names.ts';
import { type HeaderResult, readHeaders, shouldReadAlone } from './read-headers.ts';

/** The stored properties of a coverage that later granules must match. */
export interface MosaicCoverage {
  readonly name: string;
  /** The schema of its index; the footprint has the CRS of the coverage. */
  readonly schema: GranuleSchema;
  /** The sample types of its bands, separated by commas: granules with other bands are skipped. */
  readonly bandTypes: string;
}

/** A coverage without earlier granules. */
export interface NewCoverage extends MosaicCoverage {
  /** The description of its first granule. */
  readonly description: CoverageDescription;
}

export interface HarvestOptions {
  readonly definition: MosaicDefinition;
  /** The coverage name of images if the definition has none: usually the name of the store. */
  readonly defaultName: string;
  /** The coverages of earlier harvests; empty for the first. */
  readonly coverages: readonly MosaicCoverage[];
  /** Files that the definition excludes are ignored. */
  readonly files: Iterable<HarvestFile> | AsyncIterable<HarvestFile>;
  readonly pool: WorkerPool;
  /** Reads remote files. */
  readonly remoteBlocks: RemoteBlocks;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** The timeout for one NetCDF file; a damaged one can keep its library busy forever. */
  readonly maxFileMs?: number;
}

export interface HarvestCounts {
  /** The number of files whose headers were read, including skipped ones. */
  readonly files: number;
  readonly skipped: number;
  readonly granules: number;
}

export interface SkippedFile {
  readonly name: string;
  /** Completes a sentence: `20-30.tif: it is not georeferenced`. */
  readonly reason: string;
}

/** The results of some files, to be added to the index in this order. */
export interface HarvestBatch {
  /** Their indexes must be created first. */
  readonly newCoverages: readonly NewCoverage[];
  readonly granules: readonly { readonly schema: GranuleSchema; readonly drafts: readonly GranuleDraft[] }[];
  /** Locations of files without granules of a coverage, which replace granules of earlier harvests. */
  readonly without: readonly { readonly schema: GranuleSchema; readonly locations: readonly string[] }[];
  readonly skipped: readonly SkippedFile[];
  /** Sentences, each reported once per harvest. */
  readonly warnings: readonly string[];
  /** The totals so far. */
  readonly counts: HarvestCounts;
}

/** The number of headers that a thread reads per task, which makes the task overhead negligible. */
const FILES_PER_BATCH = 100;

/** The number of concurrent tasks, so that no thread waits for the next. */
const SETS_AHEAD = 2;

/** The target size of a batch: a single file may have a million granules. */
const BATCH_GRANULES = 500;

/** The limit per file; hourly data of a decade on ten levels has 876,600. */
const MAX_PICTURES = 1_000_000;

/**
 * Reads headers in threads and yields granules in batches, in file order. A file that is unreadable or does not match
 * is reported as skipped and does not affect the others. Stops when the signal is aborted, with its reason.
 */
export async function* harvest(options: HarvestOptions): AsyncGenerator<HarvestBatch> {
  const { signal } = options;
  const work = new Harvest(options);
  const matcher = createNameMatcher(options.definition, options.pool);
  const underWay: Promise<readonly HeaderResult[]>[] = [];
  let isFirst = true;

  const start = (files: readonly HarvestFile[]): void => {
    const reading = readHeaders({ ...options, matcher }, work.listNames(), files);
    // Awaited later; until then nothing handles a rejection.
    reading.catch(() => undefined);
    underWay.push(reading);
  };

  const finish = async function* (): AsyncGenerator<HarvestBatch> {
    for (const { file, header, systems } of (await underWay.shift()) ?? []) {
      await work.addFile(file, header, systems);
      for (const batch of work.expand()) {
        signal.throwIfAborted();
        yield batch;
      }
    }
    const rest = work.flush();
    if (rest !== undefined) yield rest;
  };

  let set: HarvestFile[] = [];
  for await (const file of options.files) {
    signal.throwIfAborted();
    if (isCommonFootprints(file.name)) work.warn(`${basename(file.name)} is not read: ${insteadOfCommon}.`);
    if (!isCandidate(options.definition, file.name)) continue;
    const isAlone = isFirst || shouldReadAlone(file);
    if (isAlone && set.length > 0) {
      start(set);
      set = [];
    }
    set.push(file);
    if (!isAlone && set.length < FILES_PER_BATCH) continue;
    start(set);
    set = [];
    while (underWay.length > (isFirst ? 0 : SETS_AHEAD)) yield* finish();
    // Later tasks need not describe the coverages of the first one.
    isFirst = false;
  }
  if (set.length > 0) start(set);
  while (underWay.length > 0) yield* finish();
}

const insteadOfCommon = 'only footprints in companion files (one.wkt for one.tif) or in the index are supported';

/** Lists the values of a listed file, with its time under the names of the attributes for times. */
function listItemValues(
  { domains }: GranuleSchema,
  item: HarvestFile['item'],
): Readonly<Record<string, string | number>> {
  if (item === undefined) return {};
  const names = domains.find(({ kind }) => kind === 'time')?.attributes ?? [];
  const times = names.flatMap((name, index) => {
    const time = item.time?.[index];
    return time === undefined ? [] : [[name, time] as const];
  });
  return { ...item.values, ...Object.fromEntries(times) };
}

interface KnownCoverage extends MosaicCoverage {
  readonly crs: CrsReference;
  /** By the CRS of granules. */
  readonly footprintMakers: Map<string, Promise<FootprintMaker>>;
}

/** The results since the last batch. */
interface PendingBatch {
  newCoverages: NewCoverage[];
  granules: Map<GranuleSchema, GranuleDraft[]>;
  without: Map<GranuleSchema, string[]>;
  drafts: number;
  skipped: SkippedFile[];
  warnings: string[];
}

function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function createPendingBatch(): PendingBatch {
  return { newCoverages: [], granules: new Map(), without: new Map(), drafts: 0, skipped: [], warnings: [] };
}

class Harvest {
  readonly #definition: MosaicDefinition;
  readonly #coverages = new Map<string, KnownCoverage>();
  readonly #former: readonly MosaicCoverage[];
  readonly #reportedWarnings = new Set<string>();
  #pending: Generator<readonly [GranuleSchema, GranuleDraft]>[] = [];
  #collected = createPendingBatch();
  #counts: HarvestCounts = { files: 0, skipped: 0, granules: 0 };

  constructor({ definition, coverages }: HarvestOptions) {
    this.#definition = definition;
    this.#former = coverages;
    for (const coverage of coverages) this.#coverages.set(coverage.name, toKnownCoverage(coverage));
  }

  listNames(): readonly string[] {
    return [...this.#coverages.keys()];
  }

  /** Validates a file; its granules wait for `expand`. All of its granules are accepted, or none. */
  async addFile(file: HarvestFile, header: FileHeader, systems: readonly CrsReference[]): Promise<void> {
    this.#counts = { ...this.#counts, files: this.#counts.files + 1 };
    if ('reason' in header) {
      this.#skip(file, header.reason);
      return;
    }
    const granules: Generator<readonly [GranuleSchema, GranuleDraft]>[] = [];
    const made: NewCoverage[] = [];
    for (const each of header.coverages) {
      const result = await this.#buildGranules(file, each, systems[each.system] ?? {}, made);
      if ('reason' in result) {
        this.#skip(file, result.reason);
        return;
      }
      granules.push(result.granules);
    }
    for (const coverage of made) this.#coverages.set(coverage.name, toKnownCoverage(coverage));
    this.#collected.newCoverages.push(...made);
    for (const warning of header.warnings) this.warn(warning);
    this.#noteAbsent(file, header.coverages);
    this.#pending = granules;
  }

  #noteAbsent({ location }: HarvestFile, present: readonly CoverageHeader[]): void {
    for (const { name, schema } of this.#former) {
      const isThere = present.some(({ coverage, dimensions }) => coverage === name && countPictures(dimensions) > 0);
      if (!isThere) addToList(this.#collected.without, schema, location);
    }
  }

  /** Yields the granules of accepted files in batches. */
  *expand(): Generator<HarvestBatch> {
    for (const granules of this.#pending) {
      for (const [schema, draft] of granules) {
        addToList(this.#collected.granules, schema, draft);
        this.#collected.drafts += 1;
        if (this.#collected.drafts >= BATCH_GRANULES) yield this.#createBatch();
      }
    }
    this.#pending = [];
  }

  /** Returns the remaining results; undefined if there are none. */
  flush(): HarvestBatch | undefined {
    const { drafts, without, skipped, newCoverages, warnings } = this.#collected;
    const isNothing = drafts + without.size + skipped.length + newCoverages.length + warnings.length === 0;
    return isNothing ? undefined : this.#createBatch();
  }

  #createBatch(): HarvestBatch {
    const { newCoverages, granules, without, drafts, skipped, warnings } = this.#collected;
    this.#counts = { ...this.#counts, granules: this.#counts.granules + drafts };
    this.#collected = createPendingBatch();
    return {
      newCoverages,
      granules: [...granules].map(([schema, list]) => ({ schema, drafts: list })),
      without: [...without].map(([schema, locations]) => ({ schema, locations })),
      skipped,
      warnings,
      counts: this.#counts,
    };
  }

  #skip(file: HarvestFile, reason: string): void {
    this.#counts = { ...this.#counts, skipped: this.#counts.skipped + 1 };
    this.#collected.skipped.push({ name: file.name, reason });
  }

  warn(warning: string): void {
    if (this.#reportedWarnings.has(warning)) return;
    this.#reportedWarnings.add(warning);
    this.#collected.warnings.push(warning);
  }

  async #buildGranules(
    file: HarvestFile,
    header: CoverageHeader,
    crs: CrsReference,
    made: NewCoverage[],
  ): Promise<{ readonly reason: string } | { readonly granules: Generator<readonly [GranuleSchema, GranuleDraft]> }> {
    const coverage = this.#findCoverage(header, crs, made);
    if ('reason' in coverage) return coverage;
    if (coverage.bandTypes !== header.bandTypes) {
      return {
        reason: `its bands (${header.bandTypes}) differ from those of coverage '${coverage.name}' (${coverage.bandTypes})`,
      };
    }
    const pictures = countPictures(header.dimensions);
    if (pictures > MAX_PICTURES) return { reason: `it has ${pictures} images; the limit is ${MAX_PICTURES}` };
    const footprint = (await getFootprintMaker(coverage, crs))(header.outline);
    if ('reason' in footprint) return footprint;
    const { schema } = coverage;
    const collected = toGranuleValues(schema, { ...header.values, ...listItemValues(schema, file.item) });
    if (typeof collected === 'string') return { reason: collected };
    const axes = this.#buildAxes(coverage, header.dimensions);
    if (typeof axes === 'string') return { reason: axes };
    const shared = { location: file.location, footprint: footprint.footprint };
    return { granules: listSlices(schema, { shared, collected, firstImage: header.firstImage, axes, pictures }) };
  }

  #findCoverage(
    header: CoverageHeader,
    crs: CrsReference,
    made: NewCoverage[],
  ): KnownCoverage | { readonly reason: string } {
    const found = this.#coverages.get(header.coverage);
    if (found !== undefined) return found;
    const { description } = header;
    if (description === undefined) throw new Error(`The new coverage '${header.coverage}' has no description.`);
    const system = this.#definition.crs === undefined ? crs : { code: this.#definition.crs };
    const coverage: NewCoverage = {
      name: header.coverage,
      schema: createCoverageSchema(this.#definition, header.coverage, system, header),
      bandTypes: header.bandTypes,
      description,
    };
    made.push(coverage);
    return toKnownCoverage(coverage);
  }

  /** Converts the values of each dimension and finds their attributes; returns a text if a value does not fit. */
  #buildAxes({ name, schema }: KnownCoverage, dimensions: readonly CoverageDimension[]): readonly Axis[] | string {
    const axes: Axis[] = [];
    for (const dimension of dimensions) {
      const attribute = findAttribute(dimension, schema);
      const type = attribute === undefined ? undefined : findValueType(schema, attribute);
      if (attribute === undefined || type === undefined) {
        this.warn(
          `The index of '${name}' has no attribute for dimension '${dimension.name}'. Its values are not stored.`,
        );
        axes.push({ attributes: [], values: dimension.values.map(() => null) });
        continue;
      }
      const domain = schema.domains.find((each) => each.attributes.some((one) => one === attribute));
      const values = dimension.values.map((value) => toGranuleValue(value, type));
      const bad = values.indexOf(undefined);
      if (bad >= 0)
        return `its ${dimension.name} ${dimension.values[bad]} does not fit attribute '${attribute}' of type ${type}`;
      axes.push({ attributes: domain?.attributes ?? [attribute], values: values.map((value) => value ?? null) });
    }
    return axes;
  }
}

function toKnownCoverage(coverage: MosaicCoverage): KnownCoverage {
  const footprint = coverage.schema.attributes.find(({ role }) => role === 'footprint');
  return {
    ...coverage,
    crs: footprint?.role === 'footprint' ? footprint.crs : {},
    footprintMakers: new Map(),
  };
}

function getFootprintMaker({ crs, footprintMakers }: KnownCoverage, from: CrsReference): Promise<FootprintMaker> {
  const key = `${formatCrsLabel(from)} ${from.wkt ?? ''}`;
  const maker = footprintMakers.get(key) ?? createFootprintMaker(from, crs);
  footprintMakers.set(key, maker);
  return maker;
}
