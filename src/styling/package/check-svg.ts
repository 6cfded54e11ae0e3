/** Reads an SVG that came in a package: it must be one, and it must only be a picture. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { findPrologEnd } from '../content/root-tag.ts';

/** Drawings have some thousand paths; groups in groups a dozen deep. */
const svgLimits: DocumentLimits = { maxDepth: 200, maxNodes: 500_000 };

/** The longest that a drawing program writes has some two hundred characters. */
const maxDoctypeLength = 1_000;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Frames and the like, of which some bring scripts in places of their own. */
const htmlNamespace = 'http://www.w3.org/1999/xhtml';

/**
 * Why it is not kept, as the end of a sentence. Scripts, handlers of events and links that are scripts are refused,
 * although we serve packages only as archives: whoever opens such a file in a browser would run what a stranger wrote,
 * and no symbol needs them. A DOCTYPE is let pass only as drawing programs write it, naming the DTD of SVG and
 * declaring nothing itself: it is never fetched.
 */
export function findSvgFault(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'it is empty';
  let root: XmlElement;
  try {
    root = readXml(removePlainDoctype(decodeText(bytes, undefined, true)), svgLimits);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'xml-doctype') return 'it has a DOCTYPE with declarations';
    return `it is not a readable SVG document. ${error.message.replace(/\.$/, '')}`;
  }
  if (root.local !== 'svg' || (root.uri !== svgNamespace && root.uri !== '')) {
    return `it is not an SVG document: its root element is '${excerpt(root.name)}'`;
  }
  return findElementFault(root);
}

/** `<!DOCTYPE svg PUBLIC "…" "…">`, but no `[`; as many spaces instead, so that places in messages stay right. */
function removePlainDoctype(text: string): string {
  const offset = findPrologEnd(text);
  const doctype = /^<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"[^"<>[]*"|SYSTEM)\s+"[^"<>[]*")?\s*>/.exec(
    text.slice(offset, offset + maxDoctypeLength),
  )?.[0];
  if (doctype === undefined) return text;
  return text.slice(0, offset) + doctype.replaceAll(/[^\r\n]/g, ' ') + text.slice(offset + doctype.length);
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

/** Browsers skip spaces and control characters here. Also where an animation would put one into a link. */
function isScript(value: string): boolean {
  const start = value.slice(0, 1_000).replaceAll(/[\p{Cc}\p{Z}]/gu, '');
  return /^(?:java|vb)script:/i.test(start);
}
