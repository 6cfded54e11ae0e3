/** Narrows what a database hands out to what the schema says is there. */
import type { JsonObject } from './port.ts';

export function textColumn(value: unknown): string {
  if (typeof value !== 'string') throw unexpected('text', value);
  return value;
}

export function nullableTextColumn(value: unknown): string | null {
  return value === null ? null : textColumn(value);
}

export function integerColumn(value: unknown): number {
  if (typeof value !== 'number') throw unexpected('an integer', value);
  return value;
}

/** Our own `JSON.stringify` wrote it, so that only the outermost shape is looked at again. */
export function jsonObjectColumn(value: unknown): JsonObject {
  const parsed: unknown = JSON.parse(textColumn(value));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw unexpected('a JSON object', value);
  return parsed as JsonObject;
}

function unexpected(expected: string, value: unknown): Error {
  return new Error(`The database holds ${value === null ? 'null' : typeof value} where ${expected} was expected.`);
}
