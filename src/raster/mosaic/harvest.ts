/** Turns files into granules of a mosaic: their headers are read in threads, and nothing of them is kept in memory. */
import { basename } from 'node:path';
import { formatCrsLabel } from '../../crs/are-same-crs.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { GranuleDraft, GranuleSchema } from '../granules/port/port.ts';
import type { CoverageDescription, CoverageDimension } from '../port/port.ts';
import { createCoverageSchema, findAttribute, toGranuleValue } from './coverage-schema.ts';
import type { MosaicDefinition } from './definition.ts';
import { createFootprintMaker, type FootprintMaker } from './footprints.ts';
import { type Axis, findValueType, listSlices, toGranuleValues } from './granule-drafts.ts';
import { type HarvestFile, isCandidate, isCommonFootprints } from './harvested-files.ts';
import { type CoverageHeader, countPictures, type FileHeader } from './header-tasks.ts';
import { type HeaderResult, readHeaders, shouldReadAlone } from './read-headers.ts';

/** What a mosaic remembers of each of its coverages, so that later granules fit to the earlier ones. */
export interface MosaicCoverage {
  readonly name: string;
  /** Of its index; the footprint has the system of the coverage. */
  readonly schema: GranuleSchema;
  /** Types of the samples of its bands, with a comma between: granules of others are left out. */
  readonly bandTypes: string;
}

/** A coverage that there was no granule of before. */
export interface NewCoverage extends MosaicCoverage {
  /** Of its first granule. */
  readonly description: CoverageDescription;
}

export interface HarvestOptions {
  readonly definition: MosaicDefinition;
  /** What the coverage of pictures is called where the definition does not say: mostly the name of the store. */
  readonly defaultName: string;
  /** What earlier harvests have found; empty for the first. */
  readonly coverages: readonly MosaicCoverage[];
  /** Those that the definition leaves out are passed over. */
  readonly files: Iterable<HarvestFile> | AsyncIterable<HarvestFile>;
  readonly pool: WorkerPool;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** What one NetCDF file may take; a damaged one can keep its library busy for ever. */
  readonly maxFileMs?: number;
}

export interface HarvestCounts {
  /** Files whose headers were read, those that are skipped included. */
  readonly files: number;
  readonly skipped: number;
  readonly granules: number;
}

export interface SkippedFile {
  readonly name: string;
  /** The end of a sentence: `20-30.tif: it does not say where it lies`. */
  readonly reason: string;
}

/** What some of the files gave; to be put into the index in this order. */
export interface HarvestBatch {
  /** Their indexes have to be made first. */
  readonly newCoverages: readonly NewCoverage[];
  readonly granules: readonly { readonly schema: GranuleSchema; readonly drafts: readonly GranuleDraft[] }[];
  /** Locations of files that have nothing of a coverage, whatever they had of it when they were harvested before. */
  readonly without: readonly { readonly schema: GranuleSchema; readonly locations: readonly string[] }[];
  readonly skipped: readonly SkippedFile[];
  /** Sentences, each told once in a harvest. */
  readonly warnings: readonly string[];
  /** All there was up to now. */
  readonly counts: HarvestCounts;
}

/** Files whose headers a thread reads at once: so many that the way there and back does not matter. */
const FILES_PER_BATCH = 100;

/** Sets of files that are under way at the same time, so that no thread waits for the next. */
const SETS_AHEAD = 2;

/** Granules of one batch, or some more: a file may have a million of them. */
const BATCH_GRANULES = 500;

/** Of one file; an hour of a decade on ten levels is 876,600. */
const MAX_PICTURES = 1_000_000;

/**
 * Reads headers only, in threads, and gives the granules in batches in the order of the files. A file that cannot be read,
 * or does not fit to what is there, is told as skipped and does not keep the others. Stops at the signal, with its reason.
 */
export async function* harvest(options: HarvestOptions): AsyncGenerator<HarvestBatch> {
  const { signal } = options;
  const work = new Harvest(options);
  const underWay: Promise<readonly HeaderResult[]>[] = [];
  let isFirst = true;

  const start = (files: readonly HarvestFile[]): void => {
    const reading = readHeaders(options, work.listNames(), files);
    // It is waited for in its turn; until then a failure of it is nobody's.
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
    // What is known of the coverages of the first need not be told with the others.
    isFirst = false;
  }
  if (set.length > 0) start(set);
  while (underWay.length > 0) yield* finish();
}

const insteadOfCommon = 'only footprints in companion files (one.wkt for one.tif) or in the index are supported';

interface KnownCoverage extends MosaicCoverage {
  readonly crs: CrsReference;
  /** By the systems of granules. */
  readonly footprintMakers: Map<string, Promise<FootprintMaker>>;
}

/** What has been collected since the last batch. */
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

  /** Checks a file against what is known; its granules wait for `expand`. All of it, or nothing. */
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

  /** The granules of the files that were taken, a batch whenever there are enough for one. */
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

  /** What is left; undefined if that is nothing. */
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
    const collected = toGranuleValues(schema, header.values);
    if (typeof collected === 'string') return { reason: collected };
    const axes = this.#buildAxes(coverage, header.dimensions);
    if (typeof axes === 'string') return { reason: axes };
    const shared = { location: file.location, footprint: footprint.footprint };
    return { granules: listSlices(schema, shared, collected, header.firstImage, axes, pictures) };
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

  /** The values of each dimension as the index keeps them, and where they go; a text says what does not fit. */
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
