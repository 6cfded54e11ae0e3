/** Reads GeoJSON: a collection, a feature, a geometry, or one feature per line. */
import { findCrs } from '../../crs/resolve-crs.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { MalformedFileError, type RawFeature, type RawTable, type RawValue, tabulateFeatures } from './raw-features.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

const levels: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** The nesting limit of geometry collections. */
const MAX_DEPTH = 16;

/** Deeper values could be read, but not written again. */
const MAX_VALUE_DEPTH = 100;

export async function readGeoJson(text: string): Promise<RawTable> {
  const documents = parseDocuments(text);
  const features = documents.flatMap((document, index) =>
    readFeatures(document, documents.length > 1 ? index : undefined),
  );
  return tabulateFeatures(features, { crs: { code: await readCrsCode(documents[0]) } });
}

/** Reads one feature from parsed JSON; throws a MalformedFileError if it is invalid. */
export function readGeoJsonFeature(document: object): RawFeature {
  return readFeature(document as JsonObject, 'the feature');
}

/** Parses one document, or one per line, which can begin with a record separator. */
function parseDocuments(text: string): readonly JsonObject[] {
  try {
    return [requireObject(JSON.parse(text) as Json, 'the file')];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const lines = text.split(/\r?\n/).map((line) => (line.startsWith('\u001e') ? line.slice(1) : line).trim());
    const written = lines.flatMap((line, index) => (line === '' ? [] : [[line, index + 1] as const]));
    if (written.length < 2) throw new MalformedFileError(`it is not valid JSON: ${formatErrorPosition(error, text)}`);
    return written.map(([line, number]) => {
      try {
        return requireObject(JSON.parse(line) as Json, `line ${number}`);
      } catch (mistake) {
        throw mistake instanceof SyntaxError
          ? new MalformedFileError(`line ${number} is not valid JSON`, text.indexOf(line))
          : mistake;
      }
    });
  }
}

/** Reports only the position, because the parser message quotes the file. */
function formatErrorPosition(error: SyntaxError, text: string): string {
  const [, position] = /position (\d+)/.exec(error.message) ?? [];
  return position === undefined
    ? 'it ends too early'
    : `line ${text.slice(0, Number(position)).split('\n').length} is invalid`;
}

function requireObject(value: Json | undefined, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedFileError(`${what} is not an object`);
  return value as JsonObject;
}

function readFeatures(document: JsonObject, line: number | undefined): readonly RawFeature[] {
  const place = line === undefined ? '' : `line ${line + 1}: `;
  switch (document['type']) {
    case 'FeatureCollection': {
      const { features } = document;
      if (!Array.isArray(features)) throw new MalformedFileError(`${place}the collection has no features list`);
      return (features as readonly Json[]).map((feature, index) =>
        readFeature(requireObject(feature, `feature ${index + 1}`), `feature ${index + 1}`),
      );
    }
    case 'Feature':
      return [readFeature(document, `${place}the feature`)];
    default:
      return [{ geometry: readGeometry(document, `${place}the geometry`, 0), values: new Map() }];
  }
}

function readFeature(feature: JsonObject, what: string): RawFeature {
  if (feature['type'] !== 'Feature') throw new MalformedFileError(`${what} does not have the type 'Feature'`);
  const { id, geometry = null, properties = null } = feature;
  const values = properties === null ? {} : requireObject(properties, `the properties member of ${what}`);
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    geometry:
      geometry === null
        ? null
        : readGeometry(requireObject(geometry, `the geometry of ${what}`), `the geometry of ${what}`, 0),
    values: new Map(Object.entries(values).map(([name, value]) => [name, toRawValue(value, what)])),
  };
}

/** Lists and objects are kept as JSON text. */
function toRawValue(value: Json, what: string): RawValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isDeep(value, MAX_VALUE_DEPTH)) {
    throw new MalformedFileError(`a property of ${what} is nested more than ${MAX_VALUE_DEPTH} levels deep`);
  }
  return JSON.stringify(value);
}

/** Whether lists and objects are nested deeper than the limit. */
export function isDeep(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeep(inner, most - 1));
}

/** Returns null for an empty geometry. */
function readGeometry(geometry: JsonObject, what: string, depth: number): Geometry | null {
  const type = geometry['type'];
  if (type === 'GeometryCollection') {
    const list = geometry['geometries'];
    if (!Array.isArray(list) || depth > MAX_DEPTH) throw new MalformedFileError(`${what} is not a geometry collection`);
    const members = (list as readonly Json[]).flatMap(
      (each) => readGeometry(requireObject(each, `a part of ${what}`), what, depth + 1) ?? [],
    );
    const dimension: Dimension =
      members.every((member) => member.dimension === 'XYZ') && members.length > 0 ? 'XYZ' : 'XY';
    return members.length === 0
      ? null
      : { type, dimension, ordinates: new Float64Array(), ends: [], parts: [], members };
  }
  const level = typeof type === 'string' && Object.hasOwn(levels, type) ? levels[type] : undefined;
  if (level === undefined) throw new MalformedFileError(`${what} has an unknown type`);
  const found: CollectedPositions = { ordinates: [], size: undefined, positions: 0, ends: [], parts: [] };
  if (!collect(geometry['coordinates'], level, found, level))
    throw new MalformedFileError(`${what} has invalid coordinates`);
  if (found.positions === 0) return null;
  if (type === 'LineString') found.ends.push(found.positions);
  return {
    type: type as Geometry['type'],
    dimension: found.size === 3 ? 'XYZ' : 'XY',
    ordinates: Float64Array.from(found.ordinates),
    ends: found.ends,
    parts: found.parts,
  };
}

interface CollectedPositions {
  readonly ordinates: number[];
  /** The dimension of the first position, which applies to all. */
  size: 2 | 3 | undefined;
  positions: number;
  readonly ends: number[];
  readonly parts: number[];
}

/** Returns whether the whole value is valid. */
function collect(value: Json | undefined, level: number, found: CollectedPositions, whole: number): boolean {
  if (!Array.isArray(value)) return false;
  const items = value as readonly Json[];
  if (level === 0) return (items.length === 0 && whole === 0) || collectPosition(items, found);
  for (const item of items) {
    const before = found.positions;
    if (!collect(item, level - 1, found, whole)) return false;
    if (level === 2 && found.positions > before) found.ends.push(found.positions);
    if (level === 3) found.parts.push(found.ends.length);
  }
  return true;
}

function collectPosition(items: readonly Json[], found: CollectedPositions): boolean {
  found.size ??= items.length >= 3 ? 3 : 2;
  for (let index = 0; index < found.size; index += 1) {
    const ordinate = items[index] ?? (index === 2 ? 0 : undefined);
    // Numbers that are too large become infinite.
    if (typeof ordinate !== 'number' || !Number.isFinite(ordinate)) return false;
    found.ordinates.push(ordinate);
  }
  found.positions += 1;
  return true;
}

/** The crs member of older files can name another CRS than longitude and latitude. */
async function readCrsCode(document: JsonObject | undefined): Promise<string> {
  const crs = document?.['crs'];
  if (crs === undefined || crs === null) return 'EPSG:4326';
  const properties = requireObject(crs, 'crs')['properties'];
  const name = properties === undefined ? undefined : requireObject(properties, 'the properties member of crs')['name'];
  const code = typeof name === 'string' ? (await findCrs(name))?.code : undefined;
  if (code === undefined) throw new MalformedFileError(`the crs is not a known coordinate reference system`);
  return code;
}
