/** Reads CSV: separated by commas, semicolons or tabs, with quoted values, and names in the first row. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Geometry, GeometryType } from '../../geometry/geometry.ts';
import { decodeWkt, WktError } from '../../geometry/wkt-decode.ts';
import { MalformedFileError, type RawFeature, type RawTable, type RawValue } from './raw-features.ts';

const separators = [',', ';', '\t', '|'] as const;
const textNames = /^(?:wkt|the_geom|geom|geometry|shape)$/i;
const abscissaNames = [/^(?:lon|lng|long|longitude)$/i, /^(?:x|easting|x_coord)$/i] as const;
const ordinateNames = [/^(?:lat|latitude)$/i, /^(?:y|northing|y_coord)$/i] as const;

export async function readCsv(text: string): Promise<RawTable> {
  const rows = parseRows(text, detectSeparator(text));
  const [head, ...body] = rows;
  if (head === undefined || head.values.every((name) => name.trim() === ''))
    throw new MalformedFileError('the first row has no column names');
  const names = head.values.map((name, index) => name.trim() || `column${index + 1}`);
  const seen = new Set<string>();
  const doubled = names.find((name) => seen.size === seen.add(name.toLowerCase()).size);
  if (doubled !== undefined) throw new MalformedFileError(`two columns have the name '${doubled.slice(0, 60)}'`);
  const place = findGeometryColumns(names, body);
  const columns = names.filter((_, index) => !place.columns.includes(index));
  const features = body.map((row): RawFeature => {
    if (row.values.length > names.length) {
      throw new MalformedFileError(
        `line ${row.line} has ${row.values.length} values, but there are ${names.length} columns`,
        row.offset,
      );
    }
    const values = names.flatMap((name, index): readonly [string, RawValue][] =>
      place.columns.includes(index) ? [] : [[name, row.values[index] ?? null]],
    );
    return { geometry: place.readGeometry(row), values: new Map(values) };
  });
  const { emptyGeometry } = place;
  return {
    features,
    columns,
    isText: true,
    crs: await readCrs(place, body),
    ...(emptyGeometry === undefined ? {} : { emptyGeometry }),
  };
}

/**
 * Columns named after degrees are in degrees; geometry texts can contain an SRID, which must be the same in all rows.
 */
async function readCrs(
  { columns: [text = -1], isGeographic, isText }: GeometryColumns,
  rows: readonly Row[],
): Promise<CrsReference> {
  if (isGeographic) return { code: 'EPSG:4326' };
  const written = isText ? rows.map(({ values }) => /^\s*SRID=(\d+);/i.exec(values[text] ?? '')?.[1]) : [];
  const [number, other] = new Set(written.filter((each) => each !== undefined));
  if (other !== undefined)
    throw new MalformedFileError(
      `the geometries use more than one coordinate reference system: ${number} and ${other}`,
    );
  const code = number === undefined ? undefined : (await findCrs(`EPSG:${number}`))?.code;
  return code === undefined ? {} : { code };
}

interface Row {
  readonly values: readonly string[];
  readonly line: number;
  readonly offset: number;
}

