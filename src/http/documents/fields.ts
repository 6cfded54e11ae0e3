/** The kinds of fields documents are made of. */
import { parseFlag } from '../../lib/flag.ts';
import { formatTimestamp } from '../../lib/timestamp.ts';
import type { InputNode } from '../formats/input-tree.ts';
import type { ResourcePath } from '../formats/output-tree.ts';
import type { Field, FieldReader, WritableField } from './field.ts';
import { readMap } from './read-map.ts';

interface FieldOptions {
  /** Must be there when the resource is created. */
  readonly required?: boolean;
  readonly description?: string;
}

/** The field constructors for documents of one resource type, so that the callbacks know what they are given. */
export function fieldsOf<R>() {
  return {
    text(value: (resource: R) => string | undefined, options: FieldOptions = {}): WritableField<R, string> {
      return {
        read: readText,
        write: (resource) => valueNode(value(resource)),
        required: options.required ?? false,
        schema: { type: 'string', ...described(options) },
      };
    },

    flag(value: (resource: R) => boolean, options: FieldOptions = {}): WritableField<R, boolean> {
      return {
        read: readFlag,
        write: (resource) => ({ kind: 'value', value: value(resource) }),
        required: options.required ?? false,
        schema: { type: 'boolean', ...described(options) },
      };
    },

    /** Keys and values, in any of the spellings clients use; left out of replies when empty. */
    map(
      value: (resource: R) => Readonly<Record<string, string>>,
      options: FieldOptions = {},
    ): WritableField<R, Readonly<Record<string, string>>> {
      return {
        read: readMap,
        write: (resource) => {
          const entries = Object.entries(value(resource));
          return entries.length === 0 ? undefined : { kind: 'map', entries };
        },
        required: options.required ?? false,
        schema: {
          type: 'object',
          ...described(options),
          properties: {
            entry: {
              type: 'array',
              items: {
                type: 'object',
                properties: { '@key': { type: 'string' }, $: { type: 'string' } },
                required: ['@key', '$'],
              },
            },
          },
        },
      };
    },

    /** A moment the server noted. */
    timestamp(valueMs: (resource: R) => number | undefined, options: FieldOptions = {}): Field<R, never> {
      return {
        write: (resource) => {
          const ms = valueMs(resource);
          return ms === undefined ? undefined : { kind: 'value', value: formatTimestamp(ms) };
        },
        required: false,
        schema: { type: 'string', readOnly: true, ...described(options) },
      };
    },

    /** A link to what lives inside the resource. */
    collectionLink(path: (resource: R) => ResourcePath): Field<R, never> {
      return {
        write: (resource) => ({ kind: 'collectionLink', path: path(resource) }),
        required: false,
        schema: { type: 'string', format: 'uri', readOnly: true },
      };
    },
  };
}

function described(options: FieldOptions): { description?: string } {
  return options.description === undefined ? {} : { description: options.description };
}

function valueNode(value: string | undefined): { kind: 'value'; value: string } | undefined {
  return value === undefined ? undefined : { kind: 'value', value };
}

function readText(nodes: readonly InputNode[], reader: FieldReader): string | null | undefined {
  const node = onlyNode(nodes, reader, 'text');
  if (node === undefined || node === null) {
    return node;
  }
  return node.text;
}

function readFlag(nodes: readonly InputNode[], reader: FieldReader): boolean | null | undefined {
  const node = onlyNode(nodes, reader, 'true or false');
  if (node === undefined || node === null) {
    return node;
  }
  const value = parseFlag(node.text);
  if (value === undefined) {
    reader.complain(`true or false was expected, but '${node.text}' was found`);
  }
  return value;
}

/** The one node of a field that holds a single simple value: null when it was cleared, undefined after a complaint. */
function onlyNode(nodes: readonly InputNode[], reader: FieldReader, expected: string): InputNode | null | undefined {
  const [node] = nodes;
  if (node === undefined || nodes.length > 1) {
    reader.complain(`${expected} was expected, but a list of ${nodes.length} values was found`);
    return undefined;
  }
  if (node.kind === 'nil') {
    return null;
  }
  if (node.kind === 'list' || node.members.size > 0) {
    reader.complain(`${expected} was expected, but ${node.kind === 'list' ? 'a list' : 'an object'} was found`);
    return undefined;
  }
  return node;
}
