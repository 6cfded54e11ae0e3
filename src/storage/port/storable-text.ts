/** Which strings survive the database unaltered, and the refusal of those that would not. */
import type { JsonObject, JsonValue } from './port.ts';

/** Half a surrogate pair would silently become U+FFFD and could then meet another name; text also ends at a NUL. */
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

/** The JSON text of a body; JSON escapes a NUL, so that only half surrogate pairs are refused here. */
export function formatBody(body: JsonObject): string {
  const text = JSON.stringify(body);
  // JSON.stringify writes an escape of this form only for half a pair, or where a backslash stands before "ud8".
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
