/** Encodes a map as UTFGrid: a character for each cell, and the attributes of the feature for each character. */
import { formatMoment } from '../../../formats/writing/format-moment.ts';
import type { KeyedFeature, KeyGrid } from '../../../rendering/query/key-grid.ts';
import { STANDARD_DPI } from '../../../rendering/shapes/frame.ts';
import type { Feature, ValueType } from '../../../vector/port/port.ts';
import { findOnPublished, type MapToDraw } from '../../maps/draw-published.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import { mapFormatOptions } from '../request/parameters.ts';

/** The default width and height of a cell in pixels. */
const DEFAULT_CELL_PIXELS = 4;
const MAX_CELL_PIXELS = 64;

export async function createMapUtfgrid(
  { services, signal }: WmsContext,
  map: MapToDraw,
  options: ReadonlyMap<string, string>,
): Promise<string> {
  const pixels = readCellPixels(options);
  const smaller = {
    ...map,
    width: Math.max(1, Math.ceil(map.width / pixels)),
    height: Math.max(1, Math.ceil(map.height / pixels)),
    // Symbols are reduced accordingly, and rules are selected by the scale of the map.
    dpi: (map.dpi ?? STANDARD_DPI) / pixels,
  };
  return writeUtfgrid(await findOnPublished(services, smaller, signal));
}

/** Reads the format option for the cell size. */
function readCellPixels(options: ReadonlyMap<string, string>): number {
  const pixels = Number(readParameter(options, mapFormatOptions.parameters.utfResolution));
  return Number.isInteger(pixels) && pixels >= 1 && pixels <= MAX_CELL_PIXELS ? pixels : DEFAULT_CELL_PIXELS;
}

/** Keys are single UTF-16 units: there are about this many code points before the surrogates. */
const MAX_KEYS = 55_000;

function writeUtfgrid({ columns, rows, cells, features }: KeyGrid): string {
  const grid = Array.from({ length: rows }, (_, row) =>
    Array.from(cells.subarray(row * columns, (row + 1) * columns), (place) =>
      encodeKey(place < MAX_KEYS ? place + 1 : 0),
    ).join(''),
  );
  const keyed = features.slice(0, MAX_KEYS).map((each, place) => [String(place + 1), toAttributeValues(each)] as const);
  return JSON.stringify({ grid, keys: ['', ...keyed.map(([key]) => key)], data: Object.fromEntries(keyed) });
}

/** Skips characters that JSON must escape. */
function encodeKey(key: number): string {
  const code = key + 32;
  return String.fromCharCode(code < 34 ? code : code + 1 < 92 ? code + 1 : code + 2);
}

function toAttributeValues({ feature, description }: KeyedFeature): Readonly<Record<string, unknown>> {
  const pairs = description.attributes.flatMap((attribute, place) =>
    attribute.kind === 'value'
      ? [[attribute.name, toJsonValue(feature.values[place] ?? null, attribute.type)] as const]
      : [],
  );
  return Object.fromEntries(pairs);
}

function toJsonValue(value: Feature['values'][number], type: ValueType): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return formatMoment(value, type);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
