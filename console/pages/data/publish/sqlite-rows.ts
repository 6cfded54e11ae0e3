/** Reads the rows of a small table of an SQLite file, without loading the file. */

type SqliteValue = string | number | null;

/** Tables of metadata have some pages. */
const MAX_PAGES = 500;

const HEADER_BYTES = 100;
const LEAF = 13;
const INTERIOR = 5;

interface Database {
  readonly file: Blob;
  readonly pageBytes: number;
  /** The number of pages that can still be read. */
  left: number;
}

/** Values that continue on other pages are cut, and values of other types are null. */
export async function* readTableRows(file: Blob, table: string): AsyncGenerator<readonly SqliteValue[]> {
  const header = new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const pageBytes = header.getUint16(16);
  const database = { file, pageBytes: pageBytes === 1 ? 65_536 : pageBytes, left: MAX_PAGES };
  for await (const [type, name, , root] of readRows(database, 1)) {
    if (type === 'table' && name === table && typeof root === 'number') {
      yield* readRows(database, root);
      return;
    }
  }
}

async function* readRows(database: Database, number: number): AsyncGenerator<readonly SqliteValue[]> {
  const { pageBytes } = database;
  database.left -= 1;
  if (database.left < 0 || number < 1) throw new Error('The table has too many pages.');
  const start = (number - 1) * pageBytes;
  const page = new Uint8Array(await database.file.slice(start, start + pageBytes).arrayBuffer());
  const view = new DataView(page.buffer);
  const head = number === 1 ? HEADER_BYTES : 0;
  const kind = view.getUint8(head);
  const count = view.getUint16(head + 3);
  const cells = head + (kind === INTERIOR ? 12 : 8);
  for (let cell = 0; cell < count; cell += 1) {
    const position = view.getUint16(cells + cell * 2);
    if (kind === LEAF) yield parseRow(page, position);
    else if (kind === INTERIOR) yield* readRows(database, view.getUint32(position));
    else throw new Error('The page is not part of a table.');
  }
  if (kind === INTERIOR) yield* readRows(database, view.getUint32(head + 8));
}

function parseRow(page: Uint8Array, position: number): readonly SqliteValue[] {
  const [, afterLength] = readVarint(page, position);
  const [, record] = readVarint(page, afterLength);
  const [headBytes, firstType] = readVarint(page, record);
  const values: SqliteValue[] = [];
  let value = record + headBytes;
  for (let at = firstType; at < record + headBytes; ) {
    const [type, next] = readVarint(page, at);
    const length = getLength(type);
    values.push(parseValue(page.subarray(value, value + length), type));
    value += length;
    at = next;
  }
  return values;
}

/** The lengths of numbers and constants, by type. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

function getLength(type: number): number {
  return lengths[type] ?? Math.floor((type - 12) / 2);
}

function parseValue(bytes: Uint8Array, type: number): SqliteValue {
  if (type >= 13 && type % 2 === 1) return new TextDecoder().decode(bytes);
  if (type === 8 || type === 9) return type - 8;
  return type >= 1 && type <= 6 ? bytes.reduce((sum, byte) => sum * 256 + byte, 0) : null;
}

/** Returns the number and the position after it. */
function readVarint(page: Uint8Array, position: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = position; at < position + 9; at += 1) {
    const byte = page[at];
    if (byte === undefined) throw new Error('The page ends within a number.');
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + 1];
  }
  throw new Error('The number is too large.');
}
