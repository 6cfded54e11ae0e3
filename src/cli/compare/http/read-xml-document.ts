/** Reads the XML documents of a compared server. */
import { decodeText } from '../../../lib/files/decode-text.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child } from '../../../lib/xml/elements.ts';
import { readXml } from '../../../lib/xml/reader.ts';

/** Capabilities with 100,000 layers have some millions of elements. Their size is limited as well. */
const limits = { maxDepth: 200, maxNodes: 20_000_000 };

/** Throws an error with a message for people if the document is malformed. */
export function readXmlDocument(bytes: Uint8Array): XmlElement {
  return readXml(decodeText(bytes, undefined, true), limits);
}

/** The text directly in the element, without white space around it. */
export function readXmlText(element: XmlElement): string {
  return element.children
    .map((node) => (node.kind === 'text' ? node.text : ''))
    .join('')
    .trim();
}

/** The text of the first child with the name; undefined if it is missing or empty. */
export function readChildText(element: XmlElement, local: string): string | undefined {
  const found = child(element, local);
  const text = found === undefined ? '' : readXmlText(found);
  return text === '' ? undefined : text;
}
