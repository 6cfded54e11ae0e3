/**
 * Determines the features that a map may show: the query boxes in the CRS of the features, and the visible copies of
 * the Earth.
 */
import { areSameCrs } from '../../crs/are-same-crs.ts';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { isNoCrs } from '../../crs/model/crs-code.ts';
import { DEGREE_RADIANS } from '../../crs/model/crs-model.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { type CrsDefinition, resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer } from '../../crs/transformer.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { METRES_PER_DEGREE } from './frame.ts';
import { isUnknown } from './projector.ts';

export interface MapSystem {
  readonly reference: CrsReference;
  readonly metresPerUnit: number;
  readonly isGeographic: boolean;
  /** The extent of the Earth in a CRS that continues beyond the antimeridian. */
  readonly world: { readonly minX: number; readonly width: number } | undefined;
  /** The longitude of the left edge of a projection of the whole Earth whose edges do not meet; undefined for others. */
  readonly seamLongitude: number | undefined;
  /** The area of validity of the CRS with a margin; undefined for no limit. */
  readonly area: Bounds | undefined;
}

/** Projections with parallel straight meridians, in which the same map repeats on both sides. */
const cylindricalMethods: ReadonlySet<string> = new Set([
  'mercator',
  'web mercator',
  'equidistant cylindrical',
  'cylindrical equal area',
  'miller',
]);

/** Projections of the whole Earth with curved meridians, which end at the opposite of the central meridian. */
const boundedMethods: ReadonlySet<string> = new Set(['sinusoidal', 'mollweide', 'robinson', 'equal earth']);

/** Maps also show the surroundings of a country; only positions far outside of the area of validity are wrong. */
const AROUND_AREA_DEGREES = { longitude: 30, latitude: 15 };

export async function resolveMapSystem(reference: CrsReference): Promise<MapSystem> {
  const definition = await resolveCrs(reference);
  const world = definition && (await findWorldExtent(definition));
  return {
    reference,
    metresPerUnit: getMetresPerUnit(definition),
    isGeographic: definition?.model?.kind === 'geographic',
    world,
    seamLongitude: findSeamLongitude(definition),
    area:
      world === undefined && definition?.areaOfUse !== undefined ? padGeographicArea(definition.areaOfUse) : undefined,
  };
}

function findSeamLongitude(definition: CrsDefinition | undefined): number | undefined {
  const model = definition?.model;
  if (model?.kind !== 'projected' || !boundedMethods.has(model.projection.method)) return undefined;
  return (model.projection.parameters.lon_0 ?? 0) - 180;
}

function getMetresPerUnit(definition: CrsDefinition | undefined): number {
  const model = definition?.model;
  if (model?.kind === 'geographic') return (model.unit.radians / DEGREE_RADIANS) * METRES_PER_DEGREE;
  return model?.unit.metres ?? 1;
}

async function findWorldExtent({ model }: CrsDefinition): Promise<MapSystem['world']> {
  if (model?.kind === 'geographic') {
    const degree = DEGREE_RADIANS / model.unit.radians;
    return { minX: -180 * degree, width: 360 * degree };
  }
  if (model?.kind !== 'projected' || !cylindricalMethods.has(model.projection.method)) return undefined;
  const transformer = await createTransformer(model);
  const middle = model.projection.parameters.lon_0 ?? 0;
  const [west, east] = [middle - 90, middle + 90].map((each) => transformer?.fromLongitudeLatitude([each, 0])?.[0]);
  if (west === undefined || east === undefined || !(east > west)) return undefined;
  const width = (east - west) * 2;
  return { minX: (west + east) / 2 - width / 2, width };
}

function padGeographicArea({
  west,
  south,
  east,
  north,
}: {
  west: number;
  south: number;
  east: number;
  north: number;
}): Bounds {
  const { longitude, latitude } = AROUND_AREA_DEGREES;
  const isRound = west > east || east - west + 2 * longitude >= 360;
  // Projections of a polar cap also show the rest of its hemisphere.
  const [isNorth, isSouth] = [isRound && north >= 90 && south >= 0, isRound && south <= -90 && north <= 0];
  return {
    minX: isRound ? -180 : west - longitude,
    maxX: isRound ? 180 : east + longitude,
    minY: isNorth ? Math.min(0, south - latitude) : Math.max(-90, south - latitude),
    maxY: isSouth ? Math.max(0, north + latitude) : Math.min(90, north + latitude),
  };
}