/** Returns the most frequent separator of the first row, outside quotes. */
function detectSeparator(text: string): string {
  const [first = ''] = /^[^\r\n]*/.exec(text.replace(/"[^"]*"/g, '')) ?? [];
  const counts = separators.map((each) => first.split(each).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

function parseRows(text: string, separator: string): readonly Row[] {
  const rows: Row[] = [];
  let values: string[] = [];
  let line = 1;
  let rowLine = 1;
  let rowOffset = 0;
  let at = 0;
  const finishRow = (): void => {
    if (values.length > 1 || (values[0] ?? '') !== '') rows.push({ values, line: rowLine, offset: rowOffset });
    values = [];
  };
  while (at < text.length) {
    if (text.charAt(at) === '"') {
      const { value, end } = readQuoted(text, at, line);
      line += value.split('\n').length - 1;
      values.push(value);
      at = end;
    } else {
      const end = findPlainEnd(text, at, separator);
      values.push(text.slice(at, end));
      at = end;
    }
    const character = text.charAt(at);
    if (character === separator) {
      at += 1;
      if (at === text.length) values.push('');
    } else if (character === '\r' || character === '\n') {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      finishRow();
      rowLine = line;
      rowOffset = at;
      if (text.charAt(at) === separator) values.push('');
      if (text.charAt(at) === separator) at += 1;
    } else if (at < text.length) {
      throw new MalformedFileError(`line ${line} has text after a quoted value`, at);
    }
  }
  finishRow();
  return rows;
}

function findPlainEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && !`${separator}\r\n`.includes(text.charAt(at))) at += 1;
  return at;
}

/** A doubled quote is an escaped quote. */
function readQuoted(text: string, start: number, line: number): { readonly value: string; readonly end: number } {
  let value = '';
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end < 0) throw new MalformedFileError(`the quoted value that begins in line ${line} is not closed`, start);
    value += text.slice(from, end);
    if (text.charAt(end + 1) !== '"') return { value, end: end + 1 };
    value += '"';
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
  readGeometry(row: Row): Geometry | null;
}

/** Finds a column of well-known text or two of coordinates; if all are empty, their names decide. */
function findGeometryColumns(names: readonly string[], rows: readonly Row[]): GeometryColumns {
  const findSample = (index: number) =>
    rows.map(({ values }) => values[index]?.trim() ?? '').find((value) => value !== '');
  const textColumn = names.findIndex((name, index) => textNames.test(name) && isWellKnownText(findSample(index) ?? ''));
  if (textColumn >= 0) return createTextColumn(textColumn);
  for (const [kind, pattern] of abscissaNames.entries()) {
    const x = names.findIndex((name) => pattern.test(name));
    const y = names.findIndex((name) => ordinateNames[kind]?.test(name));
    if (x >= 0 && y >= 0) {
      const readPoint = (row: Row) => fromPair(row, x, y);
      return {
        columns: [x, y],
        isGeographic: kind === 0,
        isText: false,
        emptyGeometry: 'Point',
        readGeometry: readPoint,
      };
    }
  }
  const emptyColumn = names.findIndex((name, index) => textNames.test(name) && findSample(index) === undefined);
  if (emptyColumn >= 0) return { ...createTextColumn(emptyColumn), emptyGeometry: 'Geometry' };
  return { columns: [], isGeographic: false, isText: false, readGeometry: () => null };
}

function createTextColumn(column: number): GeometryColumns {
  return { columns: [column], isGeographic: false, isText: true, readGeometry: (row) => fromText(row, column) };
}

function isWellKnownText(value: string): boolean {
  return /^(?:SRID=\d+;)?\s*(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|^(?:SRID=\d+;)?\s*GEOMETRYCOLLECTION/i.test(value);
}

function fromText({ values, line, offset }: Row, index: number): Geometry | null {
  const text = values[index]?.replace(/^\s*SRID=\d+;/i, '').trim() ?? '';
  if (text === '') return null;
  try {
    return decodeWkt(text);
  } catch (error) {
    if (!(error instanceof WktError)) throw error;
    throw new MalformedFileError(`line ${line} has an invalid geometry: ${error.message}`, offset);
  }
}

function fromPair({ values, line, offset }: Row, x: number, y: number): Geometry | null {
  const texts = [values[x]?.trim() ?? '', values[y]?.trim() ?? ''];
  if (texts.every((text) => text === '')) return null;
  const numbers = texts.map((text) => (text === '' ? Number.NaN : Number(text.replace(',', '.'))));
  if (!numbers.every(Number.isFinite))
    throw new MalformedFileError(`line ${line} has coordinates that are not numbers`, offset);
  return { type: 'Point', dimension: 'XY', ordinates: Float64Array.from(numbers), ends: [], parts: [] };
}
