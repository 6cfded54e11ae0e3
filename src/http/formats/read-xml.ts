/** Reads an XML body into the neutral tree. */
import { type XmlElement, xmlnsNamespace } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { DocumentLimits, InputNode } from './input-tree.ts';

/** Elements of this namespace are links for the reader of our own replies; sent back to us they say nothing. */
const atomNamespace = 'http://www.w3.org/2005/Atom';
const schemaInstanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

const noAttributes: ReadonlyMap<string, string> = new Map();
const noMembers: ReadonlyMap<string, readonly InputNode[]> = new Map();

/** An object whose one member is the root element. */
export function inputFromXml(text: string, limits: DocumentLimits): InputNode {
  const members = membersFrom([readXml(text, limits)]);
  return { kind: 'object', text: '', attributes: noAttributes, members, items: [] };
}

function nodeFrom(element: XmlElement): InputNode {
  const attributes = attributesOf(element);
  if (isNil(element)) return { kind: 'nil', text: '', attributes, members: noMembers, items: [] };

  const elements = element.children.filter((child) => child.kind === 'element');
  const text = element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
  if (elements.length === 0) {
    const kind = attributes.size === 0 ? 'scalar' : 'object';
    return { kind, text, attributes, members: noMembers, items: [] };
  }
  const isIndentation = /^[ \t\r\n]*$/.test(text);
  return { kind: 'object', text: isIndentation ? '' : text, attributes, members: membersFrom(elements), items: [] };
}

function membersFrom(elements: readonly XmlElement[]): ReadonlyMap<string, readonly InputNode[]> {
  const members = new Map<string, InputNode[]>();
  for (const element of elements) {
    if (element.uri === atomNamespace) continue;
    const name = memberName(element);
    const nodes = members.get(name);
    if (nodes) nodes.push(nodeFrom(element));
    else members.set(name, [nodeFrom(element)]);
  }
  return members;
}

/** Clients double the underscores of names, as the reference server does in what it writes. */
function memberName(element: XmlElement): string {
  return element.local.replaceAll('__', '_');
}

function attributesOf(element: XmlElement): ReadonlyMap<string, string> {
  if (element.attributes.length === 0) return noAttributes;
  const attributes = new Map<string, string>();
  for (const { local, uri, value } of element.attributes) {
    if (uri === xmlnsNamespace || uri === schemaInstanceNamespace) continue;
    // Of two with the same local name, the one without a namespace is the one that our documents know.
    if (uri === '' || !attributes.has(local)) attributes.set(local, value);
  }
  return attributes;
}

function isNil(element: XmlElement): boolean {
  return element.attributes.some(
    ({ local, uri, value }) => local === 'nil' && uri === schemaInstanceNamespace && /^\s*(?:true|1)\s*$/.test(value),
  );
}
