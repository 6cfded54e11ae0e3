/** Paths of elements in a document, for messages. */
import { excerpt } from '../text/excerpt.ts';
import type { XmlElement } from './element.ts';

/**
 * Creates a lookup of paths such as `StyledLayerDescriptor/NamedLayer[2]/Name`, with an index where several siblings
 * have the name; undefined for an element that is not in the document. A replacement has the path of the element it
 * replaces.
 */
export function createElementPathLookup(root: XmlElement): (element: XmlElement) => string | undefined {
  const paths = new Map<string, string>();
  const collectPaths = (element: XmlElement, path: string): void => {
    paths.set(toPositionKey(element), path);
    const children = element.children.filter((child) => child.kind === 'element');
    const totals = Map.groupBy(children, ({ local }) => local);
    for (const [local, siblings] of totals) {
      for (const [index, child] of siblings.entries()) {
        collectPaths(child, `${path}/${excerpt(local)}${siblings.length > 1 ? `[${index + 1}]` : ''}`);
      }
    }
  };
  collectPaths(root, excerpt(root.local));
  return (element) => paths.get(toPositionKey(element));
}

function toPositionKey({ line, column }: XmlElement): string {
  return `${line}:${column}`;
}
