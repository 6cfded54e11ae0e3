/** Rejects text that JSON can represent and XML cannot: a document must survive a round trip in either format. */
import type { FieldReader } from './field.ts';

const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Whether XML allows every character: no control characters except tabs and line breaks. */
export function isXmlText(text: string): boolean {
  return !notInXml.test(text);
}

export function reportInvalidCharacters(reader: FieldReader): undefined {
  reader.reportError('it contains a control character, which XML does not allow');
  return undefined;
}
