/** Reads CSV: separated by commas, semicolons or tabs, with quoted values, and names in the first row. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Geometry, GeometryType } from '../../geometry/geometry.ts';
import { decodeWkt, WktError } from '../../geometry/wkt-decode.ts';
import { MalformedFileError, type RawTable } from './raw-features.ts';

const separators = [',', ';', '\t', '|'] as const;
const textNames = /^(?:wkt|the_geom|geom|geometry|shape)$/i;
const abscissaNames = [/^(?:lon|lng|long|longitude)$/i, /^(?:x|easting|x_coord)$/i] as const;
const ordinateNames = [/^(?:lat|latitude)$/i, /^(?:y|northing|y_coord)$/i] as const;

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export async function readCsv(text: string): Promise<RawTable> {
  const rows = parseRows(text, detectSeparator(text));
  const names = readNames(rows);
  const count = rows.lines.length - 1;
  for (let row = 0; row < count; row += 1) {
    const length = rows.countCells(row + 1);
    if (length > names.length) {
      const line = rows.lines[row + 1];
      const reason = `line ${line} has ${length} values, but there are ${names.length} columns`;
      throw new MalformedFileError(reason, rows.offsets[row + 1]);
    }
  }
  const place = findGeometryColumns(names, rows);
  const { emptyGeometry, getGeometry } = place;
  const kept = names.flatMap((_, index) => (place.columns.includes(index) ? [] : [index]));
  return {
    columns: kept.map((index) => names[index] ?? ''),
    count,
    isText: true,
    crs: await readCrs(place, rows),
    getGeometry,
    getValue: (row, column) => rows.getCell(row + 1, kept[column] ?? -1) ?? null,
    ...(emptyGeometry === undefined ? {} : { emptyGeometry }),
  };
}

function readNames(rows: Rows): readonly string[] {
  const head = Array.from({ length: rows.lines.length === 0 ? 0 : rows.countCells(0) }, (_, index) =>
    (rows.getCell(0, index) ?? '').trim(),
  );
  if (head.every((name) => name === '')) throw new MalformedFileError('the first row has no column names');
  const names = head.map((name, index) => name || `column${index + 1}`);
  const seen = new Set<string>();
  const doubled = names.find((name) => seen.size === seen.add(name.toLowerCase()).size);
  if (doubled !== undefined) throw new MalformedFileError(`two columns have the name '${doubled.slice(0, 60)}'`);
  return names;
}

/**
 * Columns named after degrees are in degrees; geometry texts can contain an SRID, which must be the same in all rows.
 */
async function readCrs(
  { columns: [text = -1], isGeographic, isText }: GeometryColumns,
  rows: Rows,
): Promise<CrsReference> {
  if (isGeographic) return { code: 'EPSG:4326' };
  const numbers = new Set<string>();
  for (let row = 1; isText && row < rows.lines.length; row += 1) {
    const [, number] = /^\s*SRID=(\d+);/i.exec(rows.getCell(row, text) ?? '') ?? [];
    if (number !== undefined) numbers.add(number);
  }
  const [number, other] = numbers;
  if (other !== undefined)
    throw new MalformedFileError(
      `the geometries use more than one coordinate reference system: ${number} and ${other}`,
    );
  const code = number === undefined ? undefined : (await findCrs(`EPSG:${number}`))?.code;
  return code === undefined ? {} : { code };
}

/** Returns the most frequent separator of the first row, outside quotes. */
function detectSeparator(text: string): string {
  const counts = separators.map(() => 0);
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
    const found = separators.findIndex((each) => each.charCodeAt(0) === code);
    if (found >= 0) counts[found] = (counts[found] ?? 0) + 1;
  }
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

const FIRST_CELLS = 65_536;

/** Where the cells of all rows are in the text, the names included: keeping millions of strings would be slow. */
class Rows {
  /** The line and the offset in the text at which each row begins. */
  readonly lines: number[] = [];
  readonly offsets: number[] = [];
  readonly #text: string;
  /** The start and the end of each cell. */
  #cells = new Uint32Array(FIRST_CELLS);
  #cellCount = 0;
  /** The first cell of each row. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
  }

  /** Quotes around a cell belong to it. */
  addCell(start: number, end: number): void {
    const at = this.#cellCount * 2;
    if (at === this.#cells.length) {
      const larger = new Uint32Array(this.#cells.length * 2);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells[at] = start;
    this.#cells[at + 1] = end;
    this.#cellCount += 1;
  }

  /** Ends a row; a blank line is not a row. */
  finishRow(line: number, offset: number): void {
    const start = this.#starts[this.#starts.length - 1] ?? 0;
    const isBlank = this.#cellCount <= start + 1 && this.#readCell(start) === '';
    if (isBlank) {
      this.#cellCount = start;
      return;
    }
    this.lines.push(line);
    this.offsets.push(offset);
    this.#starts.push(this.#cellCount);
  }

  countCells(row: number): number {
    return (this.#starts[row + 1] ?? 0) - (this.#starts[row] ?? 0);
  }

  getCell(row: number, column: number): string | undefined {
    const index = (this.#starts[row] ?? 0) + column;
    return index < (this.#starts[row + 1] ?? 0) ? this.#readCell(index) : undefined;
  }

  #readCell(index: number): string {
    if (index >= this.#cellCount) return '';
    const [start = 0, end = 0] = [this.#cells[index * 2], this.#cells[index * 2 + 1]];
    return this.#text.charCodeAt(start) === QUOTE && end > start
      ? this.#text.slice(start + 1, end - 1).replaceAll('""', '"')
      : this.#text.slice(start, end);
  }
}

function parseRows(text: string, separator: string): Rows {
  const rows = new Rows(text);
  const separatorCode = separator.charCodeAt(0);
  let line = 1;
  let rowLine = 1;
  let rowOffset = 0;
  let at = 0;
  while (at < text.length) {
    const start = at;
    if (text.charCodeAt(at) === QUOTE) {
      at = findQuotedEnd(text, at, line);
      line += countLineFeeds(text, start, at);
    } else {
      at = findPlainEnd(text, at, separatorCode);
    }
    rows.addCell(start, at);
    const code = text.charCodeAt(at);
    if (code === separatorCode) {
      at += 1;
      if (at === text.length) rows.addCell(at, at);
    } else if (code === CARRIAGE_RETURN || code === LINE_FEED) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      rows.finishRow(rowLine, rowOffset);
      rowLine = line;
      rowOffset = at;
    } else if (at < text.length) {
      throw new MalformedFileError(`line ${line} has text after a quoted value`, at);
    }
  }
  rows.finishRow(rowLine, rowOffset);
  return rows;
}

function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === LINE_FEED) count += 1;
  return count;
}

function findPlainEnd(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN) break;
  }
  return at;
}

/** A doubled quote is an escaped quote. Returns the offset after the closing quote. */
function findQuotedEnd(text: string, start: number, line: number): number {
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end < 0) throw new MalformedFileError(`the quoted value that begins in line ${line} is not closed`, start);
    if (text.charCodeAt(end + 1) !== QUOTE) return end + 1;
    from = end + 2;
  }
}

