/** The content of a Parquet file as a table of features. */
import type { Bounds } from '../../crs/bounds.ts';
import { type Dimension, findGeometryType, type GeometryType } from '../../geometry/geometry.ts';
import { WkbError } from '../../geometry/wkb-decode.ts';
import type { Attribute } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem } from '../support/file-problems.ts';
import { type ColumnType, findColumnType } from './convert-values.ts';
import { type GeoColumn, type GeometryEncoding, parseGeoMetadata } from './geo-metadata.ts';
import { type Footer, type Leaf, readFooter } from './parquet-footer.ts';
import type { SchemaTree } from './parquet-library.ts';
import { readCrsText, readProjJson } from './projjson.ts';

export type ValueColumn = { readonly kind: 'value'; readonly leaf: Leaf } & ColumnType;

export interface GeometryColumn {
  readonly kind: 'geometry';
  readonly name: string;
  readonly encoding: GeometryEncoding;
  /** One for WKB, else one for each ordinate. */
  readonly leaves: readonly Leaf[];
  readonly dimension: Dimension;
  /** Whether single geometries are returned as multiple ones, because the type contains both. */
  readonly isMultiple: boolean;
  /** The sides of the boxes of the geometries. */
  readonly covering: Readonly<Record<keyof Bounds, Leaf>> | undefined;
  /** As declared in the file. */
  readonly bounds: Bounds | undefined;
}

export interface GeoparquetTable {
  readonly name: string;
  readonly footer: Footer;
  readonly attributes: readonly Attribute[];
  /** In the order of the attributes. */
  readonly columns: readonly (ValueColumn | GeometryColumn)[];
  readonly primary: GeometryColumn | undefined;
  readonly warnings: readonly string[];
}

interface Draft {
  readonly file: DataFile;
  readonly footer: Footer;
  readonly attributes: Attribute[];
  readonly columns: (ValueColumn | GeometryColumn)[];
  readonly warnings: string[];
}

export async function readTable(file: DataFile, name: string): Promise<GeoparquetTable> {
  const footer = await readFooter(file);
  const geo = footer.geo === undefined ? undefined : parseGeoMetadata(footer.geo);
  if (typeof geo === 'string') throw createUnsupportedProblem(file.name, geo);
  const draft: Draft = { file, footer, attributes: [], columns: [], warnings: [] };
  const described = new Map(geo?.columns.map((column) => [column.name, column]));
  // The boxes of geometries are not attributes.
  const coverings = new Set(
    geo?.columns.flatMap(({ covering = {} }) => Object.values(covering).map(([first]) => first)),
  );
  const missing = geo?.columns.find((column) => !footer.tops.some(({ element }) => element.name === column.name));
  if (missing !== undefined)
    throw createMalformedProblem(file.name, file.sizeBytes, `it has no geometry column '${missing.name}'`);
  for (const top of footer.tops) {
    const found = described.get(top.element.name) ?? findLogicalGeometry(top);
    if (found !== undefined) await addGeometry(draft, top, found);
    else if (!coverings.has(top.element.name)) addValue(draft, top);
  }
  const geometries = draft.columns.filter((column) => column.kind === 'geometry');
  const primary = geometries.find((column) => column.name === geo?.primary) ?? geometries[0];
  const names = new Set(draft.attributes.map((attribute) => attribute.name));
  if (names.size < draft.attributes.length)
    throw createMalformedProblem(file.name, file.sizeBytes, 'two of its columns have the same name');
  return { name, footer, attributes: draft.attributes, columns: draft.columns, primary, warnings: draft.warnings };
}

type DescribedGeometry = Omit<GeoColumn, 'crs'> &
  ({ readonly crs: unknown } | { readonly crsText: string | undefined });

/** Files without the metadata of GeoParquet can have columns of the Parquet type GEOMETRY. */
function findLogicalGeometry({ element }: SchemaTree): DescribedGeometry | undefined {
  const logical = element.logical_type;
  if (logical?.type !== 'GEOMETRY' && logical?.type !== 'GEOGRAPHY') return undefined;
  const { name } = element;
  return { name, encoding: 'WKB', types: [], crsText: logical.crs, bounds: undefined, covering: undefined };
}

