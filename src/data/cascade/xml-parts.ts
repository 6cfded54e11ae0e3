/** Finds the parts of a capabilities document, whatever prefixes it uses. */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Bounds } from '../crs/bounds.ts';

export function childrenNamed(element: XmlElement, local: string): readonly XmlElement[] {
  return element.children.filter((child) => child.kind === 'element').filter((child) => child.local === local);
}

export function childNamed(element: XmlElement | undefined, local: string): XmlElement | undefined {
  return element?.children.find((child) => child.kind === 'element' && child.local === local) as XmlElement | undefined;
}

/** The text of an element without the white space around it; null for none. */
export function textOf(element: XmlElement | undefined): string | null {
  const text = element?.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
  return text?.trim() || null;
}

export function childText(element: XmlElement | undefined, local: string): string | null {
  return textOf(childNamed(element, local));
}

export function textsOf(element: XmlElement | undefined, local: string): readonly string[] {
  return element === undefined ? [] : childrenNamed(element, local).flatMap((child) => textOf(child) ?? []);
}

export function attributeOf(element: XmlElement, local: string): string | undefined {
  return element.attributes.find((each) => each.local === local)?.value.trim();
}

/** Null unless there are four numbers, in their order. */
export function boundsFrom(values: readonly (string | null | undefined)[]): Bounds | null {
  const numbers = values.map((value) => (value == null || value === '' ? Number.NaN : Number(value)));
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = numbers;
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite) && minX <= maxX && minY <= maxY;
  return isBox ? { minX, minY, maxX, maxY } : null;
}
