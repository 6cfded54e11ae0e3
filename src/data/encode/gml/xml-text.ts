/** Values as XML Schema has them. */
import { numberText } from '../../../lib/number-text.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import type { Value, ValueType } from '../../vector/port.ts';
import { momentText } from '../moment-text.ts';
import { type Escaping, specialCharacters, type TextWriter } from '../text-writer.ts';

const escaping: Escaping = {
  special: specialCharacters(
    (character) => '&<>'.includes(character) || (character < ' ' && !'\t\n'.includes(character)),
  ),
  escape: escapeText,
};

export function writeXmlText(out: TextWriter, text: string): void {
  out.escaped(text, escaping);
}

export function writeXmlValue(out: TextWriter, value: NonNullable<Value>, type: ValueType): void {
  switch (typeof value) {
    case 'string':
      writeXmlText(out, value);
      return;
    case 'number':
      out.raw(doubleText(value));
      return;
    case 'bigint':
    case 'boolean':
      out.raw(String(value));
      return;
    default:
      out.raw(value instanceof Date ? momentText(value, type) : Buffer.from(value).toString('base64'));
  }
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return numberText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
}
