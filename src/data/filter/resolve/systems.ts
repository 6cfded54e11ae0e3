/** Lets filters name other coordinate reference systems and units than those of the data. */
import { parseCrsCode } from '../../crs/crs-code.ts';
import type { CrsModel } from '../../crs/crs-model.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { createTransformer, type Transformer } from '../../crs/transformer.ts';
import type { Geometry } from '../../vector/geometry.ts';
import type { Constant, Filter } from '../filter.ts';
import type { Schema, SchemaAttribute } from '../schema.ts';

/** Of the Earth at the equator, by which degrees are lengths; nearer to the poles they are less. */
const EARTH_RADIUS_METRES = 6_378_137;

/** The side of a box is a curve in other systems: it gets so many pieces. */
const boxSteps = 20;

/** The registry of systems is only looked into for a filter that names one, or a unit. */
export async function withSystems(filter: Filter | Constant, schema: Schema): Promise<Schema> {
  const named = new Set<string>();
  const hasUnits = collect(filter, named);
  const own = schema.attributes.flatMap(({ crs }) => (crs === undefined ? [] : [crs]));
  const foreign = [...named].filter((code) => !own.includes(code));
  const isMixed = foreign.length > 0 || (named.size > 0 && new Set(own).size > 1);
  return {
    attributes: hasUnits ? await Promise.all(schema.attributes.map(withLength)) : schema.attributes,
    ...(schema.reproject === undefined
      ? isMixed
        ? { reproject: await reprojection(new Set([...named, ...own])) }
        : {}
      : { reproject: schema.reproject }),
  };
}

/** Notes the codes that geometries name; true where a distance names a unit. */
function collect(part: object, named: Set<string>): boolean {
  let hasUnits = 'units' in part && part.units !== undefined;
  if ('srsName' in part && typeof part.srsName === 'string') named.add(parseCrsCode(part.srsName) ?? '');
  for (const [name, inner] of Object.entries(part)) {
    const isTree = typeof inner === 'object' && inner !== null && name !== 'coordinates';
    if (isTree && collect(inner, named)) hasUnits = true;
  }
  return hasUnits;
}

async function withLength(attribute: SchemaAttribute): Promise<SchemaAttribute> {
  if (attribute.metresPerUnit !== undefined || attribute.crs === undefined) return attribute;
  const model = (await findCrs(attribute.crs))?.model;
  return model === undefined ? attribute : { ...attribute, metresPerUnit: unitLength(model) };
}

function unitLength(model: CrsModel): number {
  return model.kind === 'geographic' ? model.unit.radians * EARTH_RADIUS_METRES : model.unit.metres;
}

async function reprojection(codes: ReadonlySet<string>): Promise<NonNullable<Schema['reproject']>> {
  const transformers = new Map<string, Transformer>();
  for (const code of codes) {
    const model = (await findCrs(code))?.model;
    const transformer = model === undefined ? undefined : await createTransformer(model);
    if (transformer !== undefined) transformers.set(code, transformer);
  }
  return (geometry, from, to) => {
    const [source, target] = [transformers.get(from), transformers.get(to)];
    return source === undefined || target === undefined ? undefined : transformed(geometry, source, target);
  };
}

/** Undefined where a position has no counterpart. */
function transformed(geometry: Geometry, source: Transformer, target: Transformer): Geometry | undefined {
  if (geometry.members !== undefined) {
    const members = geometry.members.map((each) => transformed(each, source, target));
    return members.every((each) => each !== undefined) ? { ...geometry, members } : undefined;
  }
  const { ordinates, ends } = withMorePositions(geometry);
  const result = new Float64Array(ordinates.length);
  for (let at = 0; at < ordinates.length; at += 2) {
    const place = source.toLongitudeLatitude([ordinates[at] ?? Number.NaN, ordinates[at + 1] ?? Number.NaN]);
    const position = place === undefined ? undefined : target.fromLongitudeLatitude(place);
    if (position === undefined) return undefined;
    result.set(position, at);
  }
  return { ...geometry, ordinates: result, ends };
}

function withMorePositions(geometry: Geometry): Pick<Geometry, 'ordinates' | 'ends'> {
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
