/** Reads a standalone filter from a request, up to the first error. */
import type { XmlElement } from '../../lib/xml/element.ts';
import { createElementPathLookup } from '../../lib/xml/element-paths.ts';
import type { FilterReadOutcome } from '../model/read-outcome.ts';
import { readFilterElement } from './condition.ts';
import { formatUnexpected, type XmlFilterContext } from './filter-context.ts';

/** Aborts the reading; stays inside this file. */
class XmlFilterError extends Error {
  override readonly name = 'XmlFilterError';
  readonly element: XmlElement;

  constructor(element: XmlElement, message: string) {
    super(message);
    this.element = element;
  }
}

/** Reads a `Filter` element of any version, with or without a namespace. */
export function readXmlFilter(root: XmlElement): FilterReadOutcome {
  const elements = new Map<object, XmlElement>();
  const refuse = (element: XmlElement, message: string): never => {
    throw new XmlFilterError(element, message);
  };
  const reading: XmlFilterContext = {
    report: refuse,
    reportMisplaced: refuse,
    locate: (part, element) => elements.set(part, element),
  };
  const formatElementPosition = (element: XmlElement): string =>
    `${createElementPathLookup(root)(element) ?? root.local} (line ${element.line}, column ${element.column})`;
  try {
    if (root.local !== 'Filter') refuse(root, formatUnexpected(root, 'Filter'));
    checkNamespaces(root, refuse);
    const filter = readFilterElement(reading, root) ?? refuse(root, 'Filter requires a condition');
    return {
      kind: 'read',
      filter,
      whereOf: (part) => {
        const element = elements.get(part);
        return element && formatElementPosition(element);
      },
    };
  } catch (error) {
    if (!(error instanceof XmlFilterError)) throw error;
    return { kind: 'refused', where: formatElementPosition(error.element), message: error.message };
  }
}

/** No namespace, or that of a version of Filter Encoding or GML. */
const namespaces = /^(?:|http:\/\/www\.opengis\.net\/(?:ogc|fes\/2\.0|gml(?:\/3\.\d)?))$/;

/** Elements of other namespaces can have the same names with another meaning. */
function checkNamespaces(element: XmlElement, refuse: (element: XmlElement, message: string) => never): void {
  if (!namespaces.test(element.uri))
    refuse(element, `'${element.name}' has the namespace '${element.uri}', which is not a filter namespace`);
  for (const node of element.children) if (node.kind === 'element') checkNamespaces(node, refuse);
}
