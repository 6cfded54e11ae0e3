/** Finds the parts of an element. */
import type { XmlElement } from './element.ts';

/** The first child of that local name. */
export function child(element: XmlElement, local: string): XmlElement | undefined {
  for (const node of element.children) if (node.kind === 'element' && node.local === local) return node;
  return undefined;
}

export function listChildren(element: XmlElement, local: string): readonly XmlElement[] {
  return listChildElements(element).filter((each) => each.local === local);
}

export function listChildElements(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((node) => node.kind === 'element');
}

/** The value of an attribute without a namespace. */
export function attribute(element: XmlElement, name: string): string | undefined {
  for (const each of element.attributes) if (each.uri === '' && each.name === name) return each.value;
  return undefined;
}

/** Reads the first child of that name, if there is one. */
export function readChild<T>(
  element: XmlElement,
  local: string,
  read: (child: XmlElement) => T | undefined,
): T | undefined {
  const found = child(element, local);
  return found === undefined ? undefined : read(found);
}

/** What stands there for all of them, or undefined instead of an empty list. */
export function toOptionalList<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
