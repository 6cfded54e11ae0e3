/** The read parameters of a coverage: parses their values, and warns about those without effect. */
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Merging } from '../../raster/pictures/merge-bands.ts';

/** How an attribute of the index orders the granules of a mosaic. */
export interface PictureOrder {
  readonly attribute: string;
  readonly isDescending: boolean;
}

/** Parses `#RRGGBB`; undefined for an invalid colour. */
export function readColor(text: string): readonly [red: number, green: number, blue: number] | undefined {
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** Parses `0,0,255`; undefined if one of them is not a number. */
export function readNumbers(text: string): readonly number[] | undefined {
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return values.every(Number.isFinite) ? values : undefined;
}

/** Parses `time D, elevation A`, topmost first; undefined for an invalid order. */
export function readOrder(text: string): readonly PictureOrder[] | undefined {
  const parts = text.split(',').map((part) => /^([^\s,]+)(?:\s+([AD][A-Z]*))?$/i.exec(part.trim()));
  return parts.every((part) => part !== null)
    ? parts.map(([, attribute = '', direction = 'A']) => ({ attribute, isDescending: /^d/i.test(direction) }))
    : undefined;
}

/** Parses `None`, `Cut` and `Transparent`; undefined for any other word. */
export function readFootprints(text: string): { readonly isCut: boolean } | undefined {
  const word = text.toLowerCase();
  return ['none', 'cut', 'transparent'].includes(word) ? { isCut: word !== 'none' } : undefined;
}

const mergings: Readonly<Record<string, Merging>> = { flat: 'first', min: 'minimum', max: 'maximum' };

/** Parses `FLAT`, `MIN` and `MAX`; undefined for any other word. */
export function readMerging(text: string): Merging | undefined {
  const word = text.toLowerCase();
  return Object.hasOwn(mergings, word) ? mergings[word] : undefined;
}

/** By names in lower case: the parser, and the description of valid values. */
const supportedParameters: ReadonlyMap<
  string,
  { readonly read: (text: string) => unknown; readonly expected: string }
> = new Map([
  ['inputtransparentcolor', { read: readColor, expected: 'a colour such as #FF0000' }],
  ['outputtransparentcolor', { read: readColor, expected: 'a colour such as #FF0000' }],
  ['backgroundvalues', { read: readNumbers, expected: 'comma-separated numbers' }],
  ['sorting', { read: readOrder, expected: "attributes of the index, each followed by 'A' or 'D'" }],
  ['mergebehavior', { read: readMerging, expected: "'FLAT', 'MIN' or 'MAX'" }],
  ['footprintbehavior', { read: readFootprints, expected: "'None', 'Cut' or 'Transparent'" }],
]);

/** These configure internals of other servers and have no effect on the result. */
const ignoredParameters: ReadonlySet<string> = new Set([
  'suggested_tile_size',
  'use_jai_imageread',
  'use_imagen_imageread',
  'use_imageread',
  'allowmultithreading',
]);

/** Returns warnings for parameters without effect and for invalid values. */
export function collectParameterWarnings(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const text = value.trim();
    const known = supportedParameters.get(name.toLowerCase());
    if (text === '' || ignoredParameters.has(name.toLowerCase())) return [];
    if (known === undefined) return [`The parameter '${excerpt(name)}' of a coverage has no effect.`];
    return known.read(text) === undefined
      ? [`The parameter '${excerpt(name)}' has no effect: expected ${known.expected}, found '${excerpt(text)}'.`]
      : [];
  });
}
