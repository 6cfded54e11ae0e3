/** What a thread does for the embedded index: one short piece of reading or writing at a time. */
import type { DatabaseSync } from 'node:sqlite';
import { problemOf } from '../../../lib/sqlite-problem.ts';
import { handOver } from '../../../workers/hand-over.ts';
import type { Task } from '../../../workers/task.ts';
import type { ResolvedFilter } from '../../filter/resolved-filter.ts';
import type { GranuleDraft, GranuleSchema, GranuleValue } from '../port.ts';
import { databaseOf, inTransaction, makeDurable } from './database.ts';
import {
  columnOf,
  createIndexTable,
  dropIndexTable,
  findIndex,
  granulesTable,
  type IndexTable,
  indexesOf,
  valueAttributes,
} from './index-table.ts';
import {
  type Candidates,
  findCandidates,
  readStretch,
  type StretchQuery,
  type StretchResult,
  type Wanted,
} from './read-rows.ts';
import { shownValue } from './rows.ts';
import {
  beginVersion,
  endVersion,
  forgetAllVersions,
  forgetVersion,
  forgetVersions,
  type GranuleVersion,
  unendedVersions,
  versionsOf,
} from './versions.ts';
import { addRows, clearStep, removeFormerRows, removeRows, repeatStep, takeBackStep } from './write-rows.ts';

export interface MosaicAddress {
  readonly file: string;
  /** The key of the mosaic in the file. */
  readonly mosaic: string;
}

export interface IndexAddress extends MosaicAddress {
  readonly schema: GranuleSchema;
}

interface CandidatesInput {
  readonly index: IndexAddress;
  readonly filter: ResolvedFilter | undefined;
  readonly version: number;
}

interface StretchInput {
  readonly index: IndexAddress;
  readonly query: StretchQuery;
  readonly wanted: Wanted;
}

interface ValuesInput {
  readonly index: IndexAddress;
  readonly attribute: string;
  readonly version: number;
  /** How many from the least on, or the least and the greatest. */
  readonly which: number | 'extremes';
}

interface LocationsInput {
  readonly mosaic: MosaicAddress;
  readonly schemas: readonly GranuleSchema[];
  readonly locations: readonly string[];
  readonly version: number;
}

interface VersionInput {
  readonly mosaic: MosaicAddress;
  readonly version: number;
}

interface BeginInput {
  readonly mosaic: MosaicAddress;
  readonly base: number;
  readonly atMs: number;
}

/** A new version, or one of a session that has died, which has to be taken back first. */
type Begun = { readonly version: number } | { readonly unended: number };

interface RepeatInput extends VersionInput {
  /** The version that is shown again. */
  readonly from: number;
  readonly place: RepeatPlace;
}

/** How far a repetition has got: in which of the indexes, and after which row. */
interface RepeatPlace {
  readonly index: number;
  readonly after: number;
}

interface ClearInput {
  readonly mosaic: MosaicAddress;
  /** Those that are shown to somebody, or may be again. */
  readonly kept: readonly number[];
  /** Later ones stay, whatever they are. */
  readonly upTo: number;
}

const module = import.meta.url;
const task = <I, O>(work: (input: I) => O | Promise<O>): Task<I, O> => ({ module, name: work.name, work });

export const findingCandidates: Task<CandidatesInput, Candidates> = task(candidatesIn);
export const readingStretch: Task<StretchInput, StretchResult> = task(stretchOf);
export const readingValues: Task<ValuesInput, readonly GranuleValue[]> = task(valuesOf);
export const findingLocations: Task<LocationsInput, readonly string[]> = task(locationsIn);
export const makingIndex: Task<{ mosaic: MosaicAddress; schema: GranuleSchema; base: number }, void> = task(makeIndex);
export const addingGranules: Task<{ index: IndexAddress; version: number; drafts: readonly GranuleDraft[] }, void> =
  task(addGranules);
export const removingFormer: Task<{ index: IndexAddress; version: number; locations: readonly string[] }, void> =
  task(removeFormer);
export const removingGranules: Task<{ index: IndexAddress; version: number; ids: readonly number[] }, void> =
  task(removeGranules);
