/** Reads vendor options of symbolizers. */
import { createLiteral, type VendorOption } from '../../model/model.ts';
import { type Lengths, readPixels } from './lengths.ts';
import { sampleValue } from './sample-value.ts';

/** Names are case-insensitive. */
export function findOption(options: readonly VendorOption[], name: string): VendorOption['value'] | undefined {
  const wanted = name.toLowerCase();
  return options.find((each) => each.name.toLowerCase() === wanted)?.value;
}

/** Returns top, right, bottom and left margins in pixels, with the CSS shorthand rules. */
export function readMargins(
  options: readonly VendorOption[],
  lengths: Lengths,
): readonly [top: number, right: number, bottom: number, left: number] {
  const text = String(sampleValue(findOption(options, 'graphic-margin')) ?? '').trim();
  const given =
    text === '' ? [] : text.split(/[\s,]+/).map((each) => Math.max(0, readPixels(lengths, createLiteral(each), 0)));
  const [top = 0, right = top, bottom = top, left = right] = given;
  return [top, right, bottom, left];
}
