/** Writes values in the lexical forms of XML Schema. */
import { formatNumber } from '../../lib/values/number-text.ts';
import { escapeText } from '../../lib/xml/escape.ts';
import type { Value, ValueType } from '../../vector/port/port.ts';
import { formatMoment } from '../writing/format-moment.ts';
import { createSpecialCharacterTable, type Escaping, type TextWriter } from '../writing/text-writer.ts';

const escaping: Escaping = {
  special: createSpecialCharacterTable(
    (character) => '&<>'.includes(character) || (character < ' ' && !'\t\n'.includes(character)),
  ),
  escape: escapeText,
};

export function writeXmlText(out: TextWriter, text: string): void {
  out.writeEscaped(text, escaping);
}

export function writeXmlValue(out: TextWriter, value: NonNullable<Value>, type: ValueType): void {
  if (typeof value === 'string') writeXmlText(out, value);
  else out.writeRaw(formatXmlValue(value, type));
}

/** Does not escape texts. */
export function formatXmlValue(value: NonNullable<Value>, type: ValueType): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatDouble(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value instanceof Date ? formatMoment(value, type) : Buffer.from(value).toString('base64');
  }
}

function formatDouble(value: number): string {
  if (Number.isFinite(value)) return formatNumber(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
}
