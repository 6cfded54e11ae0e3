/** Parses a JSON body into the neutral tree. */
import { startReadingJson } from '../../lib/json/reader.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import type { DocumentLimits, InputNode, InputReading } from './input-tree.ts';

const noAttributes: ReadonlyMap<string, string> = new Map();
const noMembers: ReadonlyMap<string, readonly InputNode[]> = new Map();

/** Returns an object with the members of the outermost JSON object; a list or a scalar for other documents. */
export function startReadingJsonInput(text: string, limits: DocumentLimits): InputReading {
  // Values are complete before their parent: its children are always the last nodes.
  const nodes: InputNode[] = [];
  const reading = startReadingJson(text, limits, (tree) => {
    switch (tree.kind) {
      case 'array':
        nodes.push(createLeaf('list', '', removeLast(nodes, tree.items.length)));
        return;
      case 'object':
        nodes.push(toMembersNode(tree.members, removeLast(nodes, tree.members.size)));
        return;
      case 'null':
        nodes.push(createLeaf('nil', ''));
        return;
      default:
        nodes.push(createLeaf('scalar', findScalarText(tree) ?? ''));
    }
  });
  return { advance: (characters) => (reading.advance(characters) === undefined ? undefined : nodes[0]) };
}

/** Converts a parsed document to the neutral tree. */
export function toInputNode(tree: JsonTree): InputNode {
  switch (tree.kind) {
    case 'array':
      return createLeaf('list', '', tree.items.map(toInputNode));
    case 'object':
      return toMembersNode(tree.members, [...tree.members.values()].map(toInputNode));
    case 'null':
      return createLeaf('nil', '');
    default:
      return createLeaf('scalar', findScalarText(tree) ?? '');
  }
}

function removeLast(nodes: InputNode[], count: number): readonly InputNode[] {
  return count === 0 ? [] : nodes.splice(nodes.length - count);
}

function toMembersNode(members: ReadonlyMap<string, JsonTree>, nodes: readonly InputNode[]): InputNode {
  const values = [...members.values()];
  return createObjectNode([...members.keys()], nodes, (index) => hasParts(values[index]));
}

function hasParts(tree: JsonTree | undefined): boolean {
  return tree?.kind === 'array' || tree?.kind === 'object';
}

/**
 * Creates the node of an object from the nodes of its members; `isNested` returns which of them are lists or objects.
 */
export function createObjectNode(
  names: readonly string[],
  nodes: readonly InputNode[],
  isNested: (index: number) => boolean,
): InputNode {
  const attributes = new Map<string, string>();
  const members = new Map<string, readonly InputNode[]>();
  let text: string | undefined;
  let isNil = false;
  for (const [index, node] of nodes.entries()) {
    const name = names[index] ?? '';
    const isText = name === '$';
    if (!(isText || name.startsWith('@')) || isNested(index)) {
      members.set(name, node.kind === 'list' ? node.items : [node]);
    } else if (isText) {
      isNil = node.kind === 'nil';
      text = isNil ? undefined : node.text;
    } else if (node.kind !== 'nil') {
      // An XML attribute cannot be null, so a null attribute is absent.
      attributes.set(name.slice(1), node.text);
    }
  }
  // {"$":"x"} is <a>x</a>, and {"@key":"k","$":null} is <a key="k" xsi:nil="true"/>.
  const isText = text !== undefined && attributes.size === 0;
  const kind = members.size > 0 ? 'object' : isNil ? 'nil' : isText ? 'scalar' : 'object';
  return { kind, text: text ?? '', attributes, members, items: [] };
}

/** Returns the text of a string, number or boolean as written; undefined for null, arrays and objects. */
function findScalarText(tree: JsonTree): string | undefined {
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

export function createLeaf(kind: 'scalar' | 'nil' | 'list', text: string, items: readonly InputNode[] = []): InputNode {
  return { kind, text, attributes: noAttributes, members: noMembers, items };
}
