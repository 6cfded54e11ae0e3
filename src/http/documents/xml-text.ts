/** Keeps out what JSON can say and XML cannot: a document read in either format must survive being sent back. */
import type { FieldReader } from './field.ts';

const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Whether XML can hold every character of the text: no control characters but tabs and line ends. */
export function isXmlText(text: string): boolean {
  return !notInXml.test(text);
}

export function reportInvalidCharacters(reader: FieldReader): undefined {
  reader.reportError('it contains a control character, which XML cannot carry');
  return undefined;
}
