/** Streams the features of a table through a cursor, in batches that stay small whatever the rows weigh. */
import type { CustomTypesConfig } from 'pg';
import Cursor from 'pg-cursor';
import { problem } from '../../../lib/problem.ts';
import type { SqlFilter } from '../../filter/sql.ts';
import { fittingFeatures } from '../fitting-features.ts';
import type { Geometry } from '../geometry.ts';
import type { Feature, ReadQuery, Value } from '../port.ts';
import { qualified, quoted } from '../quoted-sql.ts';
import type { SqlView } from '../sql-view.ts';
import { readMoment, readWholeNumber } from '../value-text.ts';
import { decodeWkb } from '../wkb-decode.ts';
import { type CatalogColumn, isGeometryColumn, valueAttribute } from './columns.ts';
import type { Connections } from './connections.ts';
import { shownColumns } from './describe.ts';
import type { PostgisSettings } from './parameters.ts';
import { BEGIN, END, inQuery } from './query-table.ts';
import { conditionFor } from './sql-table.ts';
import { findTable, keyColumns, type Table } from './table.ts';

const FIRST_ROWS = 64;
const MOST_ROWS = 2_048;
const BATCH_CHARACTERS = 4_194_304;

type Row = readonly (string | null)[];

/** Texts as they come: which value they are is decided by the column. */
const asText: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

export async function* readTable(
  connections: Connections,
  settings: PostgisSettings,
  named: string | SqlView,
  query: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const table =
    typeof named === 'string'
      ? await connections.ask(signal, (client) => findTable(client, settings.schema, named))
      : await connections.ask(signal, (client) => inQuery(client, named, (found) => found));
  if (table === undefined)
    throw problem('vector-type-unknown', { name: typeof named === 'string' ? named : named.name });
  if (limit <= 0) return;
  const condition = query.filter && conditionFor(table, query.filter);
  const remainder = condition?.remainder;
  if (remainder === undefined) {
    yield* readRows(connections, settings, table, { limit, condition }, signal);
    return;
  }
  const rows = readRows(connections, settings, table, { limit: Number.POSITIVE_INFINITY, condition }, signal);
  yield* fittingFeatures(
    rows,
    shownColumns(table, settings).map(({ name }) => name),
    remainder,
    limit,
  );
}

interface Selected {
  readonly limit: number;
  readonly condition: SqlFilter | undefined;
}

async function* readRows(
  connections: Connections,
  settings: PostgisSettings,
  table: Table,
  selected: Selected,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const taken = await connections.take(signal);
  let isBroken = true;
  const isQuery = table.declared !== undefined;
  try {
    if (isQuery) await taken.client.query(BEGIN);
    const cursor = taken.client.query(
      new Cursor<Row>(selection(table, settings, selected), [...(selected.condition?.parameters ?? [])], {
        rowMode: 'array',
        types: asText,
      }),
    );
    const toFeature = featureReader(table, settings);
    let rowsWanted = FIRST_ROWS;
    for (let given = 0; ; ) {
      const reading = cursor.read(rowsWanted);
      reading.catch(() => undefined);
      const rows = await Promise.race([reading, taken.aborted]);
      if (rows.length === 0) break;
      const features = rows.map((row, index) => toFeature(row, given + index + 1));
      given += rows.length;
      yield features;
      rowsWanted = nextRows(rows);
    }
    if (isQuery) await taken.client.query(END);
    isBroken = false;
  } catch (error) {
    throw connections.failure(error, signal);
  } finally {
    // A reading that stopped early leaves an open cursor: such a connection is not worth being tidied up.
    taken.release(isBroken);
  }
}

function nextRows(rows: readonly Row[]): number {
  let characters = 1;
  for (const row of rows) for (const text of row) characters += text?.length ?? 0;
  const fitting = Math.floor((BATCH_CHARACTERS / characters) * rows.length);
  return Math.max(1, Math.min(MOST_ROWS, fitting));
}

/** The key comes first, then what is shown. */
function selection(table: Table, settings: PostgisSettings, { limit, condition }: Selected): string {
  const shown = shownColumns(table, settings).map((column) =>
    isGeometryColumn(column)
      ? `${qualified(column.typeSchema, 'st_asbinary')}(${quoted(column.name)})`
      : quoted(column.name),
  );
  const expressions = [...keyColumns(table).map(({ name }) => quoted(name)), ...shown].join(', ');
  const where = condition === undefined ? '' : ` WHERE ${condition.sql}`;
  const rows = limit >= Number.MAX_SAFE_INTEGER ? '' : ` LIMIT ${Math.trunc(limit)}`;
  // A table without columns still has rows.
  return `SELECT ${expressions === '' ? 'NULL' : expressions} FROM ${table.relation}${where}${rows}`;
}

/** A view has no key: its features are counted. */
function featureReader(table: Table, settings: PostgisSettings): (row: Row, number: number) => Feature {
  const keys = keyColumns(table).length;
  const readers = shownColumns(table, settings).map(valueReader);
  return (row, number) => ({
    id: `${table.name}.${keys === 0 ? number : row.slice(0, keys).join('.')}`,
    values: readers.map((read, index) => {
      const text = row[keys + index] ?? null;
      return text === null ? null : read(text);
    }),
  });
}

function valueReader(column: CatalogColumn): (text: string) => Value | Geometry {
  if (isGeometryColumn(column)) return (text) => decodeWkb(Buffer.from(text.slice(2), 'hex')).geometry;
  const attribute = valueAttribute(column);
  switch (attribute.type) {
    case 'boolean':
      return (text) => text === 't';
    case 'short':
    case 'integer':
    case 'float':
    case 'double':
      return Number;
    case 'long':
      return readWholeNumber;
    case 'date':
    case 'timestamp':
      return readMoment;
    case 'bytes':
      return (text) => Buffer.from(text.slice(2), 'hex');
    default:
      return (text) => text;
  }
}
