/** The reading parameters of a coverage: what their values mean, and what has no effect. */
import { excerpt } from '../../lib/text/excerpt.ts';

/** How an attribute of the index orders the pictures of a mosaic. */
export interface PictureOrder {
  readonly attribute: string;
  readonly isDescending: boolean;
}

/** `#RRGGBB`; undefined for what is no colour. */
export function readColor(text: string): readonly [red: number, green: number, blue: number] | undefined {
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** `0,0,255`; undefined where one of them is no number. */
export function readNumbers(text: string): readonly number[] | undefined {
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return values.every(Number.isFinite) ? values : undefined;
}

/** `time D, elevation A`: the first lies on top. Undefined for what is no order. */
export function readOrder(text: string): readonly PictureOrder[] | undefined {
  const parts = text.split(',').map((part) => /^([^\s,]+)(?:\s+([AD][A-Z]*))?$/i.exec(part.trim()));
  return parts.every((part) => part !== null)
    ? parts.map(([, attribute = '', direction = 'A']) => ({ attribute, isDescending: /^d/i.test(direction) }))
    : undefined;
}

/** `None`, `Cut` and `Transparent`; undefined for another word. */
export function readFootprints(text: string): { readonly isCut: boolean } | undefined {
  const word = text.toLowerCase();
  return ['none', 'cut', 'transparent'].includes(word) ? { isCut: word !== 'none' } : undefined;
}

/** By names in lower case: how a value is read, and what is expected. */
const supportedParameters: ReadonlyMap<
  string,
  { readonly read: (text: string) => unknown; readonly expected: string }
> = new Map([
  ['inputtransparentcolor', { read: readColor, expected: 'a colour such as #FF0000' }],
  ['outputtransparentcolor', { read: readColor, expected: 'a colour such as #FF0000' }],
  ['backgroundvalues', { read: readNumbers, expected: 'numbers with commas between them' }],
  ['sorting', { read: readOrder, expected: "attributes of the index, with 'A' or 'D' behind each" }],
  ['footprintbehavior', { read: readFootprints, expected: "'None', 'Cut' or 'Transparent'" }],
]);

/** These tell other servers how to work, and change nothing of what is read. */
const ignoredParameters: ReadonlySet<string> = new Set([
  'suggested_tile_size',
  'use_jai_imageread',
  'use_imagen_imageread',
  'use_imageread',
  'allowmultithreading',
]);

/** What to tell of parameters that have no effect, or not the one that was meant. */
export function collectParameterWarnings(parameters: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const text = value.trim();
    const known = supportedParameters.get(name.toLowerCase());
    if (text === '' || ignoredParameters.has(name.toLowerCase())) return [];
    if (known === undefined) return [`The parameter '${excerpt(name)}' of a coverage has no effect.`];
    return known.read(text) === undefined
      ? [`The parameter '${excerpt(name)}' has no effect: ${known.expected} was expected, and not '${excerpt(text)}'.`]
      : [];
  });
}
