/** The tasks of the embedded index in a thread: one short read or write at a time. */
import type { DatabaseSync } from 'node:sqlite';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { toStorageProblem } from '../../../lib/problems/sqlite-problem.ts';
import type { Task } from '../../../workers/task.ts';
import { markTransferable } from '../../../workers/transferables.ts';
import type { GranuleDraft, GranuleSchema, GranuleValue } from '../port/port.ts';
import { getDatabase, makeDurable, runInTransaction } from './database.ts';
import {
  createIndexTable,
  dropIndexTable,
  findColumn,
  findIndex,
  formatGranulesTable,
  type IndexTable,
  listIndexes,
  listValueAttributes,
} from './index-table.ts';
import {
  type Candidates,
  findCandidates,
  type ResultKind,
  readStretch,
  type StretchQuery,
  type StretchResult,
} from './read-rows.ts';
import { fromStoredValue } from './rows.ts';
import {
  beginVersion,
  deleteAllVersions,
  deleteVersion,
  deleteVersions,
  endVersion,
  type GranuleVersion,
  listCommittedVersions,
  listUncommittedVersions,
} from './versions.ts';
import { addRows, clearStep, removeFormerRows, removeRows, repeatStep, rollbackStep } from './write-rows.ts';

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
  readonly wanted: ResultKind;
}

interface ValuesInput {
  readonly index: IndexAddress;
  readonly attribute: string;
  readonly version: number;
  /** The number of lowest values, or the lowest and the highest. */
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

/** A new version, or that of an interrupted session, which must be rolled back first. */
type BeginResult = { readonly version: number } | { readonly unended: number };

interface RepeatInput extends VersionInput {
  /** The version to restore. */
  readonly from: number;
  readonly place: RepeatPosition;
}

/** The progress of a restore: the index and the last row. */
interface RepeatPosition {
  readonly index: number;
  readonly after: number;
}

interface ClearInput {
  readonly mosaic: MosaicAddress;
  /** Versions that are in use or may be used again. */
  readonly kept: readonly number[];
  /** Later versions are kept. */
  readonly upTo: number;
}

const module = import.meta.url;
const createTask = <I, O>(work: (input: I) => O | Promise<O>): Task<I, O> => ({ module, name: work.name, work });

export const findCandidatesTask: Task<CandidatesInput, Candidates> = createTask(findIndexCandidates);
export const readStretchTask: Task<StretchInput, StretchResult> = createTask(readIndexStretch);
export const readValuesTask: Task<ValuesInput, readonly GranuleValue[]> = createTask(readAttributeValues);
export const findLocationsTask: Task<LocationsInput, readonly string[]> = createTask(findUsedLocations);
export const makeIndexTask: Task<{ mosaic: MosaicAddress; schema: GranuleSchema; base: number }, void> =
  createTask(makeIndex);
export const addGranulesTask: Task<{ index: IndexAddress; version: number; drafts: readonly GranuleDraft[] }, void> =
  createTask(addGranules);
export const removeFormerTask: Task<{ index: IndexAddress; version: number; locations: readonly string[] }, void> =
  createTask(removeFormer);
export const removeGranulesTask: Task<{ index: IndexAddress; version: number; ids: readonly number[] }, void> =
  createTask(removeGranules);
export const listVersionsTask: Task<MosaicAddress, readonly GranuleVersion[]> = createTask(listVersions);
export const beginVersionTask: Task<BeginInput, BeginResult> = createTask(beginMosaicVersion);
export const repeatVersionTask: Task<RepeatInput, RepeatPosition | undefined> = createTask(repeatMosaicVersion);
export const endVersionTask: Task<VersionInput, void> = createTask(endMosaicVersion);
export const rollbackVersionTask: Task<VersionInput, boolean> = createTask(rollbackVersionStep);
export const clearVersionsTask: Task<ClearInput, boolean> = createTask(clearVersionsStep);
export const syncDatabaseTask: Task<string, void> = createTask(syncDatabase);
export const dropMosaicTask: Task<MosaicAddress, void> = createTask(dropMosaic);
export const listMosaicsTask: Task<string, readonly string[]> = createTask(listMosaics);

/** Maps disk errors to problems. */
function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  try {
    return work(getDatabase(file));
  } catch (error) {
    throw toStorageProblem(error);
  }
}

