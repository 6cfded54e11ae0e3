/** The functions that are computed here, whoever calls them. */
import { classifyingFunctions } from './functions/classifying.ts';
import { colorFunctions } from './functions/color.ts';
import { decidingFunctions } from './functions/deciding.ts';
import { mathFunctions } from './functions/math.ts';
import type { StyleFunction } from './functions/style-function.ts';
import { textFunctions } from './functions/text.ts';

/** By its name in any case; undefined if nobody knows it. */
export function knownFunction(name: string): StyleFunction | undefined {
  const key = name.toLowerCase();
  return (
    textFunctions.get(key) ??
    mathFunctions.get(key) ??
    decidingFunctions.get(key) ??
    classifyingFunctions.get(key) ??
    colorFunctions.get(key)
  );
}
