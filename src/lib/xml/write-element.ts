/** Writes a part of a document that was read as a document of its own. */
import type { XmlElement, XmlNode } from './element.ts';
import { escapeAttribute, escapeText } from './escape.ts';

/** `scope` is what prefixes stand for around it, by prefix; the empty one is for names without. */
export function writeElement(element: XmlElement, scope: ReadonlyMap<string, string>): string {
  const own = new Set(element.attributes.map(({ name }) => name));
  const inherited = [...scope]
    .map(([prefix, uri]) => ({ name: prefix === '' ? 'xmlns' : `xmlns:${prefix}`, value: uri }))
    .filter(({ name }) => !own.has(name));
  return written({ ...element, attributes: [...element.attributes, ...inherited] });
}

interface WrittenElement extends Pick<XmlElement, 'name' | 'children'> {
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

function written({ name, attributes, children }: WrittenElement): string {
  const pairs = attributes.map((each) => ` ${each.name}="${escapeAttribute(each.value)}"`).join('');
  return `<${name}${pairs}>${children.map(writtenNode).join('')}</${name}>`;
}

function writtenNode(node: XmlNode): string {
  return node.kind === 'text' ? escapeText(node.text) : written(node);
}
