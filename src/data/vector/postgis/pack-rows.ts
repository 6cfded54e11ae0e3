/** Packs the rows of a table for whoever draws them, as they come from the database. */
import { FeaturePacker } from '../pack-features.ts';
import { createHexPacking } from '../pack-wkb.ts';
import type { FeatureBatch } from '../packed-features.ts';
import type { PackedAttributes, SourceQuery } from '../port.ts';
import type { SqlView } from '../sql-view.ts';
import { shownColumns } from './describe.ts';
import { type Place, tableNamed, valueReader } from './read.ts';
import { RowStream } from './row-stream.ts';
import type { Row } from './short-query.ts';
import { conditionFor } from './sql-table.ts';
import { type StatementParts, writeStatement } from './statement.ts';
import { keyColumns, type Table } from './table.ts';

/** Undefined where something would be left undone, and for queries of clients, which run in transactions of their own. */
export async function packRows(
  place: Place,
  named: string | SqlView,
  { filter, sort, start, offset, limit }: SourceQuery,
  attributes: PackedAttributes,
  signal: AbortSignal,
): Promise<AsyncIterable<FeatureBatch> | undefined> {
  const isPage = start !== undefined || offset !== undefined || limit !== undefined;
  if (typeof named !== 'string' || isPage) return undefined;
  const table = await tableNamed(place, named, signal);
  const condition = filter && conditionFor(table, filter);
  const isKeyless = keyColumns(table).length === 0;
  if (condition?.remainder !== undefined || (isKeyless && attributes.hasIds)) return undefined;
  const wanted = new Set([...attributes.geometries, ...attributes.values]);
  const columns = shownColumns(table, place.settings).filter(({ name }) => wanted.has(name));
  if (columns.length < wanted.size) return undefined;
  const query = sort === undefined ? {} : { sort };
  const { tolerance } = attributes;
  const parts = {
    ...{ columns, condition, query, isOrdered: false, isFenced: false, isCounted: false },
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return batchesOf(place, table, parts, attributes, signal);
}

async function* batchesOf(
  { connections }: Place,
  table: Table,
  parts: StatementParts,
  attributes: PackedAttributes,
  signal: AbortSignal,
): AsyncGenerator<FeatureBatch> {
  const statement = writeStatement(table, parts);
  const packer = new FeaturePacker(attributes.values.length, attributes.hasIds);
  const pack = rowPacking(table, parts, statement.keys + statement.sorts, attributes, packer);
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
  } catch (error) {
    throw connections.failure(error, signal);
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
  first: number,
  { geometries, values, hasIds }: PackedAttributes,
  packer: FeaturePacker,
): (row: Row) => void {
  const keys = keyColumns(table).length;
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