export const listingVersions: Task<MosaicAddress, readonly GranuleVersion[]> = task(listVersions);
export const beginningVersion: Task<BeginInput, Begun> = task(begin);
export const repeatingVersion: Task<RepeatInput, RepeatPlace | undefined> = task(repeat);
export const endingVersion: Task<VersionInput, void> = task(end);
export const takingBack: Task<VersionInput, boolean> = task(takeBack);
export const clearing: Task<ClearInput, boolean> = task(clear);
export const syncing: Task<string, void> = task(sync);
export const droppingMosaic: Task<MosaicAddress, void> = task(dropMosaic);
export const listingMosaics: Task<string, readonly string[]> = task(listMosaics);

/** Faults of the disk are told as such. */
function within<T>(file: string, work: (database: DatabaseSync) => T): T {
  try {
    return work(databaseOf(file));
  } catch (error) {
    throw problemOf(error);
  }
}

/** An index that was never made, or whose file is gone, has no granules. */
function withIndex<T>(
  { file, mosaic, schema }: IndexAddress,
  none: T,
  work: (database: DatabaseSync, table: IndexTable) => T,
): T {
  return within(file, (database) => {
    const table = findIndex(database, mosaic, schema);
    return table === undefined ? none : work(database, table);
  });
}

function known({ file, mosaic, schema }: IndexAddress, database: DatabaseSync): IndexTable {
  const table = findIndex(database, mosaic, schema);
  if (table === undefined)
    throw new Error(`There is no index '${schema.name}' of the mosaic '${mosaic}' in '${file}'.`);
  return table;
}

export function candidatesIn({ index, filter, version }: CandidatesInput): Candidates {
  const found = withIndex<Candidates>(index, { kind: 'all', last: 0 }, (database, table) =>
    findCandidates(database, table, filter, version),
  );
  return found.kind === 'ids' ? handOver(found, [found.ids.buffer as ArrayBuffer]) : found;
}

export async function stretchOf({ index, query, wanted }: StretchInput): Promise<StretchResult> {
  const none: StretchResult = { skipped: 0, count: 0, last: 0 };
  try {
    return await withIndex<StretchResult | Promise<StretchResult>>(index, none, (database, table) =>
      readStretch(database, table, query, wanted),
    );
  } catch (error) {
    throw problemOf(error);
  }
}

export function valuesOf({ index, attribute, version, which }: ValuesInput): readonly GranuleValue[] {
  return withIndex<readonly GranuleValue[]>(index, [], (database, { number, schema }) => {
    const column = columnOf(schema, attribute);
    if (column === undefined) throw new Error(`The index '${schema.name}' has no values '${attribute}'.`);
    const type = valueAttributes(schema).find(({ name }) => name === attribute)?.type ?? 'string';
    const visible = `since <= ${version} AND until > ${version}`;
    // The cast is for whole numbers that are too long for memory.
    const shown = type === 'long' ? `CAST(${column} AS TEXT)` : column;
    const next = (after: string, order: 'ASC' | 'DESC') =>
      database.prepare(
        `SELECT ${shown}, ${column} FROM ${granulesTable(number)} WHERE ${visible} AND ${after} ORDER BY ${column} ${order} LIMIT 1`,
        { returnArrays: true, readBigInts: type === 'long' },
      );
    const values: GranuleValue[] = [];
    const take = (row: readonly unknown[] | undefined): void => {
      if (row !== undefined) values.push(shownValue(row[0] as Parameters<typeof shownValue>[0], typeOf()));
    };
    const typeOf = () => (column === 'imageindex' ? 'integer' : type);
    if (which === 'extremes') {
      for (const order of ['ASC', 'DESC'] as const) take(rowOf(next(`${column} IS NOT NULL`, order).get()));
      return values;
    }
    const following = next(`${column} > ?`, 'ASC');
    for (let row = rowOf(next(`${column} IS NOT NULL`, 'ASC').get()); row !== undefined && values.length < which; ) {
      take(row);
      row = rowOf(following.get(row[1] as string));
    }
    return values;
  });
}

/** Rows are arrays because the statement says so. */
function rowOf(row: unknown): readonly unknown[] | undefined {
  return row as readonly unknown[] | undefined;
}

export function locationsIn({ mosaic, schemas, locations, version }: LocationsInput): readonly string[] {
  return within(mosaic.file, (database) => {
    const found = new Set<string>();
    for (const schema of schemas) {
      const table = findIndex(database, mosaic.mosaic, schema);
      if (table === undefined) continue;
      const look = database.prepare(
        `SELECT 1 FROM ${granulesTable(table.number)} WHERE location = ? AND since <= ? AND until > ? LIMIT 1`,
      );
      for (const location of locations) {
        if (!found.has(location) && look.get(location.toWellFormed(), version, version) !== undefined)
          found.add(location);
      }
    }
    return [...found];
  });
}

