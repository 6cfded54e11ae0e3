/** Finds children and attributes of elements. */
import type { XmlElement } from './element.ts';

/** Returns the first child with the local name. */
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

/** Returns the value of an attribute without a namespace. */
export function attribute(element: XmlElement, name: string): string | undefined {
  for (const each of element.attributes) if (each.uri === '' && each.name === name) return each.value;
  return undefined;
}

/** Reads the first child with the local name, if it exists. */
export function readChild<T>(
  element: XmlElement,
  local: string,
  read: (child: XmlElement) => T | undefined,
): T | undefined {
  const found = child(element, local);
  return found === undefined ? undefined : read(found);
}

/** Returns undefined instead of an empty list. */
export function toOptionalList<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
