/** Narrows database values to the types in the schema. */
import type { SignIn } from '../../lib/identity/principal.ts';
import type { ChangeAuthor, JsonObject } from './port.ts';

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

export function formatSignIn({ via }: ChangeAuthor): string | null {
  return via === undefined ? null : JSON.stringify(via);
}

/** `formatSignIn` wrote the text, so its type is known. */
export function readSignIn(value: unknown): Pick<ChangeAuthor, 'via'> {
  return value === null ? {} : { via: JSON.parse(readTextColumn(value)) as SignIn };
}

function createColumnError(expected: string, value: unknown): Error {
  return new Error(`Unexpected ${value === null ? 'null' : typeof value} in the database. Expected ${expected}.`);
}
