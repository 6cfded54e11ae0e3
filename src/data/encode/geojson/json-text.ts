/** Values as JSON has them. */
import { numberText } from '../../../lib/number-text.ts';
import type { Value, ValueType } from '../../vector/port.ts';
import { momentText } from '../moment-text.ts';
import { type Escaping, specialCharacters, type TextWriter } from '../text-writer.ts';

const escaping: Escaping = {
  special: specialCharacters((character) => character < ' ' || character === '"' || character === '\\'),
  escape: (text) => JSON.stringify(text.toWellFormed()).slice(1, -1),
};

/** What JSON takes for a number; a decimal may have more digits than a number of ours keeps. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function writeJsonText(out: TextWriter, text: string): void {
  out.raw('"');
  out.escaped(text, escaping);
  out.raw('"');
}

export function writeJsonValue(out: TextWriter, value: Value, type: ValueType): void {
  switch (typeof value) {
    case 'string':
      if (type === 'decimal' && NUMBER.test(value)) out.raw(value);
      else writeJsonText(out, value);
      return;
    case 'number':
      out.raw(Number.isFinite(value) ? numberText(value) : 'null');
      return;
    case 'bigint':
    case 'boolean':
      out.raw(String(value));
      return;
    default:
      if (value === null) out.raw('null');
      else if (value instanceof Date) out.raw(`"${momentText(value, type)}"`);
      else out.raw(`"${Buffer.from(value).toString('base64')}"`);
  }
}

/** A name with its colon, ready to be written. */
export function jsonMember(name: string): string {
  return `${JSON.stringify(name)}:`;
}
