/** What every function that reads filters out of XML needs to know beside the element it reads. */
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Expression } from '../model/expression.ts';

/** The sentences begin in lower case and have no full stop. */
export interface XmlFilterContext {
  /** Notes a value that is wrong. What is returned after it is never used. */
  report(element: XmlElement, message: string): void;
  /** Notes what is missing or misplaced; whoever has checked the structure before says nothing again. */
  reportMisplaced(element: XmlElement, message: string): void;
  /** Remembers where a part of the filter was written. */
  locate?(part: object, element: XmlElement): void;
  /** Reads expressions beyond those of filters, such as the functions that styles spell as elements. */
  readOther?(element: XmlElement): Expression | undefined;
}

/** What a client wrote, in quotes and at a bearable length. */
export function quoteExcerpt(text: string): string {
  return `'${excerpt(text.trim())}'`;
}

/** Says that an element should not be where it is. */
export function formatUnexpected(element: XmlElement, expected: string): string {
  return `${quoteExcerpt(element.name)} is not expected here. Expected: ${expected}`;
}
