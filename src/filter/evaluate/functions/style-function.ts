/** How the functions of expressions are written down here. */
import { type StyleValue, toNumber, toText } from '../values/style-value.ts';

/** An argument is undefined where it cannot be known; so is a result. */
export type Arguments = readonly (StyleValue | undefined)[];
export type StyleFunction = (values: Arguments) => StyleValue | undefined;

/** Names are kept in lower case. */
export type StyleFunctions = ReadonlyMap<string, StyleFunction>;

/** Null where one of the arguments is null, undefined where one is missing or cannot be known. */
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

/** Null where one of the arguments is no number or the result is none. */
export function createNumberFunction(count: number, compute: (...numbers: number[]) => number): StyleFunction {
  return (values) => {
    if (values.length < count || values.includes(undefined)) return undefined;
    const numbers = values.map(toNumber);
    if (!numbers.every((each) => each !== undefined)) return null;
    const result = compute(...numbers);
    return Number.isFinite(result) ? result : null;
  };
}
