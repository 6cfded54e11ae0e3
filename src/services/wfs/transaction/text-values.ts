/** Converts text content of XML to attribute values. */
import { toExactMoment } from '../../../lib/values/exact-moment.ts';
import type { Value, ValueType } from '../../../vector/port/port.ts';

/** Returns undefined for an invalid text; an empty text is null, except for text attributes. */
export function convertText(text: string, type: ValueType): Value | undefined {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (trimmed === '') return null;
  switch (type) {
    case 'boolean':
      return booleans.get(trimmed.toLowerCase());
    case 'short':
    case 'integer':
    case 'long':
      return parseWholeNumber(trimmed);
    case 'float':
    case 'double':
      return parseNumber(trimmed);
    case 'decimal':
      return parseNumber(trimmed) === undefined ? undefined : trimmed;
    case 'date':
    case 'timestamp':
      return parseMoment(trimmed, type);
    case 'time':
    case 'uuid':
      return trimmed;
    case 'bytes':
      return /^[A-Za-z0-9+/\s]*={0,2}$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function parseWholeNumber(text: string): number | bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function parseNumber(text: string): number | undefined {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Dates may have a time zone, which is ignored; times without one are in UTC. */
function parseMoment(text: string, type: 'date' | 'timestamp'): Date | string | undefined {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?))?(Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const at = type === 'date' ? `${day}T00:00:00Z` : `${day}T${time?.slice(0, 12) ?? '00:00:00'}${zone}`;
  const found = new Date(at);
  if (Number.isNaN(found.getTime())) return undefined;
  const exact = type === 'date' ? undefined : toExactMoment(found.getTime(), /\.(\d+)/.exec(time ?? '')?.[1] ?? '');
  return typeof exact === 'string' ? exact : found;
}
