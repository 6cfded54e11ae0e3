/** Resolves the extent and size of a map, with defaults for absent parameters. */

import { parseAutomaticCrs } from '../../../crs/automatic-crs.ts';
import { readCrsName } from '../../../crs/axis-order.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import { createConversion } from '../../../crs/conversion.ts';
import { isNoCrs, NO_CRS } from '../../../crs/model/crs-code.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import { readEcqlExpression } from '../../../filter/ecql/reader.ts';
import type { GeometryLiteral, Position } from '../../../filter/model/geometry-literal.ts';
import { mergeBounds } from '../../../geometry/geometry-bounds.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { ClipArea } from '../../../rendering/rasterizer/clip-area.ts';
import { computeMetricScale } from '../../../rendering/shapes/frame.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { toOptionalProperty } from '../../ows/parameters.ts';
import type { WmsSettings } from '../context/settings.ts';
import type { RequestedFrame, RequestedMap, WmsVersion } from '../request/request.ts';

export interface MapFrame {
  readonly system: CrsReference;
  /** The CRS code as the client knows it. */
  readonly crs: string;
  /** x before y. */
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
  /** Restricts the map to this area. */
  readonly clip?: ClipArea;
  /** Overrides the scale that follows from the width of the box. */
  readonly scaleDenominator?: number;
}

const LONGITUDE_LATITUDE = 'EPSG:4326';

/** The default length of the longer side. */
const DEFAULT_PIXELS = 512;

export async function resolveMapFrame(
  version: WmsVersion,
  { frame: requested, hasTrueScale, dpi }: Pick<RequestedMap, 'frame' | 'hasTrueScale' | 'dpi'>,
  maps: readonly PublishedMap[],
  { maxPixels }: Pick<WmsSettings, 'maxPixels'>,
): Promise<MapFrame> {
  const { system, crs, isNorthFirst } = await resolveFrameSystem(version, requested.crs ?? LONGITUDE_LATITUDE);
  const box = requested.corners ? toBounds(requested.corners, isNorthFirst) : await computeBoxAround(maps, system);
  const { width, height } = computeMapSize(requested, box);
  if (width * height > maxPixels) {
    throw problem('wms-map-too-large', { width, height, maxPixels, field: 'width' });
  }
  const clip = requested.clip === undefined ? undefined : await readClipArea(requested.clip, system);
  const metres = hasTrueScale ? await measureMetresAcross(box, system) : undefined;
  return {
    system,
    crs,
    box,
    width,
    height,
    ...toOptionalProperty('clip', clip),
    ...toOptionalProperty('scaleDenominator', metres && computeMetricScale(metres, width, dpi)),
  };
}

interface FrameSystem extends Pick<MapFrame, 'system' | 'crs'> {
  readonly isNorthFirst: boolean;
}

async function resolveFrameSystem(version: WmsVersion, written: string): Promise<FrameSystem> {
  const automatic = parseAutomaticCrs(written);
  if (automatic !== undefined) return { system: automatic, crs: written.trim(), isNorthFirst: false };
  // A plane without a CRS: nothing is reprojected.
  if (isNoCrs(written)) return { system: { code: NO_CRS }, crs: NO_CRS, isNorthFirst: false };
  const named = await readCrsName(written, version === '1.3.0' ? 'as-authority' : 'east-first');
  if (named === undefined) {
    throw problem('wms-crs-unknown', { crs: written, field: version === '1.3.0' ? 'crs' : 'srs' });
  }
  return { system: { code: named.code }, crs: named.code, isNorthFirst: named.isNorthFirst };
}

/** The number of measured segments: for these lengths, distances on a sphere are precise enough. */
const STRETCHES = 16;
const EARTH_RADIUS = 6_371_008.8;

/** Measures along the middle of the box; undefined if that is not on the Earth. */
export async function measureMetresAcross(
  { minX, minY, maxX, maxY }: Bounds,
  system: CrsReference,
): Promise<number | undefined> {
  const convert = await createConversion(system, { code: LONGITUDE_LATITUDE });
  const y = (minY + maxY) / 2;
  const places = Array.from({ length: STRETCHES + 1 }, (_, index) => {
    const x = minX + ((maxX - minX) * index) / STRETCHES;
    return convert === undefined ? ([x, y] as const) : convert(x, y);
  });
  let metres = 0;
  for (const [index, to] of places.entries()) {
    const from = places[index - 1];
    if (from === undefined || to === undefined) continue;
    const [lon1, lat1, lon2, lat2] = [...from, ...to].map((degrees) => (degrees * Math.PI) / 180) as [
      number,
      number,
      number,
      number,
    ];
    const half = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lon2 - lon1) / 2) ** 2;
    metres += 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
  }
  return metres > 0 ? metres : undefined;
}

