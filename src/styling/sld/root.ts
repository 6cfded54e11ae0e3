/** Finds the descriptor of a document, and adds one around a style without a layer. */
import { type XmlElement, type XmlNode, xmlnsNamespace } from '../../lib/xml/element.ts';
import { listChildElements } from '../../lib/xml/elements.ts';
import type { Complaints } from './document/complaints.ts';
import { isStyleNamespace, sldNamespace } from './document/namespaces.ts';
import { quoteText } from './grammar/expected.ts';

const descriptorName = 'StyledLayerDescriptor';

/** Returns undefined after an error if the document has another type. */
export function findDescriptor(written: XmlElement, complaints: Complaints): XmlElement | undefined {
  const formatProblem = () => formatNotADescriptor(written);
  if (isNamed(written, descriptorName)) {
    if (written.local === descriptorName) return addLayer(written, complaints);
    complaints.warnUnlessStrict(written, `${quoteText(written.name)} is read as '${descriptorName}'`, formatProblem);
    return addLayer({ ...written, local: descriptorName }, complaints);
  }
  if (isNamed(written, 'UserStyle')) {
    const style = { ...written, local: 'UserStyle' };
    const around = 'it is read as the style of an unnamed layer';
    complaints.warnUnlessStrict(written, `the document is a ${quoteText(written.name)}: ${around}`, formatProblem);
    // Keep the namespace declarations, which determine the version.
    const attributes = written.attributes.filter(({ uri }) => uri === xmlnsNamespace);
    return { ...written, name: descriptorName, local: descriptorName, attributes, children: [createLayer(style)] };
  }
  const inner = findInnerDescriptor(written);
  if (inner === undefined) {
    complaints.reject(written, formatProblem);
    return undefined;
  }
  complaints.warnUnlessStrict(
    written,
    `the document is a ${quoteText(written.name)}: only its ${descriptorName} is read`,
    formatProblem,
  );
  return addLayer({ ...inner, local: descriptorName }, complaints);
}

/** Finds the style in a GetMap request, which contains it as a child. */
function findInnerDescriptor(written: XmlElement): XmlElement | undefined {
  if (written.local !== 'GetMap') return undefined;
  return listChildElements(written).find((each) => isNamed(each, descriptorName));
}

/**
 * Wraps a style directly below the descriptor in a layer, if there is none. Other servers read only one such style.
 */
function addLayer(root: XmlElement, complaints: Complaints): XmlElement {
  const children = listChildElements(root);
  if (children.some((each) => isNamed(each, 'NamedLayer') || isNamed(each, 'UserLayer'))) return root;
  const [style, ...others] = children.filter((each) => isNamed(each, 'UserStyle'));
  if (style === undefined) return root;

  const problem = `${quoteText(style.name)} must be inside a NamedLayer or UserLayer`;
  complaints.warnUnlessStrict(style, `${problem}: it is read as the style of an unnamed layer`, problem);
  for (const other of others) {
    const problem = `${quoteText(other.name)} must be inside a NamedLayer or UserLayer`;
    complaints.warnUnlessStrict(other, `${problem}: only the first style is read, so it has no effect`, problem);
  }
  const leftOut: ReadonlySet<XmlNode> = new Set(others);
  return {
    ...root,
    children: root.children
      .filter((child) => !leftOut.has(child))
      .map((child) => (child === style ? createLayer({ ...style, local: 'UserStyle' }) : child)),
  };
}

function createLayer(style: XmlElement): XmlElement {
  return { ...style, name: 'NamedLayer', local: 'NamedLayer', attributes: [], children: [style] };
}

function isNamed({ local, uri }: XmlElement, name: string): boolean {
  return (local === name || local.toLowerCase() === name.toLowerCase()) && isStyleNamespace(uri);
}

function formatNotADescriptor({ name, uri }: XmlElement): string {
  const isOfStyles = isStyleNamespace(uri);
  const found = isOfStyles ? '' : ` in the namespace ${quoteText(uri)}`;
  const expected = isOfStyles ? '' : ` in the namespace ${sldNamespace}`;
  return `the document is a ${quoteText(name)}${found}, but a ${descriptorName}${expected} was expected`;
}
