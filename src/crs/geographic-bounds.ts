/** Computes the bounding box in longitude and latitude of a rectangle in any CRS. */
import type { Bounds } from './bounds.ts';
import type { CrsReference } from './model/crs-reference.ts';
import { resolveCrs } from './resolve-crs.ts';
import { createTransformer, type Position, type Transformer } from './transformer.ts';

/** Straight edges are curves on the Earth: this is the number of sampled points per edge. */
const EDGE_STEPS = 201;
/** The number of sampled lines inside the rectangle in each direction, and of points on each. */
const INNER_STEPS = 21;

/**
 * Returns the bounding box in WGS 84, limited to the poles and the antimeridian: a box that crosses it covers all
 * longitudes. Undefined if the CRS is unknown, or if no part of the rectangle is on the Earth.
 */
export async function computeGeographicBounds(bounds: Bounds, reference: CrsReference): Promise<Bounds | undefined> {
  const definition = await resolveCrs(reference);
  if (definition?.model === undefined) return undefined;
  const transformer = await createTransformer(definition.model);
  if (transformer === undefined || !Object.values(bounds).every(Number.isFinite)) return undefined;
  const isUnchanged = definition.code === 'EPSG:4326';
  return isUnchanged ? wrapLongitudes(bounds) : computeBox(bounds, transformer);
}

function computeBox(bounds: Bounds, transformer: Transformer): Bounds | undefined {
  const center = transformer.toLongitudeLatitude([(bounds.minX + bounds.maxX) / 2, (bounds.minY + bounds.maxY) / 2]);
  let box: Bounds | undefined;
  let crosses = false;
  for (const line of listSampleLines(bounds)) {
    let before: Position | undefined;
    for (const position of line) {
      const found = transformer.toLongitudeLatitude(position);
      if (found === undefined) continue;
      const place = chooseAntimeridianSide(center, found);
      box = extendBounds(box, place);
      // Neighbours are less than 180 degrees apart unless the antimeridian or a pole is between them.
      if (before !== undefined && Math.abs(place[0] - before[0]) > 180) crosses = true;
      before = place;
    }
  }
  if (box === undefined) return undefined;
  const north = hasPole(90, bounds, transformer);
  const south = hasPole(-90, bounds, transformer);
  const isRound = crosses || north || south;
  return wrapLongitudes({
    minX: isRound ? -180 : box.minX,
    minY: south ? -90 : box.minY,
    maxX: isRound ? 180 : box.maxX,
    maxY: north ? 90 : box.maxY,
  });
}

/** The antimeridian is both 180 and -180 degrees: the rest of the rectangle determines which of them applies. */
function chooseAntimeridianSide(center: Position | undefined, place: Position): Position {
  const [longitude, latitude] = place;
  if (center === undefined || center[0] * longitude >= 0 || Math.abs(longitude) < 180 - 1e-7) return place;
  return [-longitude, latitude];
}

/** Lists the edges, and lines between them, because the inside of a rectangle may reach further than its edges. */
function* listSampleLines({ minX, minY, maxX, maxY }: Bounds): Generator<readonly Position[]> {
  const edgeXs = interpolateSteps(minX, maxX, EDGE_STEPS);
  const edgeYs = interpolateSteps(minY, maxY, EDGE_STEPS);
  for (const y of [minY, maxY]) yield edgeXs.map((x): Position => [x, y]);
  for (const x of [minX, maxX]) yield edgeYs.map((y): Position => [x, y]);
  const innerXs = interpolateSteps(minX, maxX, INNER_STEPS);
  const innerYs = interpolateSteps(minY, maxY, INNER_STEPS);
  for (const y of innerYs) yield innerXs.map((x): Position => [x, y]);
  for (const x of innerXs) yield innerYs.map((y): Position => [x, y]);
}

function interpolateSteps(low: number, high: number, steps: number): readonly number[] {
  return Array.from({ length: steps }, (_, step) =>
    step === steps - 1 ? high : low + ((high - low) * step) / (steps - 1),
  );
}

/** Returns whether the pole is inside, in a projection that maps it to a point for all longitudes. */
function hasPole(latitude: number, bounds: Bounds, transformer: Transformer): boolean {
  const [first, second] = [0, 90].map((longitude) => transformer.fromLongitudeLatitude([longitude, latitude]));
  if (first === undefined || second === undefined) return false;
  const size = Math.max(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY);
  const isPoint = Math.hypot(first[0] - second[0], first[1] - second[1]) <= size * 1e-6;
  const [x, y] = first;
  return isPoint && x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY;
}

function extendBounds(box: Bounds | undefined, [x, y]: Position): Bounds {
  if (box === undefined) return { minX: x, minY: y, maxX: x, maxY: y };
  return {
    minX: Math.min(box.minX, x),
    minY: Math.min(box.minY, y),
    maxX: Math.max(box.maxX, x),
    maxY: Math.max(box.maxY, y),
  };
}

/** Wraps longitudes from 0 to 360, or slightly out of range, to -180 to 180. */
function wrapLongitudes({ minX, minY, maxX, maxY }: Bounds): Bounds | undefined {
  if (minY > 90 || maxY < -90) return undefined;
  const south = Math.max(minY, -90);
  const north = Math.min(maxY, 90);
  if (maxX - minX >= 360) return { minX: -180, minY: south, maxX: 180, maxY: north };
  const turns = 360 * Math.floor((minX + 180 + 1e-6) / 360);
  const west = Math.max(minX - turns, -180);
  const east = maxX - turns;
  if (east <= 180 + 1e-6) return { minX: west, minY: south, maxX: Math.min(east, 180), maxY: north };
  return { minX: -180, minY: south, maxX: 180, maxY: north };
}
