/** Supports filters with other coordinate reference systems and units than those of the data. */
import { type NamedCrs, readCrsName } from '../../crs/axis-order.ts';
import type { CrsModel } from '../../crs/model/crs-model.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { createTransformer, type Transformer } from '../../crs/transformer.ts';
import { convertArea } from '../../geometry/convert-box.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import type { Constant, Filter } from '../model/filter.ts';
import type { Schema, SchemaAttribute } from '../model/schema.ts';
import { readReprojectionCodes } from './reprojections.ts';

/** Equatorial radius for lengths of degrees, which are shorter near the poles. */
const EARTH_RADIUS_METRES = 6_378_137;

/** The sides of a box are curves in other CRSs and are divided into this number of pieces. */
const boxSteps = 20;

/** The interpretation of geometries without a CRS name; defaults to the CRS of the data, x before y. */
export interface UnnamedGeometries {
  /** The CRS name as the client spells it, which also determines the axis order. */
  readonly srsName?: string;
  /** Coordinates in the CRS of the data have the axis order of its authority. */
  readonly inAuthorityOrder?: true;
}

/** A schema with the CRSs that the geometries of one filter need. */
export interface SchemaWithSystems extends Schema {
  /** CRSs by their names in the filter. */
  readonly named?: ReadonlyMap<string, NamedCrs>;
  /**
   * Converts a box between two CRS codes: to polygons, to a point or line if it is degenerate, to an empty list if it
   * has no counterpart, or to undefined if the conversion is unknown.
   */
  readonly areas?: (box: Geometry, from: string, to: string) => readonly Geometry[] | undefined;
  readonly unnamed?: UnnamedGeometries;
  /** The CRS codes of the data whose authority has y before x. */
  readonly northFirst?: ReadonlySet<string>;
  /** The CRS codes of the names in calls of `reproject`. */
  readonly reprojectionCodes?: ReadonlyMap<string, string>;
}

/** The CRS registry is used only if the filter contains a CRS name, a unit or an axis order. */
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
  const reprojectionCodes = await readReprojectionCodes(filter);
  const codes = new Set([...[...named.values()].map(({ code }) => code), ...reprojectionCodes.values()]);
  const isMixed = [...codes].some((code) => !own.includes(code)) || (codes.size > 0 && new Set(own).size > 1);
  const conversions =
    schema.reproject === undefined && isMixed ? await createConversions(new Set([...codes, ...own])) : {};
  return {
    ...schema,
    attributes: found.hasUnits ? await Promise.all(schema.attributes.map(withLength)) : schema.attributes,
    ...conversions,
    named,
    reprojectionCodes,
    unnamed,
    northFirst: unnamed.inAuthorityOrder && found.hasGeometries ? await listNorthFirst(own) : new Set(),
  };
}

interface CollectedSystems {
  readonly names: Set<string>;
  hasGeometries: boolean;
  hasUnits: boolean;
}

/** Collects the CRS names and distance units of a filter. */
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

/** Returns undefined if a position has no counterpart. */
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
