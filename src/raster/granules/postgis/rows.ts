/** Converts between granules and PostGIS table rows, with all values as text. */
import { formatExactMoment } from '../../../filter/model/moment.ts';
import { qualifyName, quoteName } from '../../../filter/sql/quote-sql.ts';
import type { Geometry } from '../../../geometry/geometry.ts';
import { decodeWkb } from '../../../geometry/wkb-decode.ts';
import { encodeWkb } from '../../../geometry/wkb-encode.ts';
import { readDate, readWholeNumber } from '../../../vector/support/value-text.ts';
import type { TextRow } from '../database/access.ts';
import type { Granule, GranuleAttribute, GranuleDraft, GranuleValue, GranuleValueType } from '../port/port.ts';
import type { GranuleTable } from './granule-table.ts';

/** The key first, then the attributes in order. */
export function writeSelectColumns({ schema, key, footprint, postgis }: GranuleTable): string {
  const columns = schema.attributes.map(({ name }) =>
    name === footprint ? `${qualifyName(postgis, 'st_asbinary')}(${quoteName(name)})` : quoteName(name),
  );
  return [quoteName(key), ...columns].join(', ');
}

const emptyPolygon: Geometry = {
  type: 'Polygon',
  dimension: 'XY',
  ordinates: new Float64Array(),
  ends: [],
  parts: [0],
};

export function createGranuleReader({ schema }: GranuleTable): (row: TextRow) => Granule {
  return ([key, ...texts]) => {
    let [location, imageindex, footprint] = ['', 0, emptyPolygon];
    const values: Record<string, GranuleValue> = {};
    for (const [at, attribute] of schema.attributes.entries()) {
      const text = texts[at] ?? null;
      switch (attribute.role) {
        case 'footprint':
          if (text !== null) footprint = decodeWkb(Buffer.from(text.slice(2), 'hex')).geometry;
          break;
        case 'location':
          location = text ?? '';
          break;
        case 'imageindex':
          imageindex = Number(text ?? 0);
          break;
        case 'value':
          values[attribute.name] = parseValue(text, attribute.type);
      }
    }
    return { id: `${schema.name}.${key}`, location, imageindex, footprint, values };
  };
}

export function parseValue(text: string | null, type: GranuleValueType): GranuleValue {
  if (text === null) return null;
  switch (type) {
    case 'string':
      return text;
    case 'long':
      return readWholeNumber(text);
    case 'float':
      return Math.fround(Number(text));
    case 'date':
    case 'timestamp':
      return readDate(text);
    default:
      return Number(text);
  }
}

/** Returns one array per attribute, which the database unnests. */
export function formatColumns({ schema, srid }: GranuleTable, drafts: readonly GranuleDraft[]): readonly TextRow[] {
  return schema.attributes.map((attribute) => drafts.map((draft) => formatValue(attribute, draft, srid)));
}

function formatValue(attribute: GranuleAttribute, draft: GranuleDraft, srid: number): string | null {
  switch (attribute.role) {
    case 'footprint':
      return Buffer.from(encodeWkb(draft.footprint, { srid }).buffer).toString('hex');
    case 'location':
      return draft.location;
    case 'imageindex':
      return String(draft.imageindex);
    case 'value': {
      const value = draft.values[attribute.name] ?? null;
      if (value === null || (typeof value === 'number' && Number.isNaN(value))) return null;
      if (value instanceof Date) return formatExactMoment(value.getTime()).slice(0, -1);
      return typeof value === 'string' ? value.toWellFormed() : String(value);
    }
  }
}

/** Returns the SQL cast for each attribute. */
export function listColumnCasts({ schema, postgis }: GranuleTable): readonly string[] {
  return schema.attributes.map((attribute) => writeCast(attribute, postgis));
}

const valueCasts: Readonly<Record<GranuleValueType, string>> = {
  string: 'text',
  integer: 'integer',
  long: 'bigint',
  float: 'real',
  double: 'double precision',
  date: 'timestamp',
  timestamp: 'timestamp',
};

function writeCast(attribute: GranuleAttribute, postgis: string): string {
  switch (attribute.role) {
    case 'footprint':
      return qualifyName(postgis, 'geometry');
    case 'location':
      return 'text';
    case 'imageindex':
      return 'integer';
    case 'value':
      return valueCasts[attribute.type];
  }
}
