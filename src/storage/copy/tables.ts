/** The contents of a storage in a form that is the same for all databases. */
import { createHash } from 'node:crypto';

export type CopiedRow = readonly (string | number | null)[];

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The sort order of the rows, which is the same in every database. */
  readonly order: string;
  /** Rows that belong to one storage and not to its copies. */
  readonly omitted?: (row: CopiedRow) => boolean;
}

/** The places of shared tiles: the record ids and change numbers of a copy are those of the original. */
function isOfOneStorage([name]: CopiedRow): boolean {
  return String(name).startsWith('shared tiles');
}

/** Referenced tables come first. Records may refer to later records. */
export const copiedTables: readonly CopiedTable[] = [
  {
    name: 'records',
    columns: ['age', 'id', 'kind', 'parent', 'name', 'version', 'created_at_ms', 'modified_at_ms', 'body'],
    order: 'age',
  },
  { name: 'record_keys', columns: ['kind', 'key', 'value', 'record_age'], order: 'kind, key, value, record_age' },
  { name: 'record_files', columns: ['file', 'record_age'], order: 'file, record_age' },
  { name: 'changes', columns: ['sequence', 'at_ms', 'who', 'what', 'undoes', 'via'], order: 'sequence' },
  {
    name: 'change_items',
    columns: [
      ...['sequence', 'ordinal', 'kind', 'record_id', 'parent_before', 'name_before', 'before'],
      ...['parent_after', 'name_after', 'after'],
    ],
    order: 'sequence, ordinal',
  },
  { name: 'change_files', columns: ['file', 'sequence'], order: 'file, sequence' },
  { name: 'kind_shapes', columns: ['kind', 'since', 'body_version', 'key_names'], order: 'kind, since' },
  { name: 'notes', columns: ['name', 'text'], order: 'name', omitted: isOfOneStorage },
  { name: 'kept_replies', columns: ['who', 'key', 'at_ms', 'request', 'reply'], order: 'who, key' },
];

/** The bytes of a shared file; null for a purged one. */
export interface CopiedBlob {
  readonly hash: string;
  readonly bytes: number | null;
  /** Whether the content is known not to match its hash. It is copied as it is. */
  readonly isDamaged?: true;
}

/** The shelves of blobs, by their folder names in a data directory. */
export const shelves = ['blobs', 'sets'] as const;
export type Shelf = (typeof shelves)[number];

export interface CopiedHead {
  readonly sequence: number;
  readonly atMs: number;
  readonly announced: number;
}

/** A storage to read from, in one snapshot. */
export interface CopySource {
  readHead(): Promise<CopiedHead>;
  /** Reads in batches of some thousands. */
  readRows(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>;
  listBlobs(shelf: Shelf): AsyncIterable<CopiedBlob>;
  read(shelf: Shelf, hash: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** An empty storage to fill. Nothing is visible before `commit`. */
export interface CopyTarget extends CopySource {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  setHead(head: CopiedHead): Promise<void>;
  put(shelf: Shelf, blob: CopiedBlob, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  commit(): Promise<void>;
}

/** The row count of a table and a hash over all rows. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  readonly hash: string;
}

/** Reads the rows that a copy contains, in batches. */
export async function* readCopiedRows(
  source: Pick<CopySource, 'readRows'>,
  table: CopiedTable,
): AsyncGenerator<readonly CopiedRow[]> {
  const { omitted } = table;
  for await (const rows of source.readRows(table))
    yield omitted === undefined ? rows : rows.filter((row) => !omitted(row));
}

export async function* hashRows(
  rows: AsyncIterable<readonly CopiedRow[]>,
  table: string,
  onSum: (sum: TableSum) => void,
): AsyncGenerator<readonly CopiedRow[]> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const piece of rows) {
    for (const row of piece) hash.update(JSON.stringify(row));
    count += piece.length;
    yield piece;
  }
  onSum({ table, rows: count, hash: hash.digest('hex') });
}
