/** Small feature collections for encoder tests, with geometries as well-known text. */
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../../src/formats/port/port.ts';
import type { Dimension, Geometry, GeometryType } from '../../src/geometry/geometry.ts';
import { decodeWkt } from '../../src/geometry/wkt-decode.ts';
import type { Attribute, Feature, Value, ValueType } from '../../src/vector/port/port.ts';

export const never = new AbortController().signal;

export function wkt(text: string): Geometry {
  return decodeWkt(text);
}

export function geometryColumn(
  type: GeometryType = 'Geometry',
  code: string | undefined = 'EPSG:4326',
  dimension: Dimension = 'XY',
  name = 'the_geom',
): Attribute {
  const crs = code === undefined ? {} : { code };
  return { name, kind: 'geometry', type, dimension, nillable: true, crs };
}

export function column(name: string, type: ValueType, maxLength?: number): Attribute {
  return { name, kind: 'value', type, nillable: true, ...(maxLength === undefined ? {} : { maxLength }) };
}

export interface MadeUpSet {
  readonly name?: string;
  readonly attributes: readonly Attribute[];
  readonly rows: readonly (readonly (Value | Geometry)[])[];
  /** As spelled in the document. */
  readonly crsName?: string;
  readonly isNorthFirst?: boolean;
  readonly numberMatched?: number;
}

export function featureSet(made: MadeUpSet): FeatureSet {
  const { name = 'places', attributes, rows, crsName, isNorthFirst = false } = made;
  const geometry = attributes.find(({ kind }) => kind === 'geometry');
  const features = rows.map((values, index): Feature => ({ id: `${name}.${index + 1}`, values }));
  return {
    typeName: { prefix: 'acme', uri: 'http://acme.example/ns', local: name },
    description: { name, attributes, ...(geometry === undefined ? {} : { defaultGeometry: geometry.name }) },
    crs: {
      reference: geometry?.kind === 'geometry' ? geometry.crs : {},
      ...(crsName === undefined ? {} : { name: crsName }),
      isNorthFirst,
    },
    numberMatched: made.numberMatched ?? rows.length,
    numberReturned: rows.length,
    batches: splitIntoBatches(features, 2),
  };
}

export function createCollection(
  sets: readonly MadeUpSet[],
  { options, ...others }: Partial<FeatureCollection> = {},
): FeatureCollection {
  return {
    sets: sets.map(featureSet),
    timeStamp: new Date('2026-01-02T03:04:05Z'),
    links: () => [],
    schemaLocations: [],
    options: options ?? { decimals: 8 },
    ...others,
  };
}

async function* splitIntoBatches(features: readonly Feature[], size: number): AsyncGenerator<readonly Feature[]> {
  for (let at = 0; at < features.length; at += size) yield features.slice(at, at + size);
}

export async function encodeBytes(encoder: FeatureEncoder, collection: FeatureCollection): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encoder.encode(collection, never)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function encodeText(encoder: FeatureEncoder, collection: FeatureCollection): Promise<string> {
  return (await encodeBytes(encoder, collection)).toString('utf8');
}
