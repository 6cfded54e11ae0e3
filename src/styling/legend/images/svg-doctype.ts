/** Document types of SVG pictures. Drawing programs name the DTD of SVG, and some declare their namespaces in it. */
import { findDoctype } from '../../../lib/xml/doctype.ts';
import { expandInternalEntities } from '../../../lib/xml/internal-entities.ts';

const externalIdentifier = /<!DOCTYPE\s+svg(\s+(?:PUBLIC\s+"[^"<>[]{0,300}"|SYSTEM)\s+"[^"<>[]{0,300}")\s*[[>]/y;

/**
 * Returns the text without its document type, and with the general entities that it declares. The DTD is never
 * fetched. Lines and columns stay the same, unless entities are expanded. Throws `xml-doctype` for other declarations.
 */
export function expandSvgDoctype(text: string): string {
  const start = findDoctype(text);
  if (start === undefined) return text;
  externalIdentifier.lastIndex = start;
  const [found, identifier] = externalIdentifier.exec(text) ?? [];
  if (found === undefined || identifier === undefined) return expandInternalEntities(text).text;
  const blank = found.replace(identifier, identifier.replaceAll(/[^\r\n]/g, ' '));
  return expandInternalEntities(text.slice(0, start) + blank + text.slice(start + found.length)).text;
}