/** The maximum number of copies of the Earth on each side: with more, each copy is tiny. */
const MAX_TURNS = 5;

/** Excess beyond the Earth below this fraction is rounding. */
const ROUNDING = 1e-9;

/**
 * Returns the offsets of features to the right, in map units, one for each copy of the Earth in a box; the copy in the
 * middle is the first. The box includes the margin in which symbols begin: a map that ends at the antimeridian shows
 * the symbols of the features behind it.
 */
export function listWorldShifts({ world }: MapSystem, box: Bounds): readonly number[] {
  if (world === undefined) return [0];
  const { minX, width } = world;
  const first = Math.floor((box.minX - minX) / width + ROUNDING);
  const last = Math.ceil((box.maxX - minX) / width - ROUNDING) - 1;
  const from = Math.max(first, -MAX_TURNS);
  const count = Math.max(0, Math.min(last, MAX_TURNS) - from + 1);
  const middle = (box.minX + box.maxX) / 2 - minX - width / 2;
  return Array.from({ length: count }, (_, index) => (from + index) * width).sort(
    (one, other) => Math.abs(one - middle) - Math.abs(other - middle),
  );
}

/** Returns the boxes of the visible area `seen` in the CRS of the features; none if nothing is visible. */
export async function computeFeatureBoxes(
  system: MapSystem,
  seen: Bounds,
  shifts: readonly number[],
  of: CrsReference,
): Promise<readonly Bounds[]> {
  const boxes = shifts.map((shift) => ({ ...seen, minX: seen.minX - shift, maxX: seen.maxX - shift }));
  if (isUnknown(of) || isNoCrs(system.reference.code) || (await areSameCrs(of, system.reference))) return boxes;
  const found = await Promise.all(boxes.map((box) => convertBox(system, box, of)));
  const drawn = found.filter((box) => box !== undefined);
  const world = system.area === undefined ? undefined : (await resolveMapSystem(of)).world;
  return world === undefined ? drawn : drawn.flatMap((box) => [box, ...listBoxesBeyond(box, world)]);
}

/** Returns the parts of a box beyond the antimeridian, where the features on the other side are. */
function listBoxesBeyond(box: Bounds, { minX, width }: NonNullable<MapSystem['world']>): readonly Bounds[] {
  if (box.maxX - box.minX >= width) return [];
  return [
    ...(box.maxX > minX + width ? [{ ...box, minX, maxX: box.maxX - width }] : []),
    ...(box.minX < minX ? [{ ...box, minX: box.minX + width, maxX: minX + width }] : []),
  ];
}

async function convertBox(system: MapSystem, box: Bounds, of: CrsReference): Promise<Bounds | undefined> {
  const { world, area, reference } = system;
  if (area === undefined) {
    const within = world === undefined ? box : clipToWorld(box, world);
    return within && (await createReprojection(reference, of))?.reprojectBounds(within);
  }
  const onEarth = await createReprojection(reference, { code: 'EPSG:4326' });
  const placed = onEarth === undefined ? box : onEarth.reprojectBounds(box);
  const sensible = placed && intersectBounds(padBox(placed), area);
  if (sensible === undefined) return undefined;
  const toFeatures = await createReprojection({ code: 'EPSG:4326' }, of);
  if (toFeatures === undefined) return sensible;
  const found = toFeatures.reprojectBounds(sensible);
  return found && padBox(found);
}

/** Positions are sampled in a grid, so extremes between the samples, such as a pole, may be slightly outside. */
function padBox({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const [x, y] = [(maxX - minX) / 20, (maxY - minY) / 20];
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}

function clipToWorld(
  box: Bounds,
  { minX, width }: { readonly minX: number; readonly width: number },
): Bounds | undefined {
  return intersectBounds(box, {
    minX,
    maxX: minX + width,
    minY: Number.NEGATIVE_INFINITY,
    maxY: Number.POSITIVE_INFINITY,
  });
}
