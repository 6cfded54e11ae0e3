/** Finds elements by local name, with any prefix, and accepts missing elements. */

import type { Bounds } from '../crs/bounds.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import { child, listChildren } from '../lib/xml/elements.ts';
import { readRawText } from '../lib/xml/text.ts';

export function findChildren(element: XmlElement, local: string): readonly XmlElement[] {
  return listChildren(element, local);
}

export function findChild(element: XmlElement | undefined, local: string): XmlElement | undefined {
  return element === undefined ? undefined : child(element, local);
}

/** Returns the trimmed text of an element; null if it is missing. */
export function readText(element: XmlElement | undefined): string | null {
  return (element === undefined ? '' : readRawText(element).trim()) || null;
}

export function readChildText(element: XmlElement | undefined, local: string): string | null {
  return readText(findChild(element, local));
}

export function readChildTexts(element: XmlElement | undefined, local: string): readonly string[] {
  return element === undefined ? [] : findChildren(element, local).flatMap((each) => readText(each) ?? []);
}

export function findAttribute(element: XmlElement, local: string): string | undefined {
  return element.attributes.find((each) => each.local === local)?.value.trim();
}

/** Returns null unless there are four numbers in ascending order. */
export function parseBounds(values: readonly (string | null | undefined)[]): Bounds | null {
  const numbers = values.map((value) => (value == null || value === '' ? Number.NaN : Number(value)));
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = numbers;
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite) && minX <= maxX && minY <= maxY;
  return isBox ? { minX, minY, maxX, maxY } : null;
}
