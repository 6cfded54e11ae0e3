/** Packs the rows of a table for whoever draws them, as they come from the database. */
import { FeaturePacker } from '../pack-features.ts';
import { createHexPacking } from '../pack-wkb.ts';
import type { FeatureBatch } from '../packed-features.ts';
import type { PackedAttributes, SourceQuery } from '../port.ts';
import type { SqlView } from '../sql-view.ts';
import { shownColumns } from './describe.ts';
import { isLostConnection } from './failure.ts';
import { type Place, valueReader } from './read.ts';
import { isOutdated, recentTable, tableOfNow } from './recent-table.ts';
import { RowStream } from './row-stream.ts';
import type { Row } from './short-query.ts';
import { conditionFor } from './sql-table.ts';
import { type Statement, type StatementParts, writeStatement } from './statement.ts';
import { keyColumns, type Table } from './table.ts';

/** Undefined where something would be left undone, and for queries of clients, which run in transactions of their own. */
export async function packRows(
  place: Place,
  named: string | SqlView,
  query: SourceQuery,
  attributes: PackedAttributes,
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch> | undefined> {
  const { start, offset, limit } = query;
  const isPage = start !== undefined || offset !== undefined || limit !== undefined;
  if (typeof named !== 'string' || isPage) return undefined;
  const plan = (table: Table) => planned(place, table, query, attributes);
  const planOfNow = async () => plan(await tableOfNow(place, named, signal));
  const recent = plan(await recentTable(place, named, signal));
  return recent && batchesOf(place, recent, planOfNow, attributes, signal);
}

/** What is asked of a table as it is known. */
interface PackingPlan {
  readonly table: Table;
  readonly parts: StatementParts;
}

function planned(
  { settings }: Place,
  table: Table,
  { filter, sort }: SourceQuery,
  { geometries, values, hasIds, tolerance }: PackedAttributes,
): PackingPlan | undefined {
  const condition = filter && conditionFor(table, filter);
  const isKeyless = keyColumns(table).length === 0;
  if (condition?.remainder !== undefined || (isKeyless && hasIds)) return undefined;
  const wanted = new Set([...geometries, ...values]);
  const columns = shownColumns(table, settings).filter(({ name }) => wanted.has(name));
  if (columns.length < wanted.size) return undefined;
  const query = sort === undefined ? {} : { sort };
  const parts = {
    ...{ columns, condition, query, isOrdered: false, isFenced: false, isCounted: false },
    ...(hasIds ? {} : { isWithoutKeys: true }),
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return { table, parts };
}

/** Where the table turns out to be another than it was a moment ago, or the connection is lost, all is asked once more. */
async function* batchesOf(
  place: Place,
  recent: PackingPlan,
  planOfNow: () => Promise<PackingPlan | undefined>,
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
    if (current === undefined) throw place.connections.failure(error, signal);
    yield* readBatches(place, current, attributes, signal);
  }
}

async function* readBatches(
  { connections }: Place,
  { table, parts }: PackingPlan,
  attributes: PackedAttributes,
  signal: AbortSignal,
): AsyncGenerator<FeatureBatch> {
  const statement = writeStatement(table, parts);
  const packer = new FeaturePacker(attributes.values.length, attributes.hasIds);
  const pack = rowPacking(table, parts, statement, attributes, packer);
  const taken = await connections.take(signal);
  const stream = new RowStream(statement);
  let isOpen = true;
  try {
    taken.client.query(stream);
    for (;;) {
      const rows = await taken.unlessAborted(stream.next());
      if (rows === undefined) break;
      for (const row of rows) pack(row);
      if (packer.isFull) yield packer.take();
    }
    isOpen = false;
    taken.release(false);
    if (!packer.isEmpty) yield packer.take();
  } finally {
    if (isOpen) {
      stream.abandon();
      taken.release(true);
    }
  }
}

/** What the database writes before bytes. */
const HEX_MARK = '\\x';

function rowPacking(
  table: Table,
  { columns }: StatementParts,
  { keys, sorts }: Statement,
  { geometries, values, hasIds }: PackedAttributes,
  packer: FeaturePacker,
): (row: Row) => void {
  const first = keys + sorts;
  const placeOf = (name: string): number => first + columns.findIndex((each) => each.name === name);
  const readValues = values.map((name) => {
    const place = placeOf(name);
    const column = columns[place - first];
    const read = column === undefined ? () => null : valueReader(column);
    return (row: Row) => {
      const text = row[place] ?? null;
      return text === null ? null : read(text);
    };
  });
  const geometryPlaces = geometries.map(placeOf);
  const packHex = createHexPacking(packer);
  return (row) => {
    packer.startFeature(hasIds ? `${table.name}.${row.slice(0, keys).join('.')}` : '');
    for (const [column, read] of readValues.entries()) packer.addValue(column, read(row));
    for (const [slot, place] of geometryPlaces.entries()) {
      const text = row[place] ?? null;
      if (text !== null) packHex(text.slice(HEX_MARK.length), slot);
    }
  };
}