/** An index that does not exist, or whose file is missing, has no granules. */
function withIndex<T>(
  { file, mosaic, schema }: IndexAddress,
  none: T,
  work: (database: DatabaseSync, table: IndexTable) => T,
): T {
  return withDatabase(file, (database) => {
    const table = findIndex(database, mosaic, schema);
    return table === undefined ? none : work(database, table);
  });
}

function getIndexTable({ file, mosaic, schema }: IndexAddress, database: DatabaseSync): IndexTable {
  const table = findIndex(database, mosaic, schema);
  if (table === undefined) throw new Error(`Mosaic '${mosaic}' has no index '${schema.name}' in '${file}'.`);
  return table;
}

export function findIndexCandidates({ index, filter, version }: CandidatesInput): Candidates {
  const found = withIndex<Candidates>(index, { kind: 'all', last: 0 }, (database, table) =>
    findCandidates(database, table, filter, version),
  );
  return found.kind === 'ids' ? markTransferable(found, [found.ids.buffer as ArrayBuffer]) : found;
}

export async function readIndexStretch({ index, query, wanted }: StretchInput): Promise<StretchResult> {
  const none: StretchResult = { skipped: 0, count: 0, last: 0 };
  try {
    return await withIndex<StretchResult | Promise<StretchResult>>(index, none, (database, table) =>
      readStretch(database, table, query, wanted),
    );
  } catch (error) {
    throw toStorageProblem(error);
  }
}

export function readAttributeValues({ index, attribute, version, which }: ValuesInput): readonly GranuleValue[] {
  return withIndex<readonly GranuleValue[]>(index, [], (database, { number, schema }) => {
    const column = findColumn(schema, attribute);
    if (column === undefined) throw new Error(`The index '${schema.name}' has no attribute '${attribute}'.`);
    const type = listValueAttributes(schema).find(({ name }) => name === attribute)?.type ?? 'string';
    const visible = `since <= ${version} AND until > ${version}`;
    // A cast to text preserves integers that exceed the exact range of a number.
    const shown = type === 'long' ? `CAST(${column} AS TEXT)` : column;
    const prepareNextRow = (after: string, order: 'ASC' | 'DESC') =>
      database.prepare(
        `SELECT ${shown}, ${column} FROM ${formatGranulesTable(number)} WHERE ${visible} AND ${after} ORDER BY ${column} ${order} LIMIT 1`,
        { returnArrays: true, readBigInts: type === 'long' },
      );
    const values: GranuleValue[] = [];
    const addValue = (row: readonly unknown[] | undefined): void => {
      if (row !== undefined)
        values.push(fromStoredValue(row[0] as Parameters<typeof fromStoredValue>[0], getValueType()));
    };
    const getValueType = () => (column === 'imageindex' ? 'integer' : type);
    if (which === 'extremes') {
      for (const order of ['ASC', 'DESC'] as const)
        addValue(toArrayRow(prepareNextRow(`${column} IS NOT NULL`, order).get()));
      return values;
    }
    const following = prepareNextRow(`${column} > ?`, 'ASC');
    for (
      let row = toArrayRow(prepareNextRow(`${column} IS NOT NULL`, 'ASC').get());
      row !== undefined && values.length < which;
    ) {
      addValue(row);
      row = toArrayRow(following.get(row[1] as string));
    }
    return values;
  });
}

/** The statement is configured to return arrays. */
function toArrayRow(row: unknown): readonly unknown[] | undefined {
  return row as readonly unknown[] | undefined;
}

