/** Reads elements that hold one plain number or flag. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import type { Reading } from './reading.ts';
import { textOf } from './text.ts';
import { parseDecimal, type ValueKind } from './values.ts';

export function readNumber(reading: Reading, element: XmlElement, kind: ValueKind): number | undefined {
  const text = textOf(element);
  if (kind.accepts(text)) return parseDecimal(text);
  complain(reading, element, kind.expected);
  return undefined;
}

export function readFlag(reading: Reading, element: XmlElement): boolean | undefined {
  const text = textOf(element).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  complain(reading, element, 'true or false');
  return undefined;
}

function complain(reading: Reading, element: XmlElement, expected: string): void {
  const text = textOf(element);
  const found = text === '' ? 'nothing' : quoted(text);
  reading.complaints.add(element, `${element.local} is ${found}, but ${expected} was expected`);
}
