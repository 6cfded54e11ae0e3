/** Reads `Literal` elements: text to the last space, but not the indentation around it; or a geometry. */

import type { Expression } from '../../../data/filter/expression.ts';
import { literal } from '../../../data/filter/literal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { quoted } from '../grammar/expected.ts';
import { geometries } from '../grammar/names.ts';
import { childElements } from './elements.ts';
import { readGeometry } from './geometry.ts';
import type { Reading } from './reading.ts';
import { trimmed, trimmedEnd, trimmedStart } from './text.ts';

const geometryNames: ReadonlySet<string> = new Set(geometries);

export function readLiteral(reading: Reading, element: XmlElement): Expression | undefined {
  const [inner, second] = childElements(element);
  if (inner === undefined) return literal(contentOf(element));
  if (!geometryNames.has(inner.local) || second !== undefined) {
    const found = quoted((second ?? inner).name);
    reading.complaints.add(second ?? inner, `${found} is not expected in Literal. Expected: text or one geometry`);
    return undefined;
  }
  return readGeometry(reading, inner);
}

/**
 * White space is content in a literal (`, ` between two names), unless it holds a line end: then somebody has put the
 * text on a line of its own. What comes from CDATA is content in any case, and so is white space with nothing else.
 */
function contentOf(element: XmlElement): string {
  const [node] = element.children;
  if (node?.kind !== 'text') return '';
  const { text, cdata = [] } = node;
  if (trimmed(text) === '') return text;

  const verbatimStart = cdata[0]?.[0] ?? text.length;
  const verbatimEnd = cdata.at(-1)?.[1] ?? 0;
  const start = Math.min(text.length - trimmedStart(text).length, verbatimStart);
  const end = Math.max(trimmedEnd(text).length, verbatimEnd);
  const from = text.slice(0, start).includes('\n') ? start : 0;
  const to = text.slice(end).includes('\n') ? end : text.length;
  return text.slice(from, to);
}
