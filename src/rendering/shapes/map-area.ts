/** Which features a map may show: the boxes to look for them in, in their own system, and how often the Earth is seen. */
import { areSameCrs } from '../../crs/are-same-crs.ts';
import { type Bounds, intersectBounds } from '../../crs/bounds.ts';
import { DEGREE_RADIANS } from '../../crs/model/crs-model.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { type CrsDefinition, resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer } from '../../crs/transformer.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { computeVisibleBox, type Frame, METRES_PER_DEGREE } from './frame.ts';
import { isUnknown } from './projector.ts';

export interface MapSystem {
  readonly reference: CrsReference;
  readonly metresPerUnit: number;
  /** Where the Earth begins and ends in systems in which it goes on beyond the antimeridian. */
  readonly world: { readonly minX: number; readonly width: number } | undefined;
  /** Where the system makes sense, with what is around that; undefined for everywhere. */
  readonly area: Bounds | undefined;
}

/** Projections in which meridians are straight lines side by side: the same map follows on either side. */
const cylindricalMethods: ReadonlySet<string> = new Set([
  'mercator',
  'web mercator',
  'equidistant cylindrical',
  'cylindrical equal area',
  'miller',
]);

/** Maps show what is around a country as well; only what is far from where a system makes sense is rubbish. */
const AROUND_AREA_DEGREES = { longitude: 30, latitude: 15 };

export async function resolveMapSystem(reference: CrsReference): Promise<MapSystem> {
  const definition = await resolveCrs(reference);
  const world = definition && (await findWorldExtent(definition));
  return {
    reference,
    metresPerUnit: getMetresPerUnit(definition),
    world,
    area:
      world === undefined && definition?.areaOfUse !== undefined ? padGeographicArea(definition.areaOfUse) : undefined,
  };
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
  return {
    minX: isRound ? -180 : west - longitude,
    maxX: isRound ? 180 : east + longitude,
    minY: Math.max(-90, south - latitude),
    maxY: Math.min(90, north + latitude),
  };
}

/** So many times at most, to either side, the Earth is painted: beyond that a map is smaller than a stamp. */
const MAX_TURNS = 5;

/** What is beyond the Earth by less than this part of it is there by rounding only. */
const ROUNDING = 1e-9;

/** How far features are moved to the right, in units of the map, for each time that the Earth is seen. */
export function listWorldShifts({ world }: MapSystem, { box }: Frame): readonly number[] {
  if (world === undefined) return [0];
  const { minX, width } = world;
  const first = Math.floor((box.minX - minX) / width + ROUNDING);
  const last = Math.ceil((box.maxX - minX) / width - ROUNDING) - 1;
  const from = Math.max(first, -MAX_TURNS);
  const count = Math.max(0, Math.min(last, MAX_TURNS) - from + 1);
  return Array.from({ length: count }, (_, index) => (from + index) * width);
}

/** The boxes that what is seen is in, in the system of the features; none where nothing can be seen. */
export async function computeFeatureBoxes(
  system: MapSystem,
  frame: Frame,
  marginPixels: number,
  shifts: readonly number[],
  of: CrsReference,
): Promise<readonly Bounds[]> {
  const seen = computeVisibleBox(frame, marginPixels);
  const boxes = shifts.map((shift) => ({ ...seen, minX: seen.minX - shift, maxX: seen.maxX - shift }));
  if (isUnknown(of) || (await areSameCrs(of, system.reference))) return boxes;
  const found = await Promise.all(boxes.map((box) => convertBox(system, box, of)));
  return found.filter((box) => box !== undefined);
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

/** Places are looked at in a grid: what is between them, such as a pole, may be a little farther out. */
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
