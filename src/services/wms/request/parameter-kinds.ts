/** The values of WMS parameters. */

import { problem } from '../../../lib/problems/problem.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import type { Antialias } from '../../../rendering/request/map-request.ts';
import { STANDARD_DPI } from '../../../rendering/shapes/frame.ts';
import { readEscapedOptions } from '../../ows/escaped-options.ts';
import { readGroups, readLists } from '../../ows/parameters.ts';
import { readSortBy, type SortKey } from '../../ows/selection.ts';
import { createKind, createParameterProblem, type ParameterKind } from '../../ows/service-parameters.ts';
import type { RequestedFrame, SldVersion } from './request.ts';

export const box: ParameterKind<RequestedFrame['corners']> = createKind('four numbers', readCorners, undefined);

function readCorners(text: string): RequestedFrame['corners'] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [a, b, c, d] = numbers;
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite);
  if (!isBox || a === undefined || b === undefined || c === undefined || d === undefined) {
    throw problem('wms-box-invalid', { box: text, expected: 'expected four numbers', field: 'bbox' });
  }
  if (a >= c || b >= d) {
    const expected = 'expected the lower corner before the upper corner, with an area greater than 0';
    throw problem('wms-box-invalid', { box: text, expected, field: 'bbox' });
  }
  return [a, b, c, d];
}

/** A width or height from 1 to a maximum. */
export function createPixelsKind<D extends number | undefined>(maximum: number, absent: D): ParameterKind<number | D> {
  return createKind<number | D>(
    `an integer from 1 to ${maximum} (pixels)`,
    (text) => {
      const pixels = /^\s*\d{1,7}\s*$/.test(text) ? Number(text) : 0;
      return pixels >= 1 && pixels <= maximum ? pixels : undefined;
    },
    absent,
    { type: 'integer', minimum: 1, maximum },
  );
}

