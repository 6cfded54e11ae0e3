/** Writes an element of a document as a separate document. */
import type { XmlElement, XmlNode } from './element.ts';
import { escapeAttribute, escapeText } from './escape.ts';

/**
 * `scope` has the namespaces that are declared around the element, by prefix; the empty prefix is the default
 * namespace.
 */
export function writeElement(element: XmlElement, scope: ReadonlyMap<string, string>): string {
  const own = new Set(element.attributes.map(({ name }) => name));
  const inherited = [...scope]
    .map(([prefix, uri]) => ({ name: prefix === '' ? 'xmlns' : `xmlns:${prefix}`, value: uri }))
    .filter(({ name }) => !own.has(name));
  return writeTag({ ...element, attributes: [...element.attributes, ...inherited] });
}

interface WritableElement extends Pick<XmlElement, 'name' | 'children'> {
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

function writeTag({ name, attributes, children }: WritableElement): string {
  const pairs = attributes.map((each) => ` ${each.name}="${escapeAttribute(each.value)}"`).join('');
  return `<${name}${pairs}>${children.map(writeNode).join('')}</${name}>`;
}

function writeNode(node: XmlNode): string {
  return node.kind === 'text' ? escapeText(node.text) : writeTag(node);
}
