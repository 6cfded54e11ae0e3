/** Types and helpers for expression functions. */
import { type StyleValue, toNumber, toText } from '../values/style-value.ts';

/** An unknown argument is undefined, and so is an unknown result. */
export type Arguments = readonly (StyleValue | undefined)[];
export type StyleFunction = (values: Arguments) => StyleValue | undefined;

/** Keys are in lower case. */
export type StyleFunctions = ReadonlyMap<string, StyleFunction>;

/** Creates a function that returns null if an argument is null, and undefined if one is missing or unknown. */
export function createTextFunction(
  count: number,
  compute: (...texts: string[]) => StyleValue | undefined,
): StyleFunction {
  return (values) => {
    if (values.length < count || values.includes(undefined)) return undefined;
    if (values.includes(null)) return null;
    return compute(...values.map((value) => toText(value ?? null)));
  };
}

/** Creates a function that returns null if an argument or the result is not a number. */
export function createNumberFunction(count: number, compute: (...numbers: number[]) => number): StyleFunction {
  return (values) => {
    if (values.length < count || values.includes(undefined)) return undefined;
    const numbers = values.map(toNumber);
    if (!numbers.every((each) => each !== undefined)) return null;
    const result = compute(...numbers);
    return Number.isFinite(result) ? result : null;
  };
}
