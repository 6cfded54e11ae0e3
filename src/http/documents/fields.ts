/** Builders for the fields of documents. */
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseFlag } from '../../lib/values/flag.ts';
import { formatTimestamp } from '../../lib/values/timestamp.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { OutputObject, ResourcePath } from '../serialization/output-tree.ts';
import type { Field, FieldReader, WritableField } from './field.ts';
import { readMap } from './read-map.ts';
import type { JsonSchema } from './schema.ts';
import { isXmlText, reportInvalidCharacters } from './xml-text.ts';

/** A reference to another resource. */
export interface Reference {
  readonly name: string;
  readonly path: ResourcePath;
  /** XML attributes of its element. */
  readonly attributes?: Readonly<Record<string, string>>;
}

interface FieldOptions {
  /** Required when the resource is created. */
  readonly required?: boolean;
  readonly description?: string;
  /** Shown in the example of the document. */
  readonly example?: unknown;
}

/** Returns the field builders for documents of one resource type. */
export function createFieldBuilders<R>() {
  return { ...createScalarFields<R>(), ...createCompositeFields<R>() };
}

function createScalarFields<R>() {
  return {
    text(value: (resource: R) => string | undefined, options: FieldOptions = {}): WritableField<R, string> {
      return {
        read: readText,
        write: (resource) => toValueNode(value(resource)),
        required: options.required ?? false,
        schema: { type: 'string', ...toSchemaAnnotations(options) },
      };
    },

    flag(value: (resource: R) => boolean | undefined, options: FieldOptions = {}): WritableField<R, boolean> {
      return {
        read: readFlag,
        write: (resource) => toValueNode(value(resource)),
        required: options.required ?? false,
        schema: { type: 'boolean', ...toSchemaAnnotations(options) },
      };
    },

    integer(value: (resource: R) => number | undefined, options: FieldOptions = {}): WritableField<R, number> {
      return {
        read: readInteger,
        write: (resource) => toValueNode(value(resource)),
        required: options.required ?? false,
        schema: { type: 'integer', ...toSchemaAnnotations(options) },
      };
    },

    /** Read-only text. */
    serverText(value: (resource: R) => string | undefined, options: FieldOptions = {}): Field<R, never> {
      return {
        write: (resource) => toValueNode(value(resource)),
        required: false,
        schema: { type: 'string', readOnly: true, ...toSchemaAnnotations(options) },
      };
    },

    /** Write-only text. */
    secret(options: FieldOptions = {}): WritableField<R, string> {
      return {
        read: readText,
        required: options.required ?? false,
        schema: { type: 'string', writeOnly: true, ...toSchemaAnnotations(options) },
      };
    },

    /** A read-only timestamp. */
    timestamp(valueMs: (resource: R) => number | undefined, options: FieldOptions = {}): Field<R, never> {
      return {
        write: (resource) => {
          const ms = valueMs(resource);
          return ms === undefined ? undefined : { kind: 'value', value: formatTimestamp(ms) };
        },
        required: false,
        schema: { type: 'string', readOnly: true, ...toSchemaAnnotations(options) },
      };
    },
  };
}

function createCompositeFields<R>() {
  return {
    /** Keys and values, in any notation that clients use; omitted from responses if empty. */
    map(
      value: (resource: R) => Readonly<Record<string, string>>,
      options: FieldOptions & {
        readonly example?: Readonly<Record<string, string>>;
        /** Descriptions of maps for special purposes; other maps are valid as well. */
        readonly kinds?: readonly JsonSchema[];
      } = {},
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
          ...toSchemaAnnotations({
            ...options,
            example: options.example && { entry: toExampleEntries(options.example) },
          }),
          additionalProperties: true,
          ...(options.kinds === undefined ? {} : { anyOf: [...options.kinds, { title: 'Other', type: 'object' }] }),
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

    /**
     * A reference to another resource, written as its name and a link. Clients can send the bare name, an object with a
     * name, or the document they read; an empty element clears the field.
     */
    reference(value: (resource: R) => Reference | undefined, options: FieldOptions = {}): WritableField<R, string> {
      return {
        read: readReference,
        write: (resource) => {
          const reference = value(resource);
          return reference && toReferenceNode(reference);
        },
        required: options.required ?? false,
        schema: {
          type: 'object',
          ...toSchemaAnnotations(options),
          properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri', readOnly: true } },
        },
      };
    },

    /** A link to a collection inside the resource. */
    collectionLink(path: (resource: R) => ResourcePath): Field<R, never> {
      return {
        write: (resource) => ({ kind: 'collectionLink', path: path(resource) }),
        required: false,
        schema: { type: 'string', format: 'uri', readOnly: true },
      };
    },
  };
}

function toSchemaAnnotations({ description, example }: FieldOptions): Pick<JsonSchema, 'description' | 'examples'> {
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function toExampleEntries(map: Readonly<Record<string, string>>): readonly unknown[] {
  return Object.entries(map).map(([key, value]) => ({ '@key': key, $: value }));
}

function toValueNode<V extends string | boolean | number>(
  value: V | undefined,
): { kind: 'value'; value: V } | undefined {
  return value === undefined ? undefined : { kind: 'value', value };
}

function toReferenceNode({ name, path, attributes }: Reference): OutputObject {
  return {
    kind: 'object',
    members: [{ name: 'name', node: { kind: 'value', value: name } }],
    link: path,
    ...(attributes === undefined ? {} : { attributes }),
  };
}

function readReference(nodes: readonly InputNode[], reader: FieldReader): string | null | undefined {
  const [node] = nodes;
  const named = node?.members.get('name');
  if (nodes.length === 1 && named !== undefined) {
    return readReference(named, { ...reader, at: `${reader.at}.name` });
  }
  const name = readText(nodes, reader);
  return name === '' ? null : name;
}

function readText(nodes: readonly InputNode[], reader: FieldReader): string | null | undefined {
  const node = findOnlyNode(nodes, reader, 'text');
  if (node === undefined || node === null) {
    return node;
  }
  return isXmlText(node.text) ? node.text : reportInvalidCharacters(reader);
}

function readFlag(nodes: readonly InputNode[], reader: FieldReader): boolean | null | undefined {
  const node = findOnlyNode(nodes, reader, 'true or false');
  if (node === undefined || node === null) {
    return node;
  }
  const value = parseFlag(node.text);
  if (value === undefined) {
    reader.reportError(`true or false was expected, but '${excerpt(node.text)}' was found`);
  }
  return value;
}

function readInteger(nodes: readonly InputNode[], reader: FieldReader): number | null | undefined {
  const node = findOnlyNode(nodes, reader, 'a whole number');
  if (node === undefined || node === null) {
    return node;
  }
  const value = parseWholeNumber(node.text.trim());
  if (Number.isNaN(value)) {
    reader.reportError(`a whole number was expected, but '${excerpt(node.text)}' was found`);
    return undefined;
  }
  return value;
}

/** Returns the single node of a scalar field: null if it is cleared, undefined after an error. */
function findOnlyNode(
  nodes: readonly InputNode[],
  reader: FieldReader,
  expected: string,
): InputNode | null | undefined {
  const [node] = nodes;
  if (node === undefined || nodes.length > 1) {
    reader.reportError(`${expected} was expected, but a list of ${nodes.length} values was found`);
    return undefined;
  }
  if (node.kind === 'nil') {
    return null;
  }
  if (node.kind === 'list' || node.members.size > 0) {
    reader.reportError(`${expected} was expected, but ${node.kind === 'list' ? 'a list' : 'an object'} was found`);
    return undefined;
  }
  return node;
}
