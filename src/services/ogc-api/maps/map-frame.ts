/** Where a requested map lies, how large it is and what is below it, with what the client leaves to the server. */
import { type NamedCrs, readCrsName } from '../../../data/crs/axis-order.ts';
import type { Bounds } from '../../../data/crs/bounds.ts';
import { createReprojection } from '../../../data/vector/query/reprojection.ts';
import { parseFlag } from '../../../lib/flag.ts';
import type { Color } from '../../../rendering/map-request.ts';
import type { PublishedMap } from '../../door/published-map.ts';
import { invalidParameter, type Parameters } from '../common/parameters.ts';

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** The longer side of a map of which nobody says how large it is. */
const USUAL_PIXELS = 1_024;

/** More is a poster, which nobody draws in one piece. */
const MAX_SIDE = 8_192;
const MAX_PIXELS = 16_777_216;

export interface RequestedMap {
  readonly system: { readonly code: string };
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
  readonly isTransparent: boolean;
  readonly background: Color | undefined;
  /** As the reply tells it. */
  readonly crs: string;
}

export async function requestedMap(parameters: Parameters, map: PublishedMap): Promise<RequestedMap> {
  const crs = parameters.get('crs') ?? CRS84;
  const system = await systemNamed('crs', crs);
  const box = await boxOf(parameters, map, system);
  const { width, height } = sizeOf(parameters, box);
  const background = colourOf(parameters.get('bgcolor'));
  return {
    crs,
    system: { code: system.code },
    box,
    width,
    height,
    background,
    isTransparent: flagOf(parameters, 'transparent') ?? background === undefined,
  };
}

async function systemNamed(parameter: string, text: string): Promise<NamedCrs> {
  // In brackets it is a short name.
  const system = await readCrsName(text.replace(/^\[(.*)\]$/, '$1'));
  if (system === undefined) throw invalidParameter(parameter, text, 'a system that is known, such as EPSG:3857');
  return system;
}

async function boxOf(parameters: Parameters, map: PublishedMap, system: NamedCrs): Promise<Bounds> {
  const text = parameters.get('bbox');
  const written = parameters.get('bbox-crs');
  const boxSystem = written === undefined ? system : await systemNamed('bbox-crs', written);
  const own = map.latLonBounds ?? { minX: -180, minY: -90, maxX: 180, maxY: 90 };
  const [box, from] = text === undefined ? [own, { code: 'EPSG:4326' }] : [readBox(text, boxSystem), boxSystem];
  const toMap = await createReprojection({ code: from.code }, { code: system.code });
  const placed = widened(toMap === undefined ? box : toMap.reprojectBounds(box));
  if (placed === undefined)
    throw invalidParameter('bbox', text ?? '', 'a box that has a place in the system of the map');
  return placed;
}

/** A point, or a line along an axis, has some room around it. */
function widened(box: Bounds | undefined): Bounds | undefined {
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
    throw invalidParameter('bbox', text, 'four numbers, the lower ones first');
  }
  return box;
}

/** What is not said follows from the proportions of the box. */
function sizeOf(parameters: Parameters, { minX, minY, maxX, maxY }: Bounds) {
  const proportion = (maxX - minX) / (maxY - minY);
  const [sentWidth, sentHeight] = [sideOf(parameters, 'width'), sideOf(parameters, 'height')];
  const ofHeight = (height: number) => side(height * proportion);
  const width =
    sentWidth ?? (sentHeight === undefined ? side(USUAL_PIXELS * Math.min(1, proportion)) : ofHeight(sentHeight));
  const height = sentHeight ?? side(width / proportion);
  if (width * height > MAX_PIXELS) {
    throw invalidParameter('width', String(width), `a map of at most ${MAX_PIXELS} pixels`);
  }
  return { width, height };
}

function side(pixels: number): number {
  return Math.min(MAX_SIDE, Math.max(1, Math.round(pixels)));
}

function sideOf(parameters: Parameters, name: 'width' | 'height'): number | undefined {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MAX_SIDE) throw invalidParameter(name, text, `a whole number from 1 to ${MAX_SIDE}`);
  return value;
}

function flagOf(parameters: Parameters, name: string): boolean | undefined {
  const text = parameters.get(name);
  const flag = text === undefined ? undefined : parseFlag(text);
  if (text !== undefined && flag === undefined) throw invalidParameter(name, text, 'true or false');
  return flag;
}

function colourOf(text: string | undefined): Color | undefined {
  if (text === undefined) return undefined;
  const digits = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) throw invalidParameter('bgcolor', text, 'a colour such as 0xFFFFFF');
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return { red: part(0), green: part(2), blue: part(4) };
}
