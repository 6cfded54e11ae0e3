/** Granules of a data directory as the source or the target of a copy. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { getDatabase, makeDurable, runInTransaction } from '../embedded/database.ts';
import {
  type Axis,
  createIndexTable,
  findIndex,
  formatBoxesTable,
  formatGranulesTable,
  listAxisDomains,
  writeAxes,
} from '../embedded/index-table.ts';
import {
  computeAxes,
  computeDraftBounds,
  computeSpans,
  createGranuleReader,
  toAxisValue,
  writeSelectColumns,
} from '../embedded/rows.ts';
import type { GranuleSchema } from '../port/port.ts';
import { listTypedColumns } from '../shared/index-tables.ts';
import type { CopiedGranule, CopiedGranules } from './copied-granules.ts';

const GRANULES_PER_BATCH = 500;

export function openFileGranules(file: string): CopiedGranules {
  const database = getDatabase(file);
  return {
    listVersions: async () =>
      database
        // The numbers of interrupted sessions must not be used again: their granules are copied as well.
        .prepare('SELECT mosaic, version, made_at_ms FROM versions ORDER BY mosaic, version')
        .all()
        .map((row) => [String(row['mosaic']), Number(row['version']), Number(row['made_at_ms'])] as const),
    listIndexes: async () =>
      database
        .prepare('SELECT number, mosaic, schema FROM indexes ORDER BY number')
        .all()
        .map((row) => {
          // The server wrote it.
          const schema = JSON.parse(String(row['schema'])) as GranuleSchema;
          return {
            mosaic: String(row['mosaic']),
            schema,
            readRows: async function* () {
              yield* readRows(database, formatGranulesTable(Number(row['number'])), schema);
            },
          };
        }),
    // The file is new.
    clear: async () => undefined,
    async addVersions(versions) {
      const add = database.prepare(
        'INSERT INTO versions (mosaic, version, made_at_ms, is_committed) VALUES (?, ?, ?, 1)',
      );
      for (const version of versions) add.run(...version);
    },
    async addIndex({ mosaic, schema, readRows: rows }) {
      createIndexTable(database, mosaic, schema);
      const number = findIndex(database, mosaic, schema)?.number ?? 0;
      let axes: readonly Axis[] | undefined;
      for await (const piece of rows()) {
        const values = parseRows(schema, piece);
        axes ??= computeAxes(schema, values.map(createDraftReader(schema)));
        const known = axes;
        runInTransaction(database, () => addRows(database, number, { schema, axes: known }, values));
      }
      if (axes !== undefined) writeAxes(database, number, axes);
      makeDurable(database);
    },
  };
}

function* readRows(database: DatabaseSync, table: string, schema: GranuleSchema): Generator<readonly CopiedGranule[]> {
  const columns = writeSelectColumns(schema).replace('g.gid', 'g.gid, g.since, g.until');
  const statement = database.prepare(`SELECT ${columns} FROM ${table} AS g ORDER BY g.id`, { returnArrays: true });
  let piece: CopiedGranule[] = [];
  for (const row of statement.iterate() as unknown as Iterable<readonly SQLInputValue[]>) {
    piece.push(row.map(toText));
    if (piece.length < GRANULES_PER_BATCH) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

function toText(value: SQLInputValue): string | null {
  if (value === null) return null;
  if (!ArrayBuffer.isView(value)) return String(value);
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

const OWN_COLUMNS = ['id', 'gid', 'since', 'until'];

type Values = readonly (string | number | bigint | Buffer<ArrayBuffer> | null)[];

function parseRows(schema: GranuleSchema, rows: readonly CopiedGranule[]): readonly Values[] {
  const types = [...OWN_COLUMNS.map(() => 'bigint'), ...listTypedColumns(schema).map(([, type]) => type)];
  return rows.map((row) => row.map((text, at) => readValue(text, types[at] ?? 'text')));
}

function readValue(text: string | null, type: string): Values[number] {
  if (text === null || type === 'text') return text;
  if (type === 'bytea') return Buffer.from(text.slice(2), 'hex');
  return type === 'float8' ? Number(text) : BigInt(text);
}

/** The reader expects rows without the version columns. */
function createDraftReader(schema: GranuleSchema) {
  const read = createGranuleReader(schema);
  return ([id = null, gid = null, , , ...values]: Values) => read([id, gid, ...values]);
}

function addRows(
  database: DatabaseSync,
  number: number,
  { schema, axes }: { readonly schema: GranuleSchema; readonly axes: readonly Axis[] },
  rows: readonly Values[],
): void {
  const names = [...OWN_COLUMNS, ...listTypedColumns(schema).map(([name]) => name)];
  const addRow = database.prepare(
    `INSERT INTO ${formatGranulesTable(number)} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const addBox = database.prepare(
    `INSERT INTO ${formatBoxesTable(number)} VALUES (?, ?, ?, ?, ?${', ?, ?'.repeat(axes.length)})`,
  );
  const domains = listAxisDomains(schema);
  const toDraft = createDraftReader(schema);
  for (const row of rows) {
    addRow.run(...row);
    const draft = toDraft(row);
    const { minX, minY, maxX, maxY } = computeDraftBounds(draft);
    const spans = computeSpans(domains, draft).flatMap(({ least, greatest }, at) => {
      const axis = axes[at];
      return axis === undefined ? [] : [toAxisValue(least, axis), toAxisValue(greatest, axis)];
    });
    addBox.run(row[0] ?? 0, minX, maxX, minY, maxY, ...spans);
  }
}
