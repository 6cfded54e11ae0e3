/** What a storage consists of, in the form in which it goes from one database to another: the same rows for all of them. */
import { createHash } from 'node:crypto';

export type CopiedRow = readonly (string | number | null)[];

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What its rows are ordered by, in every database alike. */
  readonly order: string;
}

/** In an order in which whatever refers to something comes after it; records may refer to later ones among themselves. */
export const copiedTables: readonly CopiedTable[] = [
  {
    name: 'records',
    columns: ['age', 'id', 'kind', 'parent', 'name', 'version', 'created_at_ms', 'modified_at_ms', 'body'],
    order: 'age',
  },
  { name: 'record_keys', columns: ['kind', 'key', 'value', 'record_age'], order: 'kind, key, value, record_age' },
  { name: 'record_files', columns: ['file', 'record_age'], order: 'file, record_age' },
  { name: 'changes', columns: ['sequence', 'at_ms', 'who', 'what', 'undoes'], order: 'sequence' },
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
  { name: 'notes', columns: ['name', 'text'], order: 'name' },
  { name: 'kept_replies', columns: ['who', 'key', 'at_ms', 'request', 'reply'], order: 'who, key' },
];

/** Bytes of shared files; null for those that somebody wanted gone. */
export interface CopiedBlob {
  readonly hash: string;
  readonly bytes: number | null;
}

/** The places that bytes are kept in, by their names in a data directory. */
export const shelves = ['blobs', 'sets'] as const;
export type Shelf = (typeof shelves)[number];

export interface CopiedHead {
  readonly sequence: number;
  readonly atMs: number;
  readonly announced: number;
}

/** One storage, to be read: one state of it, for as long as that takes. */
export interface CopySource {
  readHead(): Promise<CopiedHead>;
  /** In pieces of some thousands. */
  readRows(table: CopiedTable): AsyncIterable<readonly CopiedRow[]>;
  listBlobs(shelf: Shelf): AsyncIterable<CopiedBlob>;
  read(shelf: Shelf, hash: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** One storage that nothing is in, to be filled. Nobody sees any of it before `keep`. */
export interface CopyTarget extends CopySource {
  insert(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  setHead(head: CopiedHead): Promise<void>;
  put(shelf: Shelf, blob: CopiedBlob, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  commit(): Promise<void>;
}

/** What tells the rows of a table from others: their number, and a hash over all of them. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  readonly hash: string;
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
