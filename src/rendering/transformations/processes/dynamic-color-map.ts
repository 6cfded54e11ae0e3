/** DynamicColorMap: colours from a list, spread evenly over a range, by default that of the values of the map. */

import { parseColor } from '../../../lib/values/parse-color.ts';
import type { Band } from '../../../raster/port/port.ts';
import { dynamicColorMap as process } from '../../../styling/transformations/processes.ts';
import { findRange } from '../model/band-range.ts';
import { getBand, readBandNumbers } from '../model/coverage-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';

const bands = (['red', 'green', 'blue', 'alpha'] as const).map(
  (name): Band => ({ name, type: 'uint8', colorInterpretation: name }),
);

export const dynamicColorMap = transformCoverages(process, {
  describe(_, { colorRamp }) {
    readRamp(colorRamp);
    return { kind: 'coverage', bands };
  },
  run([data], { colorRamp, opacity }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const { colors, range } = readRamp(colorRamp);
    const numbers = readBandNumbers(getBand(process, data, 0));
    const { least, most } = range ?? findRange(numbers) ?? { least: 0, most: 1 };
    const planes = bands.map(() => new Uint8Array(numbers.length));
    for (let cell = 0; cell < numbers.length; cell += 1) {
      const value = numbers[cell] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const share = most > least ? (value - least) / (most - least) : 0;
      const place = Math.min(1, Math.max(0, share)) * (colors.length - 1);
      const index = Math.min(colors.length - 2, Math.floor(place));
      for (let channel = 0; channel < 3; channel += 1) {
        const [from, to] = [colors[index]?.[channel] ?? 0, colors[index + 1]?.[channel] ?? 0];
        const plane = planes[channel];
        if (plane !== undefined) plane[cell] = from + (to - from) * (place - index) + 0.5;
      }
      const [, , , alpha] = planes;
      if (alpha !== undefined) alpha[cell] = opacity * 255 + 0.5;
    }
    return {
      ...data,
      bands: bands.map((band, index) => ({ band, samples: planes[index] ?? new Uint8Array(numbers.length) })),
    };
  },
});

/** The colours of an indexed image. */
const MAX_COLORS = 256;

interface Ramp {
  readonly colors: readonly (readonly [number, number, number])[];
  readonly range: { readonly least: number; readonly most: number } | undefined;
}

/** A ramp can end with its range, such as `[0,100]`. */
function readRamp(text: string): Ramp {
  const [, colors = text, least, most] = /^(.*)\[([^,\]]*),([^,\]]*)\]\s*$/s.exec(text) ?? [];
  const range = least === undefined || most === undefined ? undefined : { least: Number(least), most: Number(most) };
  if (range !== undefined && !(range.least <= range.most))
    throw rejectTransformation(process, "the range of parameter 'colorRamp' must be two numbers such as [0,100]");
  return { colors: readColors(colors), range };
}

/** Colours are separated by semicolons, because `rgb(1,2,3)` has commas. */
function readColors(text: string): Ramp['colors'] {
  const words = text
    .split(';')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const colors = words.map(readColor);
  if (colors.length < 2 || colors.length > MAX_COLORS || !colors.every((color) => color !== undefined))
    throw rejectTransformation(process, "parameter 'colorRamp' must be a list of colours such as #0000FF;#FF0000");
  return colors;
}

function readColor(word: string): readonly [number, number, number] | undefined {
  const [, red, green, blue] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(word) ?? [];
  if (red !== undefined && green !== undefined && blue !== undefined)
    return [Math.min(255, Number(red)), Math.min(255, Number(green)), Math.min(255, Number(blue))];
  return parseColor(word.startsWith('#') ? word : `#${word}`) ?? parseColor(word);
}
