/** Text of elements, with the white space of XML rather than that of Unicode: a no-break space is content. */
import type { XmlElement } from './element.ts';
import { child } from './elements.ts';

/** The text directly in an element, without white space around it. */
export function readElementText(element: XmlElement): string {
  return trimSpace(readRawText(element));
}

/** The text directly in an element. */
export function readRawText(element: XmlElement): string {
  const [only] = element.children;
  if (element.children.length === 1 && only?.kind === 'text') return only.text;
  let text = '';
  for (const node of element.children) if (node.kind === 'text') text += node.text;
  return text;
}

/** The text of the first child of that name, if there is one. */
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

/** Each run of white space as one space. */
export function collapseSpace(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ');
}

/** The words of a list that is divided by white space. */
export function splitWords(text: string): readonly string[] {
  return text.split(/[ \t\r\n]+/).filter((word) => word !== '');
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
