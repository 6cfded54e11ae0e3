/** Checks which strings the database stores unchanged, and rejects the others. */
import type { JsonObject, JsonValue } from './port.ts';

/**
 * An unpaired surrogate would silently become U+FFFD and could then collide with another name. SQLite text ends at a
 * NUL.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export function requireStorable(what: string, text: string): void {
  if (!isStorable(text)) {
    throw new Error(
      `The ${what} ${JSON.stringify(text)} cannot be stored because it contains an unpaired surrogate or a NUL character.`,
    );
  }
}

/** Returns the JSON text of a body. JSON escapes a NUL, so only unpaired surrogates are rejected here. */
export function formatBody(body: JsonObject): string {
  const text = JSON.stringify(body);
  // JSON.stringify writes an escape of this form only for an unpaired surrogate, or after a backslash before "ud8".
  if (/\\ud[89a-f]/.test(text) && !isWellFormed(body)) {
    throw new Error('The body cannot be stored because a string in it contains an unpaired surrogate.');
  }
  return text;
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([member, inner]) => member.isWellFormed() && isWellFormed(inner));
}
