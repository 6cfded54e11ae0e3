/** Lets filters name other coordinate reference systems and units than those of the data. */
import { type NamedCrs, readCrsName } from '../../crs/axis-order.ts';
import type { CrsModel } from '../../crs/model/crs-model.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { createTransformer, type Transformer } from '../../crs/transformer.ts';
import { convertArea } from '../../geometry/convert-box.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { Constant, Filter } from '../model/filter.ts';
import type { Schema, SchemaAttribute } from '../model/schema.ts';

/** Of the Earth at the equator, by which degrees are lengths; nearer to the poles they are less. */
const EARTH_RADIUS_METRES = 6_378_137;

/** The side of a box is a curve in other systems: it gets so many pieces. */
const boxSteps = 20;

/** How geometries are meant that name no system of their own; by default they are in that of the data, x before y. */
export interface UnnamedGeometries {
  /** The system they are in, as clients spell it, which says the order of the axes too. */
  readonly srsName?: string;
  /** Those in the system of the data come in the order of axes that its authority says. */
  readonly inAuthorityOrder?: true;
}

/** A schema with all that the geometries of one filter need. */
export interface SchemaWithSystems extends Schema {
  /** Those that geometries name, by the names as they are written. */
  readonly named?: ReadonlyMap<string, NamedCrs>;
  /** What a box in one system is in another, both by code: polygons, or a point or line where it is one, or none where it has no counterpart; undefined where that is not known. */
  readonly areas?: (box: Geometry, from: string, to: string) => readonly Geometry[] | undefined;
  readonly unnamed?: UnnamedGeometries;
  /** The codes of the data whose authority has y before x. */
  readonly northFirst?: ReadonlySet<string>;
}

/** The registry of systems is only looked into for a filter that names one, or a unit, or an order of axes. */
export async function withSystems(
  filter: Filter | Constant,
  schema: Schema,
  unnamed: UnnamedGeometries,
): Promise<SchemaWithSystems> {
  const found = collect(filter);
  if (unnamed.srsName !== undefined && found.hasGeometries) found.names.add(unnamed.srsName);
  const named = new Map<string, NamedCrs>();
  for (const name of found.names) {
    const system = await readCrsName(name);
    if (system !== undefined) named.set(name, system);
  }
  const own = schema.attributes.flatMap(({ crs }) => (crs === undefined ? [] : [crs]));
  const codes = new Set([...named.values()].map(({ code }) => code));
  const isMixed = [...codes].some((code) => !own.includes(code)) || (codes.size > 0 && new Set(own).size > 1);
  const conversions =
    schema.reproject === undefined && isMixed ? await createConversions(new Set([...codes, ...own])) : {};
  return {
    ...schema,
    attributes: found.hasUnits ? await Promise.all(schema.attributes.map(withLength)) : schema.attributes,
    ...conversions,
    named,
    unnamed,
    northFirst: unnamed.inAuthorityOrder && found.hasGeometries ? await listNorthFirst(own) : new Set(),
  };
}

interface CollectedSystems {
  readonly names: Set<string>;
  hasGeometries: boolean;
  hasUnits: boolean;
}

/** What of it depends on systems: the names that geometries have for theirs, and units of distances. */
function collect(
  part: object,
  found: CollectedSystems = { names: new Set(), hasGeometries: false, hasUnits: false },
): CollectedSystems {
  if ('units' in part && part.units !== undefined) found.hasUnits = true;
  if ('kind' in part && part.kind === 'geometry') found.hasGeometries = true;
  if ('srsName' in part && typeof part.srsName === 'string') found.names.add(part.srsName);
  for (const [name, inner] of Object.entries(part))
    if (typeof inner === 'object' && inner !== null && name !== 'coordinates') collect(inner, found);
  return found;
}

async function listNorthFirst(codes: readonly string[]): Promise<ReadonlySet<string>> {
  const definitions = await Promise.all(codes.map((code) => findCrs(code)));
  return new Set(codes.filter((_, index) => definitions[index]?.axisOrder === 'north-east'));
}

async function withLength(attribute: SchemaAttribute): Promise<SchemaAttribute> {
  if (attribute.metresPerUnit !== undefined || attribute.crs === undefined) return attribute;
  const model = (await findCrs(attribute.crs))?.model;
  return model === undefined ? attribute : { ...attribute, metresPerUnit: getUnitLength(model) };
}

function getUnitLength(model: CrsModel): number {
  return model.kind === 'geographic' ? model.unit.radians * EARTH_RADIUS_METRES : model.unit.metres;
}

async function createConversions(
  codes: ReadonlySet<string>,
): Promise<Required<Pick<SchemaWithSystems, 'reproject' | 'areas'>>> {
  const transformers = new Map<string, Transformer>();
  for (const code of codes) {
    const model = (await findCrs(code))?.model;
    const transformer = model === undefined ? undefined : await createTransformer(model);
    if (transformer !== undefined) transformers.set(code, transformer);
  }
  return {
    reproject: (geometry, from, to) => {
      const [source, target] = [transformers.get(from), transformers.get(to)];
      return source === undefined || target === undefined ? undefined : transformGeometry(geometry, source, target);
    },
    areas: (box, from, to) => {
      const [source, target] = [transformers.get(from), transformers.get(to)];
      if (source === undefined || target === undefined) return undefined;
      const bounds = box.type === 'Polygon' ? computeGeometryBounds(box) : undefined;
      if (bounds === undefined) return [transformGeometry(box, source, target)].filter((each) => each !== undefined);
      return convertArea(bounds, (x, y) => {
        const place = source.toLongitudeLatitude([x, y]);
        return place === undefined ? undefined : target.fromLongitudeLatitude(place);
      });
    },
  };
}

/** Undefined where a position has no counterpart. */
function transformGeometry(geometry: Geometry, source: Transformer, target: Transformer): Geometry | undefined {
  if (geometry.members !== undefined) {
    const members = geometry.members.map((each) => transformGeometry(each, source, target));
    return members.every((each) => each !== undefined) ? { ...geometry, members } : undefined;
  }
  const { ordinates, ends } = densifyPositions(geometry);
  const result = new Float64Array(ordinates.length);
  for (let at = 0; at < ordinates.length; at += 2) {
    const place = source.toLongitudeLatitude([ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN]);
    const position = place === undefined ? undefined : target.fromLongitudeLatitude(place);
    if (position === undefined) return undefined;
    result.set(position, at);
  }
  return { ...geometry, ordinates: result, ends };
}

function densifyPositions(geometry: Geometry): Pick<Geometry, 'ordinates' | 'ends'> {
  const { type, ordinates } = geometry;
  if (type !== 'Polygon' || ordinates.length !== 10) return geometry;
  const more: number[] = [];
  for (let at = 0; at + 3 < ordinates.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ordinates.subarray(at, at + 4);
    for (let step = 0; step < boxSteps; step += 1)
      more.push(x1 + ((x2 - x1) * step) / boxSteps, y1 + ((y2 - y1) * step) / boxSteps);
  }
  more.push(...ordinates.subarray(8));
  return { ordinates: Float64Array.from(more), ends: [more.length / 2] };
}
