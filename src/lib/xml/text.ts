/** Reads the text of elements, with the white space of XML, not of Unicode: a no-break space is content. */
import type { XmlElement } from './element.ts';
import { child } from './elements.ts';

/** Returns the trimmed text directly in an element. */
export function readElementText(element: XmlElement): string {
  return trimSpace(readRawText(element));
}

/** Returns the text directly in an element. */
export function readRawText(element: XmlElement): string {
  const [only] = element.children;
  if (element.children.length === 1 && only?.kind === 'text') return only.text;
  let text = '';
  for (const node of element.children) if (node.kind === 'text') text += node.text;
  return text;
}

/** Returns the trimmed text of the first child with the local name. */
export function findChildText(element: XmlElement, local: string): string | undefined {
  const found = child(element, local);
  return found === undefined ? undefined : readElementText(found);
}

export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

export function trimSpaceStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start += 1;
  return text.slice(start);
}

export function trimSpaceEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Replaces each run of white space by one space. */
export function collapseSpace(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ');
}

/** Splits a list that is separated by white space. */
export function splitWords(text: string): readonly string[] {
  return text.split(/[ \t\r\n]+/).filter((word) => word !== '');
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
