/** Says where elements stand in a document, for people. */
import { excerpt } from '../text/excerpt.ts';
import type { XmlElement } from './element.ts';

/**
 * Such as `StyledLayerDescriptor/NamedLayer[2]/Name`, counted where several have the name; undefined for an element that
 * is not in the document. One that stands for another, written in its place, has the path of that.
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
