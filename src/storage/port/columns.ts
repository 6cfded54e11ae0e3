/** Narrows database values to the types in the schema. */
import type { JsonObject } from './port.ts';

export function readTextColumn(value: unknown): string {
  if (typeof value !== 'string') throw createColumnError('text', value);
  return value;
}

export function readNullableTextColumn(value: unknown): string | null {
  return value === null ? null : readTextColumn(value);
}

export function readIntegerColumn(value: unknown): number {
  if (typeof value !== 'number') throw createColumnError('an integer', value);
  return value;
}

/** The server wrote the text with `JSON.stringify`, so only the outermost type is checked. */
export function readJsonObjectColumn(value: unknown): JsonObject {
  const parsed: unknown = JSON.parse(readTextColumn(value));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw createColumnError('a JSON object', value);
  return parsed as JsonObject;
}

function createColumnError(expected: string, value: unknown): Error {
  return new Error(`Unexpected ${value === null ? 'null' : typeof value} in the database. Expected ${expected}.`);
}
