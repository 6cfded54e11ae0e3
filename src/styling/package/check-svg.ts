/** Checks an SVG of a package: it must be an SVG document without active content. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { expandSvgDoctype } from '../legend/images/svg-doctype.ts';

/** Drawings have a few thousand paths, and groups nested a dozen deep. */
const svgLimits: DocumentLimits = { maxDepth: 200, maxNodes: 500_000 };

const svgNamespace = 'http://www.w3.org/2000/svg';

/** HTML elements such as frames, some of which can contain scripts. */
const htmlNamespace = 'http://www.w3.org/1999/xhtml';

/**
 * Returns the reason for a rejection, as the end of a sentence. Scripts, event handlers and script links are rejected,
 * although packages are only served as archives: a browser that opens such a file would execute foreign code, and no
 * symbol needs it. A DOCTYPE is accepted only as drawing programs write it, with a reference to the DTD of SVG, which
 * is never fetched, and with plain entities at most.
 */
export function findSvgFault(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'it is empty';
  let root: XmlElement;
  try {
    root = readXml(expandSvgDoctype(decodeText(bytes, undefined, true)), svgLimits);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'xml-doctype') return 'it has a DOCTYPE with declarations other than plain entities';
    return `it is not a readable SVG document. ${error.message.replace(/\.$/, '')}`;
  }
  if (root.local !== 'svg' || (root.uri !== svgNamespace && root.uri !== '')) {
    return `it is not an SVG document: its root element is '${excerpt(root.name)}'`;
  }
  return findElementFault(root);
}

function findElementFault(element: XmlElement): string | undefined {
  const place = `at line ${element.line}, column ${element.column}`;
  if (element.uri === htmlNamespace) return `it contains the HTML element '${excerpt(element.name)}' ${place}`;
  if (element.local.toLowerCase() === 'script') return `it contains a script ${place}`;
  for (const { name, value } of element.attributes) {
    if (/^on[a-z]/i.test(name)) return `it contains the event handler '${excerpt(name)}' ${place}`;
    if (isScript(value)) return `it contains a link to a script ${place}`;
  }
  for (const child of element.children) {
    const objection = child.kind === 'element' ? findElementFault(child) : undefined;
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/**
 * Browsers ignore white space and control characters here. Also applies to values that an animation writes into a
 * link.
 */
function isScript(value: string): boolean {
  const start = value.slice(0, 1_000).replaceAll(/[\p{Cc}\p{Z}]/gu, '');
  return /^(?:java|vb)script:/i.test(start);
}
