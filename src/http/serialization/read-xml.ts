/** Parses an XML body into the neutral tree. */
import { type XmlElement, type XmlNode, xmlnsNamespace } from '../../lib/xml/element.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import type { DocumentLimits, InputNode, InputReading } from './input-tree.ts';

/** Elements of this namespace are links in our responses; they are ignored in requests. */
const atomNamespace = 'http://www.w3.org/2005/Atom';
const schemaInstanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

const noAttributes: ReadonlyMap<string, string> = new Map();
const noMembers: ReadonlyMap<string, readonly InputNode[]> = new Map();

/** Returns an object whose only member is the root element. */
export function startReadingXmlInput(text: string, limits: DocumentLimits): InputReading {
  // Elements are closed before their parent: its children are always the last nodes.
  const nodes: InputNode[] = [];
  const addElement = (element: XmlElement): XmlElement => {
    const { text, count } = readContent(element.children);
    const inner = count === 0 ? [] : nodes.splice(nodes.length - count);
    nodes.push(toInputNode(element, text, inner));
    return element;
  };
  const reading = startReadingXml(text, limits, { closed: addElement });
  return {
    advance(characters) {
      const root = reading.advance(characters);
      return root === undefined
        ? undefined
        : { kind: 'object', text: '', attributes: noAttributes, members: collectMembers([root], nodes), items: [] };
    },
  };
}

/**
 * Returns the text beside the child elements and their number, in one pass, because there can be a hundred thousand.
 */
function readContent(children: readonly XmlNode[]): { readonly text: string; readonly count: number } {
  let text = '';
  let count = 0;
  for (const child of children) {
    if (child.kind === 'text') text += child.text;
    else count += 1;
  }
  return { text, count };
}

function toInputNode(element: XmlElement, text: string, nodes: readonly InputNode[]): InputNode {
  const attributes = collectAttributes(element);
  if (isNil(element)) return { kind: 'nil', text: '', attributes, members: noMembers, items: [] };

  if (nodes.length === 0) {
    const kind = attributes.size === 0 ? 'scalar' : 'object';
    return { kind, text, attributes, members: noMembers, items: [] };
  }
  const isIndentation = /^[ \t\r\n]*$/.test(text);
  const members = collectMembers(element.children, nodes);
  return { kind: 'object', text: isIndentation ? '' : text, attributes, members, items: [] };
}

/** `nodes` are the nodes of the elements, in order. */
function collectMembers(
  children: readonly XmlNode[],
  nodes: readonly InputNode[],
): ReadonlyMap<string, readonly InputNode[]> {
  const members = new Map<string, InputNode[]>();
  let index = 0;
  for (const child of children) {
    if (child.kind === 'text') continue;
    const node = nodes[index];
    index += 1;
    if (child.uri === atomNamespace || node === undefined) continue;
    const name = toMemberName(child);
    const others = members.get(name);
    if (others) others.push(node);
    else members.set(name, [node]);
  }
  return members;
}

/** Clients double the underscores of names, as the reference server does. */
function toMemberName(element: XmlElement): string {
  return element.local.includes('__') ? element.local.replaceAll('__', '_') : element.local;
}

function collectAttributes(element: XmlElement): ReadonlyMap<string, string> {
  if (element.attributes.length === 0) return noAttributes;
  const attributes = new Map<string, string>();
  for (const { local, uri, value } of element.attributes) {
    if (uri === xmlnsNamespace || uri === schemaInstanceNamespace) continue;
    // An attribute without a namespace takes precedence over one with the same local name.
    if (uri === '' || !attributes.has(local)) attributes.set(local, value);
  }
  return attributes;
}

function isNil(element: XmlElement): boolean {
  return element.attributes.some(
    ({ local, uri, value }) => local === 'nil' && uri === schemaInstanceNamespace && /^\s*(?:true|1)\s*$/.test(value),
  );
}