export function findUsedLocations({ mosaic, schemas, locations, version }: LocationsInput): readonly string[] {
  return withDatabase(mosaic.file, (database) => {
    const found = new Set<string>();
    for (const schema of schemas) {
      const table = findIndex(database, mosaic.mosaic, schema);
      if (table === undefined) continue;
      const look = database.prepare(
        `SELECT 1 FROM ${formatGranulesTable(table.number)} WHERE location = ? AND since <= ? AND until > ? LIMIT 1`,
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
  withDatabase(file, (database) =>
    runInTransaction(database, () => {
      if (findIndex(database, mosaic, schema) !== undefined) return;
      for (const { number, schema: other } of listIndexes(database, mosaic)) {
        const shown = `SELECT 1 FROM ${formatGranulesTable(number)} WHERE since <= ${base} AND until > ${base} LIMIT 1`;
        if (other.name === schema.name && database.prepare(shown).get() !== undefined)
          throw new Error(`The index '${schema.name}' contains granules with a different schema.`);
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
  withDatabase(input.index.file, (database) =>
    addRows(database, getIndexTable(input.index, database), input.version, input.drafts),
  );
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
  withDatabase(input.index.file, (database) =>
    removeRows(database, getIndexTable(input.index, database), input.version, input.ids),
  );
}

export function listVersions({ file, mosaic }: MosaicAddress): readonly GranuleVersion[] {
  return withDatabase(file, (database) => listCommittedVersions(database, mosaic));
}

export function beginMosaicVersion({ mosaic: { file, mosaic }, base, atMs }: BeginInput): BeginResult {
  return withDatabase(file, (database) =>
    runInTransaction(database, () => {
      const [unended] = listUncommittedVersions(database, mosaic);
      return unended === undefined ? { version: beginVersion(database, mosaic, base, atMs) } : { unended };
    }),
  );
}

/** Returns the next position if there is more. */
export function repeatMosaicVersion({
  mosaic: { file, mosaic },
  from,
  version,
  place,
}: RepeatInput): RepeatPosition | undefined {
  return withDatabase(file, (database) => {
    const table = listIndexes(database, mosaic)[place.index];
    if (table === undefined) return undefined;
    const after = repeatStep(database, table, { from, version, after: place.after });
    return after === undefined ? { index: place.index + 1, after: 0 } : { index: place.index, after };
  });
}

export function endMosaicVersion({ mosaic: { file, mosaic }, version }: VersionInput): void {
  withDatabase(file, (database) => endVersion(database, mosaic, version));
}

/** Returns whether there is more to roll back. */
export function rollbackVersionStep({ mosaic: { file, mosaic }, version }: VersionInput): boolean {
  return withDatabase(file, (database) => {
    const isMore = listIndexes(database, mosaic).some((table) => rollbackStep(database, table, version));
    if (!isMore) deleteVersion(database, mosaic, version);
    return isMore;
  });
}

/** Returns whether there is more to delete. */
export function clearVersionsStep({ mosaic: { file, mosaic }, kept, upTo }: ClearInput): boolean {
  return withDatabase(file, (database) => {
    const isMore = listIndexes(database, mosaic).some((table) => clearStep(database, table, { kept, upTo }));
    if (!isMore) deleteVersions(database, mosaic, upTo, kept);
    return isMore;
  });
}

export function syncDatabase(file: string): void {
  withDatabase(file, makeDurable);
}

export function dropMosaic({ file, mosaic }: MosaicAddress): void {
  withDatabase(file, (database) => {
    for (const { number } of listIndexes(database, mosaic))
      runInTransaction(database, () => dropIndexTable(database, number));
    deleteAllVersions(database, mosaic);
  });
}

export function listMosaics(file: string): readonly string[] {
  return withDatabase(file, (database) =>
    database
      .prepare('SELECT DISTINCT mosaic FROM indexes')
      .all()
      .map((row) => String(row['mosaic'])),
  );
}
