/** A field of keys and values, which can be nested elements; omitted from responses if empty. */
import type { ValueTree } from '../../lib/values/value-tree.ts';
import type { OutputNode } from '../serialization/output-tree.ts';
import type { WritableField } from './field.ts';
import { readTreeMap } from './read-map.ts';
import { writeValueTree } from './value-trees.ts';

type TreeMap = Readonly<Record<string, ValueTree>>;

export function createTreeMapField<R>(
  value: (resource: R) => TreeMap,
  options: { readonly description: string },
): WritableField<R, TreeMap> {
  return {
    read: readTreeMap,
    write: (resource) => {
      const entries = Object.entries(value(resource));
      return entries.length === 0
        ? undefined
        : { kind: 'list', itemName: 'entry', items: entries.map(([key, tree]) => toEntryNode(key, tree)) };
    },
    required: false,
    schema: {
      type: 'object',
      description: options.description,
      additionalProperties: true,
      properties: {
        entry: {
          type: 'array',
          items: {
            type: 'object',
            properties: { '@key': { type: 'string' }, $: { type: 'string' } },
            required: ['@key'],
            additionalProperties: true,
          },
        },
      },
    },
  };
}

function toEntryNode(key: string, tree: ValueTree): OutputNode {
  if (typeof tree === 'string') {
    return { kind: 'object', attributes: { key }, text: tree, members: [] };
  }
  const node = writeValueTree(tree);
  return node.kind === 'object' ? { ...node, attributes: { key, ...node.attributes } } : node;
}
