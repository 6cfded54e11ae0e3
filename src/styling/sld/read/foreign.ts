/** Keeps XML that a style only carries. */
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import type { ForeignElement } from '../../model/foreign-element.ts';

export function toForeignElement({ local, uri, attributes, children }: XmlElement): ForeignElement {
  return {
    kind: 'element',
    name: local,
    namespace: uri,
    attributes: attributes
      .filter((each) => each.uri !== xmlnsNamespace)
      .map((each) => ({ name: each.local, namespace: each.uri, value: each.value })),
    children: children.map((node) =>
      node.kind === 'text' ? { kind: 'text', text: node.text } : toForeignElement(node),
    ),
  };
}