interface GeometryColumns {
  /** The columns that form the geometry. */
  readonly columns: readonly number[];
  readonly isGeographic: boolean;
  /** Whether it is a column of well-known text. */
  readonly isText: boolean;
  /** The intended geometry type, also for a table without rows. */
  readonly emptyGeometry?: GeometryType;
  readonly getGeometry: (row: number) => Geometry | null;
}

/** Finds a column of well-known text or two of coordinates; if all are empty, their names decide. */
function findGeometryColumns(names: readonly string[], rows: Rows): GeometryColumns {
  const textColumn = names.findIndex(
    (name, index) => textNames.test(name) && isWellKnownText(findSample(rows, index) ?? ''),
  );
  if (textColumn >= 0) return createTextColumn(textColumn, rows);
  for (const [kind, pattern] of abscissaNames.entries()) {
    const x = names.findIndex((name) => pattern.test(name));
    const y = names.findIndex((name) => ordinateNames[kind]?.test(name));
    if (x >= 0 && y >= 0) {
      const getGeometry = createPointReader(rows, x, y);
      return { columns: [x, y], isGeographic: kind === 0, isText: false, emptyGeometry: 'Point', getGeometry };
    }
  }
  const emptyColumn = names.findIndex((name, index) => textNames.test(name) && findSample(rows, index) === undefined);
  if (emptyColumn >= 0) return { ...createTextColumn(emptyColumn, rows), emptyGeometry: 'Geometry' };
  return { columns: [], isGeographic: false, isText: false, getGeometry: () => null };
}

/** Returns the first value of a column. */
function findSample(rows: Rows, column: number): string | undefined {
  for (let row = 1; row < rows.lines.length; row += 1) {
    const value = rows.getCell(row, column)?.trim() ?? '';
    if (value !== '') return value;
  }
  return undefined;
}

function createTextColumn(column: number, rows: Rows): GeometryColumns {
  const geometries: (Geometry | null)[] = [];
  for (let row = 1; row < rows.lines.length; row += 1) geometries.push(readText(rows, row, column));
  return { columns: [column], isGeographic: false, isText: true, getGeometry: (row) => geometries[row] ?? null };
}

function isWellKnownText(value: string): boolean {
  return /^(?:SRID=\d+;)?\s*(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|^(?:SRID=\d+;)?\s*GEOMETRYCOLLECTION/i.test(value);
}

function readText(rows: Rows, row: number, column: number): Geometry | null {
  const text =
    rows
      .getCell(row, column)
      ?.replace(/^\s*SRID=\d+;/i, '')
      .trim() ?? '';
  if (text === '') return null;
  try {
    return decodeWkt(text);
  } catch (error) {
    if (!(error instanceof WktError)) throw error;
    throw new MalformedFileError(
      `line ${rows.lines[row]} has an invalid geometry: ${error.message}`,
      rows.offsets[row],
    );
  }
}

function createPointReader(rows: Rows, x: number, y: number): (row: number) => Geometry | null {
  const count = Math.max(0, rows.lines.length - 1);
  const ordinates = new Float64Array(count * 2);
  for (let row = 0; row < count; row += 1) {
    const [first, second] = [rows.getCell(row + 1, x)?.trim() ?? '', rows.getCell(row + 1, y)?.trim() ?? ''];
    const isEmpty = first === '' && second === '';
    ordinates[row * 2] = readOrdinate(first);
    ordinates[row * 2 + 1] = readOrdinate(second);
    if (!isEmpty && !(Number.isFinite(ordinates[row * 2]) && Number.isFinite(ordinates[row * 2 + 1])))
      throw new MalformedFileError(
        `line ${rows.lines[row + 1]} has coordinates that are not numbers`,
        rows.offsets[row + 1],
      );
  }
  return (row) =>
    Number.isNaN(ordinates[row * 2])
      ? null
      : {
          type: 'Point',
          dimension: 'XY',
          ordinates: ordinates.slice(row * 2, row * 2 + 2),
          ends: [],
          parts: [],
        };
}

function readOrdinate(text: string): number {
  return text === '' ? Number.NaN : Number(text.replace(',', '.'));
}
