/** Dates and times as all formats of text have them: ISO 8601, in UTC. */
import type { ValueType } from '../vector/port.ts';

/** A day for a date, a moment for everything else; thousandths of a second only where there are any. */
export function momentText(value: Date, type: ValueType): string {
  const text = value.toISOString();
  if (type === 'date') return text.slice(0, text.indexOf('T'));
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}
