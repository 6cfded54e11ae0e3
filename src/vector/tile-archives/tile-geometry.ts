/** Creates geometries in Web Mercator from the paths of a vector tile, cut to the tile. */
import { MERCATOR_EDGE } from '../../crs/web-mercator.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { clipLine, clipPoints, clipRing } from './clip-paths.ts';
import { type DecodedFeature, TILE_LINE, TILE_POINT } from './decode-tile.ts';
import type { ArchivedTilePosition } from './model/tile-archive.ts';

type Path = readonly number[];

/** Returns undefined if nothing of the feature is inside the tile. `isMultiple` returns single parts as multiple. */
export function createTileGeometry(
  { kind, paths }: DecodedFeature,
  extent: number,
  { position, isMultiple }: { readonly position: ArchivedTilePosition; readonly isMultiple: boolean },
): Geometry | undefined {
  const toMap = createTransform(position, extent);
  if (kind === TILE_POINT) {
    const points = clipPoints(paths[0] ?? [], extent);
    if (points.length === 0) return undefined;
    const type = isMultiple || points.length > 2 ? 'MultiPoint' : 'Point';
    return { type, dimension: 'XY', ordinates: toMap([points]), ends: [], parts: [] };
  }
  if (kind === TILE_LINE) {
    const lines = paths.filter((path) => path.length >= 4).flatMap((path) => clipLine(path, extent));
    if (lines.length === 0) return undefined;
    const type = isMultiple || lines.length > 1 ? 'MultiLineString' : 'LineString';
    return { type, dimension: 'XY', ordinates: toMap(lines), ends: listEnds(lines), parts: [] };
  }
  const { rings, parts } = sortRings(paths, extent);
  if (rings.length === 0) return undefined;
  const type = isMultiple || parts.length > 1 ? 'MultiPolygon' : 'Polygon';
  return { type, dimension: 'XY', ordinates: toMap(rings), ends: listEnds(rings), parts };
}

/** A ring with the direction of the first one begins a polygon; others are its holes. */
function sortRings(
  paths: readonly Path[],
  extent: number,
): { readonly rings: readonly Path[]; readonly parts: number[] } {
  const rings: Path[] = [];
  const parts: number[] = [];
  let direction = 0;
  let isOuterVisible = false;
  for (const path of paths) {
    // Three positions and the first one again.
    if (path.length < 8) continue;
    const area = computeDoubleArea(path);
    if (area === 0) continue;
    if (direction === 0) direction = Math.sign(area);
    const isOuter = Math.sign(area) === direction;
    const ring = clipRing(path, extent);
    const isVisible = ring.length > 0 && computeDoubleArea(ring) !== 0;
    if (isOuter) isOuterVisible = isVisible;
    if (!isVisible || !isOuterVisible) continue;
    rings.push(ring);
    if (isOuter) parts.push(rings.length);
    else parts[parts.length - 1] = rings.length;
  }
  return { rings, parts };
}

function computeDoubleArea(ring: Path): number {
  let area = 0;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    area += (ring[at] ?? 0) * (ring[at + 3] ?? 0) - (ring[at + 2] ?? 0) * (ring[at + 1] ?? 0);
  }
  return area;
}

function listEnds(paths: readonly Path[]): readonly number[] {
  let end = 0;
  return paths.map((path) => {
    end += path.length / 2;
    return end;
  });
}

function createTransform({ zoom, column, row }: ArchivedTilePosition, extent: number) {
  const side = (2 * MERCATOR_EDGE) / 2 ** zoom;
  const unit = side / extent;
  const [left, top] = [column * side - MERCATOR_EDGE, MERCATOR_EDGE - row * side];
  return (paths: readonly Path[]): Float64Array => {
    const ordinates = new Float64Array(paths.reduce((sum, path) => sum + path.length, 0));
    let at = 0;
    for (const path of paths) {
      for (let from = 0; from + 1 < path.length; from += 2) {
        ordinates[at++] = left + (path[from] ?? 0) * unit;
        ordinates[at++] = top - (path[from + 1] ?? 0) * unit;
      }
    }
    return ordinates;
  };
}