async function addGeometry(draft: Draft, top: SchemaTree, column: DescribedGeometry): Promise<void> {
  const { file, footer } = draft;
  const leaves = findOrdinates(footer, column);
  if (leaves === undefined) {
    const reason = `its column '${column.name}' does not have the structure of the encoding ${column.encoding}`;
    throw createMalformedProblem(file.name, file.sizeBytes, reason);
  }
  const crs = await ('crsText' in column ? readCrsText(column.crsText) : readProjJson(column.crs));
  if (crs.code === undefined) {
    const advice = 'so it is unknown. Set the srs of the feature type.';
    draft.warnings.push(`The coordinate reference system of '${column.name}' has no known identifier, ${advice}`);
  }
  const { type, isMultiple, hasHeights } = findCommonType(column);
  const size = leaves.length;
  const hasMeasures = size > 2 && leaves.at(-1)?.path.at(-1) === 'm';
  const native = size === 4 ? 'XYZM' : size === 3 ? (hasMeasures ? 'XYM' : 'XYZ') : 'XY';
  const dimension: Dimension = column.encoding === 'WKB' ? (hasHeights ? 'XYZ' : 'XY') : native;
  const nillable = top.element.repetition_type !== 'REQUIRED';
  draft.attributes.push({ name: column.name, nillable, kind: 'geometry', type, dimension, crs });
  draft.columns.push({
    kind: 'geometry',
    name: column.name,
    encoding: column.encoding,
    leaves,
    dimension,
    isMultiple,
    covering: findCovering(footer, column),
    bounds: column.bounds,
  });
}

/** Reports invalid WKB as a problem of the file. */
export function wrapWkbErrors<T>(file: DataFile, column: GeometryColumn, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof WkbError)) throw error;
    const reason = `the column '${column.name}' contains an invalid geometry: ${error.message}`;
    throw createMalformedProblem(file.name, error.offset, reason);
  }
}

/** Nested lists of each native encoding. */
const listDepths = { point: 0, linestring: 1, multipoint: 1, polygon: 2, multilinestring: 2, multipolygon: 3 } as const;

function findOrdinates({ leaves }: Footer, { name, encoding }: DescribedGeometry): readonly Leaf[] | undefined {
  const below = leaves.filter(({ path }) => path[0] === name);
  if (encoding === 'WKB')
    return below.length === 1 && below[0]?.path.length === 1 && below[0].element.type === 'BYTE_ARRAY'
      ? below
      : undefined;
  const names = below.map(({ path }) => path.at(-1)).join('');
  const isFitting = below.every(
    ({ element, maxRepetition, path }) =>
      element.type === 'DOUBLE' && maxRepetition === listDepths[encoding] && path.length > 1,
  );
  return isFitting && /^xy(?:z|m|zm)?$/.test(names) ? below : undefined;
}

function findCovering(footer: Footer, { covering }: DescribedGeometry): GeometryColumn['covering'] {
  const findSide = (path: readonly string[] | undefined): Leaf | undefined =>
    footer.leaves.find(
      (leaf) =>
        path !== undefined &&
        leaf.maxRepetition === 0 &&
        leaf.path.join('\0') === path.join('\0') &&
        (leaf.element.type === 'DOUBLE' || leaf.element.type === 'FLOAT'),
    );
  const [minX, minY] = [findSide(covering?.minX), findSide(covering?.minY)];
  const [maxX, maxY] = [findSide(covering?.maxX), findSide(covering?.maxY)];
  return minX === undefined || minY === undefined || maxX === undefined || maxY === undefined
    ? undefined
    : { minX, minY, maxX, maxY };
}

const nativeTypes: Readonly<Record<Exclude<GeometryEncoding, 'WKB'>, GeometryType>> = {
  point: 'Point',
  linestring: 'LineString',
  polygon: 'Polygon',
  multipoint: 'MultiPoint',
  multilinestring: 'MultiLineString',
  multipolygon: 'MultiPolygon',
};

/** Single and multiple geometries of one kind have the multiple type. */
function findCommonType({ encoding, types }: DescribedGeometry): {
  readonly type: GeometryType;
  readonly isMultiple: boolean;
  readonly hasHeights: boolean;
} {
  const hasHeights = types.some((each) => / Z/.test(each));
  if (encoding !== 'WKB') return { type: nativeTypes[encoding], isMultiple: false, hasHeights };
  const plain = new Set(types.map((each) => findGeometryType(each.replace(/ .*/, '')) ?? 'Geometry'));
  const [first = 'Geometry', second] = [...plain];
  if (plain.size === 1) return { type: first, isMultiple: false, hasHeights };
  const multiple = plain.size === 2 ? [first, second].find((each) => each?.startsWith('Multi')) : undefined;
  const isMultiple = multiple !== undefined && plain.has(multiple.slice('Multi'.length) as GeometryType);
  return { type: isMultiple ? multiple : 'Geometry', isMultiple, hasHeights };
}

function addValue(draft: Draft, top: SchemaTree): void {
  const { name } = top.element;
  const leaf = draft.footer.leaves.find(({ path }) => path.length === 1 && path[0] === name);
  if (leaf === undefined || leaf.maxRepetition > 0) {
    draft.warnings.push(`The column '${name}' is left out, because it contains lists or groups of values.`);
    return;
  }
  const nillable = leaf.maxDefinition > 0;
  const found = findColumnType(leaf.element);
  draft.attributes.push({ name, nillable, kind: 'value', type: found.type });
  draft.columns.push({ kind: 'value', leaf, ...found });
}
