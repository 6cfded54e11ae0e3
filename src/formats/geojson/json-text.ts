/** Writes JSON values. */
import { formatNumber } from '../../lib/values/number-text.ts';
import type { Value, ValueType } from '../../vector/port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { createSpecialCharacterTable, type Escaping, type TextWriter } from '../writing/text-writer.ts';

const escaping: Escaping = {
  special: createSpecialCharacterTable((character) => character < ' ' || character === '"' || character === '\\'),
  escape: (text) => JSON.stringify(text.toWellFormed()).slice(1, -1),
};

/** A valid JSON number; a decimal can have more digits than a double. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function writeJsonText(out: TextWriter, text: string): void {
  out.writeRaw('"');
  out.writeEscaped(text, escaping);
  out.writeRaw('"');
}

export function writeJsonValue(out: TextWriter, value: Value, type: ValueType): void {
  switch (typeof value) {
    case 'string':
      if (type === 'decimal' && NUMBER.test(value)) out.writeRaw(value);
      else writeJsonText(out, value);
      return;
    case 'number':
      out.writeRaw(Number.isFinite(value) ? formatNumber(value) : 'null');
      return;
    case 'bigint':
    case 'boolean':
      out.writeRaw(String(value));
      return;
    default:
      if (value === null) out.writeRaw('null');
      else if (value instanceof Date) out.writeRaw(`"${formatMoment(value, type)}"`);
      else out.writeRaw(`"${Buffer.from(value).toString('base64')}"`);
  }
}

/** Formats a member name with its colon. */
export function formatJsonMember(name: string): string {
  return `${JSON.stringify(name)}:`;
}
