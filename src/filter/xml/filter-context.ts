/** The context for functions that read filters from XML. */
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Expression } from '../model/expression.ts';

/** Messages start in lower case, without a full stop. */
export interface XmlFilterContext {
  /** Reports an invalid value. The result that is returned afterwards is not used. */
  report(element: XmlElement, message: string): void;
  /** Reports a missing or misplaced element; ignored by callers that have validated the structure before. */
  reportMisplaced(element: XmlElement, message: string): void;
  /** Records the source element of a part of the filter. */
  locate?(part: object, element: XmlElement): void;
  /** Reads additional expressions, such as the functions that styles spell as elements. */
  readOther?(element: XmlElement): Expression | undefined;
}

/** Quotes client input at a limited length. */
export function quoteExcerpt(text: string): string {
  return `'${excerpt(text.trim())}'`;
}

/** Formats the message for a misplaced element. */
export function formatUnexpected(element: XmlElement, expected: string): string {
  return `${quoteExcerpt(element.name)} is not expected here. Expected: ${expected}`;
}
