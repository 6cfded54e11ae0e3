/** Parses the extent, size and background of a map, with defaults for absent parameters. */
import { type NamedCrs, readCrsName } from '../../../crs/axis-order.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import { createReprojection } from '../../../geometry/reprojection.ts';
import type { Color } from '../../../rendering/request/map-request.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { createParameterProblem, type Parameters, readParameter } from '../common/parameters.ts';
import { MAX_SIDE, mapParameters } from './map-parameters.ts';

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** The default length of the longer side. */
const DEFAULT_PIXELS = 1_024;

/** Larger maps must be requested in parts. */
const MAX_PIXELS = 16_777_216;

export interface RequestedMap {
  readonly system: { readonly code: string };
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
  readonly isTransparent: boolean;
  readonly background: Color | undefined;
  /** As in the Content-Crs header of the response. */
  readonly crs: string;
}

export async function readRequestedMap(parameters: Parameters, map: PublishedMap): Promise<RequestedMap> {
  const crs = readParameter(parameters, mapParameters.crs) ?? CRS84;
  const system = await getNamedSystem('crs', crs);
  const box = await readMapBox(parameters, map, system);
  const { width, height } = readMapSize(parameters, box);
  const background = readParameter(parameters, mapParameters.bgcolor);
  return {
    crs,
    system: { code: system.code },
    box,
    width,
    height,
    background,
    isTransparent: readParameter(parameters, mapParameters.transparent) ?? background === undefined,
  };
}

async function getNamedSystem(parameter: string, text: string): Promise<NamedCrs> {
  // Brackets enclose a short name (safe CURIE).
  const system = await readCrsName(text.replace(/^\[(.*)\]$/, '$1'));
  if (system === undefined) throw createParameterProblem(parameter, text, 'a supported CRS, such as EPSG:3857');
  return system;
}

async function readMapBox(parameters: Parameters, map: PublishedMap, system: NamedCrs): Promise<Bounds> {
  const text = readParameter(parameters, mapParameters.bbox);
  const written = readParameter(parameters, mapParameters['bbox-crs']);
  const boxSystem = written === undefined ? system : await getNamedSystem('bbox-crs', written);
  const own = map.latLonBounds ?? { minX: -180, minY: -90, maxX: 180, maxY: 90 };
  const [box, from] = text === undefined ? [own, { code: 'EPSG:4326' }] : [readBox(text, boxSystem), boxSystem];
  const toMap = await createReprojection({ code: from.code }, { code: system.code });
  const placed = widenBox(toMap === undefined ? box : toMap.reprojectBounds(box));
  if (placed === undefined)
    throw createParameterProblem('bbox', text ?? '', 'a box within the area of the CRS of the map');
  return placed;
}

/** Adds a margin to a point or to a line along an axis. */
function widenBox(box: Bounds | undefined): Bounds | undefined {
  if (box === undefined) return undefined;
  const [x, y] = [box.maxX - box.minX, box.maxY - box.minY];
  const room = Math.max(x, y) / 2 || 0.5;
  return {
    minX: x > 0 ? box.minX : box.minX - room,
    maxX: x > 0 ? box.maxX : box.maxX + room,
    minY: y > 0 ? box.minY : box.minY - room,
    maxY: y > 0 ? box.maxY : box.maxY + room,
  };
}

function readBox(text: string, { isNorthFirst }: NamedCrs): Bounds {
  const numbers = text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
  const box = isNorthFirst
    ? { minX: second, minY: first, maxX: fourth, maxY: third }
    : { minX: first, minY: second, maxX: third, maxY: fourth };
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || box.minX >= box.maxX || box.minY >= box.maxY) {
    throw createParameterProblem('bbox', text, 'four numbers, minimum values first');
  }
  return box;
}

/** An absent width or height follows from the proportions of the box. */
function readMapSize(parameters: Parameters, { minX, minY, maxX, maxY }: Bounds) {
  const proportion = (maxX - minX) / (maxY - minY);
  const [sentWidth, sentHeight] = [
    readParameter(parameters, mapParameters.width),
    readParameter(parameters, mapParameters.height),
  ];
  const computeWidth = (height: number) => clampSide(height * proportion);
  const width =
    sentWidth ??
    (sentHeight === undefined ? clampSide(DEFAULT_PIXELS * Math.min(1, proportion)) : computeWidth(sentHeight));
  const height = sentHeight ?? clampSide(width / proportion);
  if (width * height > MAX_PIXELS) {
    throw createParameterProblem('width', String(width), `a map of at most ${MAX_PIXELS} pixels`);
  }
  return { width, height };
}

function clampSide(pixels: number): number {
  return Math.min(MAX_SIDE, Math.max(1, Math.round(pixels)));
}
