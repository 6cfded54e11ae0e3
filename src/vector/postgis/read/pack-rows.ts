/** Packs table rows for rendering as they arrive from the database. */

import type { FeatureBatch } from '../../port/packed-features.ts';
import type { PackedAttributes, SourceQuery } from '../../port/port.ts';
import type { SqlView } from '../../port/sql-view.ts';
import { FeaturePacker, findDates } from '../../support/pack-features.ts';
import { createWkbPacker } from '../../support/pack-wkb.ts';
import { isLostConnection } from '../connection/failure.ts';
import { createValueAttribute, isGeometryColumn } from '../table/columns.ts';
import { listVisibleColumns } from '../table/describe.ts';
import { writeTableCondition } from '../table/sql-table.ts';
import { type Statement, type StatementParts, writeStatement } from '../table/statement.ts';
import { listKeyColumns, type Table } from '../table/table.ts';
import { createValueReader, type PostgisContext } from './read.ts';
import { getRecentTable, isOutdated, loadCurrentTable } from './recent-table.ts';
import { type RowFields, RowStream } from './row-stream.ts';
import type { ResultFormat } from './send-statement.ts';

/** Returns undefined if a remainder would exist, and for SQL views, which run in their own transactions. */
export async function packRows(
  place: PostgisContext,
  named: string | SqlView,
  { query, attributes }: { readonly query: SourceQuery; readonly attributes: PackedAttributes },
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch> | undefined> {
  const { start, offset, limit } = query;
  const isPage = start !== undefined || offset !== undefined || limit !== undefined;
  if (typeof named !== 'string' || isPage) return undefined;
  const createPlan = (table: Table) => planPacking(place, table, query, attributes);
  const createCurrentPlan = async () => createPlan(await loadCurrentTable(place, named, signal));
  const recent = createPlan(await getRecentTable(place, named, signal));
  return recent && readBatchesWithRetry(place, { recent, planOfNow: createCurrentPlan }, attributes, signal);
}

/** The query on a table with known columns. */
interface PackingPlan {
  readonly table: Table;
  readonly parts: StatementParts;
}

function planPacking(
  { settings }: PostgisContext,
  table: Table,
  { filter, sort }: SourceQuery,
  { geometries, values, hasIds, tolerance }: PackedAttributes,
): PackingPlan | undefined {
  const condition = filter && writeTableCondition(table, filter);
  const isKeyless = listKeyColumns(table).length === 0;
  if (condition?.remainder !== undefined || (isKeyless && hasIds)) return undefined;
  const wanted = new Set([...geometries, ...values]);
  const columns = listVisibleColumns(table, settings).filter(({ name }) => wanted.has(name));
  if (columns.length < wanted.size) return undefined;
  const query = sort === undefined ? {} : { sort };
  const parts = {
    ...{ columns, condition, query, isOrdered: false, isFenced: false, isCounted: false },
    ...(hasIds ? {} : { isWithoutKeys: true }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return { table, parts };
}

/** Retries once if the table has changed or the connection was lost. */
async function* readBatchesWithRetry(
  place: PostgisContext,
  { recent, planOfNow }: { readonly recent: PackingPlan; readonly planOfNow: () => Promise<PackingPlan | undefined> },
  attributes: PackedAttributes,
  signal: AbortSignal,
): AsyncGenerator<FeatureBatch> {
  let hasBegun = false;
  try {
    for await (const batch of readBatches(place, recent, attributes, signal)) {
      hasBegun = true;
      yield batch;
    }
  } catch (error) {
    const mayHelp = !hasBegun && !signal.aborted && (isOutdated(error) || isLostConnection(error));
    const current = mayHelp ? await planOfNow() : undefined;
    if (current === undefined) throw place.connections.toError(error, signal);
    yield* readBatches(place, current, attributes, signal);
  }
}

async function* readBatches(
  { connections }: PostgisContext,
  { table, parts }: PackingPlan,
  attributes: PackedAttributes,
  signal: AbortSignal,
): AsyncGenerator<FeatureBatch> {
  const statement = writeStatement(table, parts);
  const { values, hasIds } = attributes;
  const described = parts.columns.filter((column) => !isGeometryColumn(column)).map(createValueAttribute);
  const packer = new FeaturePacker(values.length, hasIds, findDates(values, described));
  const take = createRowPacker(table, { parts, statement }, attributes, packer);
  const taken = await connections.acquire(signal);
  const results = listResultFormats(parts, statement);
  const stream = new RowStream(
    { ...statement, results },
    {
      consume: take,
      get isFull() {
        return packer.isFull;
      },
    },
  );
  let isOpen = true;
  try {
    taken.client.query(stream);
    while (await taken.rejectOnAbort(stream.fill())) yield packer.flush();
    isOpen = false;
    taken.release(false);
    if (!packer.isEmpty) yield packer.flush();
  } finally {
    if (isOpen) {
      stream.abandon();
      taken.release(true);
    }
  }
}

/** Geometries are binary, all other values text. */
function listResultFormats({ columns }: StatementParts, { keys, sorts }: Statement): readonly ResultFormat[] {
  return [
    ...new Array<ResultFormat>(keys + sorts).fill('text'),
    ...columns.map((column) => (isGeometryColumn(column) ? 'binary' : 'text')),
  ];
}

function createRowPacker(
  table: Table,
  { parts: { columns }, statement: { keys, sorts } }: { readonly parts: StatementParts; readonly statement: Statement },
  { geometries, values, hasIds }: PackedAttributes,
  packer: FeaturePacker,
): (row: RowFields) => void {
  const first = keys + sorts;
  const findColumnIndex = (name: string): number => first + columns.findIndex((each) => each.name === name);
  const keyPlaces = Array.from({ length: keys }, (_, place) => place);
  const readValues = values.map((name) => {
    const place = findColumnIndex(name);
    const column = columns[place - first];
    const read = column === undefined ? () => null : createValueReader(column);
    return (row: RowFields) => {
      const text = readText(row, place);
      return text === null ? null : read(text);
    };
  });
  const geometryPlaces = geometries.map(findColumnIndex);
  const packWkb = createWkbPacker(packer);
  return (row) => {
    packer.startFeature(hasIds ? `${table.name}.${keyPlaces.map((place) => readText(row, place)).join('.')}` : '');
    for (let column = 0; column < readValues.length; column += 1) packer.addValue(column, readValues[column]?.(row));
    const { bytes, view, starts, lengths } = row;
    for (let slot = 0; slot < geometryPlaces.length; slot += 1) {
      const place = geometryPlaces[slot] ?? -1;
      const length = lengths[place] ?? -1;
      if (length >= 0) packWkb(bytes, view, starts[place] ?? 0, length, slot);
    }
  };
}

function readText({ bytes, starts, lengths }: RowFields, place: number): string | null {
  const [start, length] = [starts[place] ?? 0, lengths[place] ?? -1];
  return length < 0 ? null : bytes.toString('utf8', start, start + length);
}
