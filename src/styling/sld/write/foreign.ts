/** Writes foreign XML, with namespaces declared where they are used. */
import type { ForeignElement } from '../../model/paint.ts';
import { xlinkNamespace, xmlNamespace } from '../document/namespaces.ts';
import { createMixedElement, type OutputElement } from './output.ts';

/** `outer` is the default namespace of the context. */
export function writeForeignElement(foreign: ForeignElement, outer: string): OutputElement {
  const attributes: Record<string, string> = {};
  if (foreign.namespace !== outer) attributes['xmlns'] = foreign.namespace;
  for (const [index, { name, namespace, value }] of foreign.attributes.entries()) {
    const prefix = getPrefix(namespace, index);
    if (prefix !== '' && prefix !== 'xml:' && prefix !== 'xlink:')
      attributes[`xmlns:${prefix.slice(0, -1)}`] = namespace;
    attributes[`${prefix}${name}`] = value;
  }
  const children = foreign.children.map((child) =>
    child.kind === 'text' ? child.text : writeForeignElement(child, foreign.namespace),
  );
  return createMixedElement(foreign.name, children, attributes);
}

/** XLink is declared on the root. */
function getPrefix(namespace: string, index: number): string {
  switch (namespace) {
    case '':
      return '';
    case xmlNamespace:
      return 'xml:';
    case xlinkNamespace:
      return 'xlink:';
    default:
      return `a${index}:`;
  }
}
