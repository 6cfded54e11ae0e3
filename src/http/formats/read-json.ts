/** Reads a JSON body into the neutral tree. */
import { readJson } from '../../lib/json/reader.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import type { DocumentLimits, InputNode } from './input-tree.ts';

const noAttributes: ReadonlyMap<string, string> = new Map();
const noMembers: ReadonlyMap<string, readonly InputNode[]> = new Map();

/** An object with the members of the outermost JSON object; a list or a scalar if the document is none. */
export function inputFromJson(text: string, limits: DocumentLimits): InputNode {
  return nodeFrom(readJson(text, limits));
}

function nodeFrom(tree: JsonTree): InputNode {
  switch (tree.kind) {
    case 'array':
      return leaf('list', '', tree.items.map(nodeFrom));
    case 'object':
      return nodeFromMembers(tree.members);
    case 'null':
      return leaf('nil', '');
    default:
      return leaf('scalar', scalarText(tree) ?? '');
  }
}

function nodeFromMembers(tree: ReadonlyMap<string, JsonTree>): InputNode {
  const attributes = new Map<string, string>();
  const members = new Map<string, readonly InputNode[]>();
  let text: string | undefined;
  let isNil = false;
  for (const [name, value] of tree) {
    const isNested = value.kind === 'array' || value.kind === 'object';
    if (isNested || !(name === '$' || name.startsWith('@'))) {
      members.set(name, value.kind === 'array' ? value.items.map(nodeFrom) : [nodeFrom(value)]);
    } else if (name === '$') {
      text = scalarText(value);
      isNil = value.kind === 'null';
    } else {
      // An attribute cannot be null in XML; here it is as good as absent.
      const attribute = scalarText(value);
      if (attribute !== undefined) attributes.set(name.slice(1), attribute);
    }
  }
  // {"$":"x"} is <a>x</a>, and {"@key":"k","$":null} is <a key="k" xsi:nil="true"/>.
  const isText = text !== undefined && attributes.size === 0;
  const kind = members.size > 0 ? 'object' : isNil ? 'nil' : isText ? 'scalar' : 'object';
  return { kind, text: text ?? '', attributes, members, items: [] };
}

/** The text of a string, number or boolean as it was written; nothing for null and for what has parts. */
function scalarText(tree: JsonTree): string | undefined {
  switch (tree.kind) {
    case 'string':
    case 'number':
      return tree.text;
    case 'boolean':
      return String(tree.value);
    default:
      return undefined;
  }
}

function leaf(kind: 'scalar' | 'nil' | 'list', text: string, items: readonly InputNode[] = []): InputNode {
  return { kind, text, attributes: noAttributes, members: noMembers, items };
}
