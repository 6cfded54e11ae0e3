/** Functions that read values from JSON text. */
import type { StyleValue } from '../values/style-value.ts';
import { toText } from '../values/style-value.ts';
import { createTextFunction, type StyleFunctions } from './style-function.ts';

/** Attributes with longer documents are not meant for styles. */
const MAX_JSON_LENGTH = 100_000;

export const jsonFunctions: StyleFunctions = new Map([
  ['jsonpointer', createTextFunction(2, (text, pointer = '') => toValue(findByPointer(parseJson(text), pointer)))],
  [
    'jsonarraycontains',
    createTextFunction(3, (text, pointer = '', value = '') => {
      const found = findByPointer(parseJson(text), pointer);
      return Array.isArray(found) && found.some((each) => toText(toValue(each)) === value);
    }),
  ],
  ['mapget', createTextFunction(2, (text, key = '') => toValue(getMember(parseJson(text), key)))],
]);

/** Returns undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Follows a JSON Pointer (RFC 6901). */
function findByPointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  const steps = pointer.replace(/^\//, '').split('/');
  return steps.reduce((part, step) => getMember(part, step.replaceAll('~1', '/').replaceAll('~0', '~')), value);
}

function getMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function toValue(value: unknown): StyleValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === undefined || value === null ? null : JSON.stringify(value);
}