function toBounds([a, b, c, d]: readonly [number, number, number, number], isNorthFirst: boolean): Bounds {
  return isNorthFirst ? { minX: b, minY: a, maxX: d, maxY: c } : { minX: a, minY: b, maxX: c, maxY: d };
}

/** Returns the extent of all maps, or the whole Earth if it is unknown. */
async function computeBoxAround(maps: readonly PublishedMap[], system: CrsReference): Promise<Bounds> {
  const boxes = maps.flatMap(({ latLonBounds }) => latLonBounds ?? []);
  const all = boxes.reduce<Bounds | undefined>(mergeBounds, undefined) ?? {
    minX: -180,
    minY: -90,
    maxX: 180,
    maxY: 90,
  };
  const reprojection = await createReprojection({ code: LONGITUDE_LATITUDE }, system);
  return widenEmptyBox(reprojection?.reprojectBounds(all) ?? all);
}

/** Adds a margin around a single point. */
function widenEmptyBox({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const margin = Math.max(maxX - minX, maxY - minY) / 2 || 1;
  return {
    minX: maxX > minX ? minX : minX - margin,
    minY: maxY > minY ? minY : minY - margin,
    maxX: maxX > minX ? maxX : maxX + margin,
    maxY: maxY > minY ? maxY : maxY + margin,
  };
}

/** Derives an absent side from the proportions of the box. */
function computeMapSize(
  { width, height }: RequestedFrame,
  box: Bounds,
): { readonly width: number; readonly height: number } {
  const ratio = (box.maxX - box.minX) / (box.maxY - box.minY);
  const toPixels = (length: number): number => Math.max(1, Math.min(Math.round(length), DEFAULT_PIXELS * 16));
  if (width !== undefined) return { width, height: height ?? toPixels(width / ratio) };
  if (height !== undefined) return { width: toPixels(height * ratio), height };
  return ratio >= 1
    ? { width: DEFAULT_PIXELS, height: toPixels(DEFAULT_PIXELS / ratio) }
    : { width: toPixels(DEFAULT_PIXELS * ratio), height: DEFAULT_PIXELS };
}

/** The maximum number of positions; hand-drawn areas have far fewer. */
const MAX_POSITIONS = 100_000;

/** Parses the clip area of a map: a WKT polygon in the CRS of the map or in a CRS that it names. */
async function readClipArea(text: string, system: CrsReference): Promise<ClipArea> {
  const outcome = readEcqlExpression(text);
  if (outcome.kind !== 'read' || outcome.value.kind !== 'geometry') throw createClipProblem(text);
  const polygons = listPolygons(outcome.value, text);
  const count = polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
  if (count > MAX_POSITIONS) throw createClipProblem(text);
  const { srsName } = outcome.value;
  const named = srsName === undefined ? undefined : await readCrsName(srsName);
  if (srsName !== undefined && named === undefined) throw problem('wms-crs-unknown', { crs: srsName, field: 'clip' });
  const convert = named && (await createConversion({ code: named.code }, system));
  const convertPosition = ([x = 0, y = 0]: Position): Position => {
    const position = convert === undefined ? [x, y] : convert(x, y);
    if (position === undefined) throw createClipProblem(text);
    return position;
  };
  return polygons.map((rings) =>
    rings.map((ring) => Float64Array.from(ring.flatMap((position) => convertPosition(position)))),
  );
}

type Rings = readonly (readonly Position[])[];

function listPolygons(literal: GeometryLiteral, text: string): readonly Rings[] {
  switch (literal.type) {
    case 'Polygon':
      return [literal.coordinates];
    case 'MultiPolygon':
    case 'GeometryCollection':
      return literal.members.flatMap((member) => listPolygons(member, text));
    default:
      throw createClipProblem(text);
  }
}

function createClipProblem(value: string): Problem {
  const expected = 'expected a polygon as well-known text, such as POLYGON((0 0, 1 0, 1 1, 0 0))';
  return problem('ows-parameter-invalid', { parameter: 'clip', value, expected, field: 'clip' });
}