/** `0xRRGGBB` or `#RRGGBB`; white by default. */
export const color: ParameterKind<string> = createKind(
  'a colour such as 0xFFFFFF',
  (text) => {
    const [, digits] = /^\s*(?:0x|#)?([0-9a-f]{6})\s*$/i.exec(text) ?? [];
    return digits === undefined ? undefined : `#${digits.toLowerCase()}`;
  },
  '#ffffff',
);

export const angle: ParameterKind<number> = createKind(
  'a number of degrees',
  (text) => {
    const degrees = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(degrees) ? degrees % 360 : undefined;
  },
  0,
  { type: 'number' },
);

/** The range of screens and printers. */
const MIN_DPI = 10;
const MAX_DPI = 2_400;

/**
 * Clients write 90 for the 90.71 of pixels of 0.28 mm, and its multiples for screens of high resolution. A map with
 * twice as many pixels at 180 then has exactly the scale of the other.
 */
const ROUND_DPI = 90;

export const resolution: ParameterKind<number | undefined> = createKind<number | undefined>(
  `a number from ${MIN_DPI} to ${MAX_DPI}`,
  (text) => {
    const dpi = Number(text);
    if (!(dpi >= MIN_DPI && dpi <= MAX_DPI)) return undefined;
    return dpi % ROUND_DPI === 0 ? (dpi / ROUND_DPI) * STANDARD_DPI : dpi;
  },
  undefined,
  { type: 'number', minimum: MIN_DPI, maximum: MAX_DPI },
);

const antialiasByName: ReadonlyMap<string, Antialias> = new Map([
  ['on', 'on'],
  ['full', 'on'],
  ['text', 'text'],
  ['off', 'off'],
  ['none', 'off'],
]);

export const antialias: ParameterKind<Antialias> = createKind(
  'on, full, text, off or none',
  (text) => antialiasByName.get(text.trim().toLowerCase()),
  'on',
);

export const quantizer: ParameterKind<'octree' | 'mediancut'> = createKind(
  'octree or mediancut',
  (text) => (['octree', 'mediancut'] as const).find((each) => each === text.trim().toLowerCase()),
  'mediancut',
);

/** The default, and the longest time of a GIF frame. */
const FRAME_DELAY_MS = 1_000;
const MAX_FRAME_DELAY_MS = 655_350;

export const frameDelay: ParameterKind<number> = createKind(
  `an integer from 10 to ${MAX_FRAME_DELAY_MS} (milliseconds)`,
  (text) => {
    const delay = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : 0;
    return delay >= 10 && delay <= MAX_FRAME_DELAY_MS ? delay : undefined;
  },
  FRAME_DELAY_MS,
  { type: 'integer', minimum: 10, maximum: MAX_FRAME_DELAY_MS },
);

export const scaleMethod: ParameterKind<'ogc' | 'accurate'> = createKind(
  'OGC or Accurate',
  (text) => (['ogc', 'accurate'] as const).find((each) => each === text.trim().toLowerCase()),
  'ogc',
);

/** How `/wms/kml` returns a map. */
export const kmlMode: ParameterKind<'refresh' | 'superoverlay' | 'download'> = createKind(
  'refresh, superoverlay or download',
  (text) => (['refresh', 'superoverlay', 'download'] as const).find((each) => each === text.trim().toLowerCase()),
  'refresh',
);

export const kmlScore: ParameterKind<number | undefined> = createKind<number | undefined>(
  'a number from 0 to 100',
  (text) => {
    const score = text.trim() === '' ? Number.NaN : Number(text);
    return score >= 0 && score <= 100 ? score : undefined;
  },
  undefined,
  { type: 'number', minimum: 0, maximum: 100 },
);

const superOverlayModes = ['auto', 'raster', 'overview', 'hybrid', 'cached'] as const;

/** The content of the tiles of a super-overlay. */
export const superOverlayMode: ParameterKind<(typeof superOverlayModes)[number] | undefined> = createKind<
  (typeof superOverlayModes)[number] | undefined
>(
  superOverlayModes.join(', ').replace(/, (?=\w+$)/, ' or '),
  (text) => superOverlayModes.find((each) => each === text.trim().toLowerCase()),
  undefined,
);

/** Undefined if absent, because the default depends on other parameters. */
export const optionalFlag: ParameterKind<boolean | undefined> = createKind<boolean | undefined>(
  'true or false',
  (text) => {
    const word = text.trim().toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  },
  undefined,
  { type: 'boolean' },
);

export const scale: ParameterKind<number | undefined> = createKind<number | undefined>(
  'a scale denominator greater than 0',
  (text) => {
    const denominator = Number(text);
    return denominator > 0 && Number.isFinite(denominator) ? denominator : undefined;
  },
  undefined,
  { type: 'number', minimum: 0 },
);

export const sldVersion: ParameterKind<SldVersion | undefined> = createKind<SldVersion | undefined>(
  '1.0.0 or 1.1.0',
  (text) => (['1.0.0', '1.1.0'] as const).find((each) => each === text),
  undefined,
);

/** An empty value selects the interpolation of the layer. */
export const interpolations: ParameterKind<readonly (Interpolation | undefined)[]> = createKind<
  readonly (Interpolation | undefined)[]
>(
  'nearest neighbor, bilinear or bicubic',
  (text) =>
    text.split(',').map((each) => {
      const name = each.trim();
      const interpolation = findInterpolation(name);
      if (name !== '' && interpolation === undefined) {
        throw createParameterProblem('interpolations', name, 'nearest neighbor, bilinear or bicubic');
      }
      return interpolation;
    }),
  [],
);

/** One list of sort keys per layer. */
export const sortKeys: ParameterKind<readonly (readonly SortKey[])[]> = createKind<readonly (readonly SortKey[])[]>(
  'attributes, each optionally followed by A or D',
  (text) => readGroups(text).map(readSortBy),
  [],
);

/** One list of names per layer; undefined for all. */
export const propertyNames: ParameterKind<readonly (readonly string[] | undefined)[]> = createKind<
  readonly (readonly string[] | undefined)[]
>(
  'the names of attributes',
  (text) => readLists(text).map((names) => (names.length === 0 || names.includes('*') ? undefined : names)),
  [],
);

/** One list for all layers. */
export const attributeNames: ParameterKind<readonly string[] | undefined> = createKind<readonly string[] | undefined>(
  'the names of attributes',
  (text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  undefined,
  { type: 'array', items: { type: 'string' } },
);

export const environment: ParameterKind<ReadonlyMap<string, string>> = createKind<ReadonlyMap<string, string>>(
  'options such as name:value;name:value',
  readEscapedOptions,
  new Map(),
);

/** Only `false` is false. */
export const isStrict: ParameterKind<boolean> = createKind(
  'true or false',
  (text) => text.toLowerCase() !== 'false',
  true,
  { type: 'boolean' },
);
