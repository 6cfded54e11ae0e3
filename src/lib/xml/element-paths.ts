/** Says where elements stand in a document, for people. */
import { excerpt } from '../excerpt.ts';
import type { XmlElement } from './element.ts';

/**
 * Such as `StyledLayerDescriptor/NamedLayer[2]/Name`, counted where several have the name; undefined for an element that
 * is not in the document. One that stands for another, written in its place, has the path of that.
 */
export function elementPaths(root: XmlElement): (element: XmlElement) => string | undefined {
  const paths = new Map<string, string>();
  const visit = (element: XmlElement, path: string): void => {
    paths.set(placeOf(element), path);
    const children = element.children.filter((child) => child.kind === 'element');
    const totals = Map.groupBy(children, ({ local }) => local);
    for (const [local, siblings] of totals) {
      for (const [index, child] of siblings.entries()) {
        visit(child, `${path}/${excerpt(local)}${siblings.length > 1 ? `[${index + 1}]` : ''}`);
      }
    }
  };
  visit(root, excerpt(root.local));
  return (element) => paths.get(placeOf(element));
}

function placeOf({ line, column }: XmlElement): string {
  return `${line}:${column}`;
}
