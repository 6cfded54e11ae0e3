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
  switch (typeof value) {
    case 'string':
      writeXmlText(out, value);
      return;
    case 'number':
      out.writeRaw(formatDouble(value));
      return;
    case 'bigint':
    case 'boolean':
      out.writeRaw(String(value));
      return;
    default:
      out.writeRaw(value instanceof Date ? formatMoment(value, type) : Buffer.from(value).toString('base64'));
  }
}

function formatDouble(value: number): string {
  if (Number.isFinite(value)) return formatNumber(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
}