export function makeIndex({
  mosaic: { file, mosaic },
  schema,
  base,
}: {
  readonly mosaic: MosaicAddress;
  readonly schema: GranuleSchema;
  readonly base: number;
}): void {
  within(file, (database) =>
    inTransaction(database, () => {
      if (findIndex(database, mosaic, schema) !== undefined) return;
      for (const { number, schema: other } of indexesOf(database, mosaic)) {
        const shown = `SELECT 1 FROM ${granulesTable(number)} WHERE since <= ${base} AND until > ${base} LIMIT 1`;
        if (other.name === schema.name && database.prepare(shown).get() !== undefined)
          throw new Error(`The index '${schema.name}' has granules of another schema.`);
      }
      createIndexTable(database, mosaic, schema);
    }),
  );
}

export function addGranules(input: {
  readonly index: IndexAddress;
  readonly version: number;
  readonly drafts: readonly GranuleDraft[];
}): void {
  within(input.index.file, (database) => addRows(database, known(input.index, database), input.version, input.drafts));
}

export function removeFormer(input: {
  readonly index: IndexAddress;
  readonly version: number;
  readonly locations: readonly string[];
}): void {
  const { index, version, locations } = input;
  const wellFormed = locations.map((location) => location.toWellFormed());
  withIndex<void>(index, undefined, (database, table) => removeFormerRows(database, table, version, wellFormed));
}

export function removeGranules(input: {
  readonly index: IndexAddress;
  readonly version: number;
  readonly ids: readonly number[];
}): void {
  within(input.index.file, (database) => removeRows(database, known(input.index, database), input.version, input.ids));
}

export function listVersions({ file, mosaic }: MosaicAddress): readonly GranuleVersion[] {
  return within(file, (database) => versionsOf(database, mosaic));
}

export function begin({ mosaic: { file, mosaic }, base, atMs }: BeginInput): Begun {
  return within(file, (database) =>
    inTransaction(database, () => {
      const [unended] = unendedVersions(database, mosaic);
      return unended === undefined ? { version: beginVersion(database, mosaic, base, atMs) } : { unended };
    }),
  );
}

/** Gives where to go on, if there is more. */
export function repeat({ mosaic: { file, mosaic }, from, version, place }: RepeatInput): RepeatPlace | undefined {
  return within(file, (database) => {
    const table = indexesOf(database, mosaic)[place.index];
    if (table === undefined) return undefined;
    const after = repeatStep(database, table, { from, version, after: place.after });
    return after === undefined ? { index: place.index + 1, after: 0 } : { index: place.index, after };
  });
}

export function end({ mosaic: { file, mosaic }, version }: VersionInput): void {
  within(file, (database) => endVersion(database, mosaic, version));
}

/** Whether there is more to take back. */
export function takeBack({ mosaic: { file, mosaic }, version }: VersionInput): boolean {
  return within(file, (database) => {
    const isMore = indexesOf(database, mosaic).some((table) => takeBackStep(database, table, version));
    if (!isMore) forgetVersion(database, mosaic, version);
    return isMore;
  });
}

/** Whether there is more to clear. */
export function clear({ mosaic: { file, mosaic }, kept, upTo }: ClearInput): boolean {
  return within(file, (database) => {
    const isMore = indexesOf(database, mosaic).some((table) => clearStep(database, table, { kept, upTo }));
    if (!isMore) forgetVersions(database, mosaic, upTo, kept);
    return isMore;
  });
}

export function sync(file: string): void {
  within(file, makeDurable);
}

export function dropMosaic({ file, mosaic }: MosaicAddress): void {
  within(file, (database) => {
    for (const { number } of indexesOf(database, mosaic))
      inTransaction(database, () => dropIndexTable(database, number));
    forgetAllVersions(database, mosaic);
  });
}

export function listMosaics(file: string): readonly string[] {
  return within(file, (database) =>
    database
      .prepare('SELECT DISTINCT mosaic FROM indexes')
      .all()
      .map((row) => String(row['mosaic'])),
  );
}
