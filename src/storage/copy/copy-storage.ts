/** Copies a whole storage into an empty one, and compares both before the copy becomes visible. */
import { createHash } from 'node:crypto';
import {
  type CopiedBlob,
  type CopySource,
  type CopyTarget,
  copiedTables,
  hashRows,
  readCopiedRows,
  type Shelf,
  shelves,
  type TableSum,
} from './tables.ts';

export interface CopyReport {
  readonly position: number;
  readonly tables: readonly TableSum[];
  readonly files: number;
  readonly bytes: number;
}

/** Copies everything or nothing. `report` receives the progress. */
export async function copyStorage(
  source: CopySource,
  target: CopyTarget,
  report: (message: string) => void,
): Promise<CopyReport> {
  const tables: TableSum[] = [];
  for (const table of copiedTables) {
    const rows = hashRows(readCopiedRows(source, table), table.name, (sum) => tables.push(sum));
    for await (const piece of rows) await target.insert(table, piece);
    report(`${table.name}: ${tables.at(-1)?.rows ?? 0}`);
  }
  const head = await source.readHead();
  await target.setHead(head);
  let [files, bytes] = [0, 0];
  for (const shelf of shelves) {
    for await (const blob of source.listBlobs(shelf)) {
      await target.put(shelf, blob, readBlob(source, shelf, blob));
      files += 1;
      bytes += blob.bytes ?? 0;
    }
    report(`${shelf}: ${files} files copied so far, ${bytes} bytes`);
  }
  await compareTables(target, tables);
  await target.commit();
  return { position: head.sequence, tables, files, bytes };
}

function readBlob(source: CopySource, shelf: Shelf, { hash, bytes, isDamaged }: CopiedBlob): AsyncIterable<Uint8Array> {
  if (bytes === null) return createEmptyStream();
  return isDamaged ? source.read(shelf, hash) : readVerified(source, shelf, hash);
}

async function* createEmptyStream(): AsyncGenerator<Uint8Array> {}

/** Rejects damaged bytes instead of copying them. */
async function* readVerified(source: CopySource, shelf: Shelf, hash: string): AsyncGenerator<Uint8Array> {
  const found = createHash('sha256');
  for await (const piece of source.read(shelf, hash)) {
    found.update(piece);
    yield piece;
  }
  if (found.digest('hex') !== hash) throw new Error(`file ${hash} in ${shelf} is damaged`);
}

/** Reads the copy back row by row. */
async function compareTables(target: CopyTarget, expected: readonly TableSum[]): Promise<void> {
  for (const [at, table] of copiedTables.entries()) {
    let found: TableSum | undefined;
    const rows = hashRows(target.readRows(table), table.name, (sum) => {
      found = sum;
    });
    for await (const _ of rows);
    const wanted = expected[at];
    if (found?.hash !== wanted?.hash) {
      throw new Error(
        `the copy of table ${table.name} differs from the source: ${found?.rows ?? 0} rows instead of ${wanted?.rows ?? 0}`,
      );
    }
  }
}
