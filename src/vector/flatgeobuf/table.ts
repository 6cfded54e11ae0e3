/** The content of a FlatGeobuf file as a table of features. */
import type { Attribute, FeatureTypeDescription } from '../port/port.ts';
import type { DataFile } from '../support/data-file.ts';
import { toAttribute } from './column-values.ts';
import { type Header, readHeader } from './header.ts';
import { PackedTree } from './packed-tree.ts';
import { loadSurvey, type Survey } from './survey.ts';

export interface FlatgeobufTable {
  readonly name: string;
  readonly header: Header;
  /** The geometry, if there is one, and the columns. */
  readonly attributes: readonly Attribute[];
  readonly primary: { readonly name: string } | undefined;
}

export async function readTable(file: DataFile, name: string, signal: AbortSignal): Promise<FlatgeobufTable> {
  const header = await readHeader(file);
  const primary = (await hasGeometry(file, header, signal)) ? { name: createGeometryName(header) } : undefined;
  const { geometryType: type, dimension, crs } = header;
  const columns = header.columns.map(toAttribute);
  return {
    name,
    header,
    attributes:
      primary === undefined
        ? columns
        : [{ name: primary.name, nillable: true, kind: 'geometry', type, dimension, crs }, ...columns],
    primary,
  };
}

/** Tables without geometries are written like those with geometries of several types. */
async function hasGeometry(file: DataFile, header: Header, signal: AbortSignal): Promise<boolean> {
  if (header.geometryType !== 'Geometry' || header.tree !== undefined || header.bounds !== undefined) return true;
  return (await loadSurvey(file, header, signal)).bounds !== undefined;
}

/** The format has no name for the geometry; names of columns are case-insensitive in other formats. */
function createGeometryName({ columns }: Header): string {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  let name = 'geom';
  for (let count = 2; taken.has(name); count += 1) name = `geom${count}`;
  return name;
}

export async function describeTable(
  file: DataFile,
  { name, header, attributes, primary }: FlatgeobufTable,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const { bounds = await findBounds(file, header, signal), crs } = header;
  const count = header.count ?? (await loadSurvey(file, header, signal)).count;
  const isCrsUnknown = primary !== undefined && crs.code === undefined;
  const warning = `The coordinate reference system of '${name}' has no known identifier, so it is unknown. Set the srs of the feature type.`;
  return {
    name,
    attributes,
    count,
    ...(primary === undefined ? {} : { defaultGeometry: primary.name }),
    ...(primary === undefined || bounds === undefined ? {} : { bounds }),
    ...(isCrsUnknown ? { warnings: [warning] } : {}),
  };
}

async function findBounds(file: DataFile, header: Header, signal: AbortSignal) {
  const tree = openTree(file, header);
  return tree === undefined ? (await loadSurvey(file, header, signal)).bounds : tree.readBounds();
}

function openTree(file: DataFile, { tree, featuresAt }: Header): PackedTree | undefined {
  return tree && new PackedTree(file, tree, featuresAt);
}

export async function countFeatures(file: DataFile, { header }: FlatgeobufTable, signal: AbortSignal): Promise<number> {
  return header.count ?? (await loadSurvey(file, header, signal)).count;
}

/** Finds features by their boxes and numbers. */
export async function openIndex(file: DataFile, header: Header, signal: AbortSignal): Promise<PackedTree | Survey> {
  return openTree(file, header) ?? (await loadSurvey(file, header, signal));
}
