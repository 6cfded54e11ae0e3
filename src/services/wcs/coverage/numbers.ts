/** Numbers in requests of WCS 1.0 and 1.1. */
import { createKind, type ParameterKind } from '../../ows/service-parameters.ts';

/** Returns undefined unless all items are finite numbers. */
export function parseNumbers(text: string, separator: RegExp = /,/): readonly number[] | undefined {
  const numbers = text
    .trim()
    .split(separator)
    .map((each) => Number(each.trim() || Number.NaN));
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

export const sampleCount: ParameterKind<number | undefined> = createKind<number | undefined>(
  'an integer greater than 0',
  (text) => (/^\s*\d{1,9}\s*$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
  undefined,
  { type: 'integer', minimum: 1 },
);

export const resolution: ParameterKind<number | undefined> = createKind<number | undefined>(
  'a number greater than 0',
  (text) => {
    const [number = 0] = parseNumbers(text) ?? [];
    return number > 0 ? number : undefined;
  },
  undefined,
  { type: 'number', minimum: 0 },
);
