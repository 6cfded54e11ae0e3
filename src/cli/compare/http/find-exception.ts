/** Finds error messages in responses: service exceptions, which often have the status 200, and HTML pages. */

import type { XmlElement } from '../../../lib/xml/element.ts';
import { listChildElements } from '../../../lib/xml/elements.ts';
import { readXmlDocument, readXmlText } from './read-xml-document.ts';

/** The root element of an exception is near the beginning, after a declaration and comments. */
const HEAD_BYTES = 4_096;

/** Some servers return a whole stack trace as the message. */
const MAX_MESSAGE_CHARACTERS = 300;

const exceptionRoot = /<(?:[\w.-]+:)?(?:ServiceExceptionReport|ExceptionReport)[\s>/]/;

interface Received {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Returns the message of an error document; undefined if the response is not an error document. */
export function findException({ type, bytes }: Received): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  if (exceptionRoot.test(head)) return shorten(readExceptionText(bytes) ?? 'The server returned an exception.');
  if (type.includes('html') || /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(head)) {
    const title = /<title[^>]*>([^<]*)</i.exec(bytes.subarray(0, HEAD_BYTES).toString())?.[1]?.trim();
    return shorten(`The server returned an HTML page${title ? `: ${title}` : ''}.`);
  }
  return type.startsWith('text/plain') ? shorten(`The server returned text: ${bytes.toString().trim()}`) : undefined;
}

function readExceptionText(bytes: Buffer): string | undefined {
  try {
    const text = collectText(readXmlDocument(bytes)).replaceAll(/\s+/g, ' ').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The texts of all exceptions, without stack traces, which follow in later lines. */
function collectText(element: XmlElement): string {
  const own = readXmlText(element).split('\n', 1)[0] ?? '';
  return [own, ...listChildElements(element).map(collectText)].filter((text) => text.trim() !== '').join(' ');
}

function shorten(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ');
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
