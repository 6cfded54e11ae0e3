/** Defines the document of a resource: input, output and schema. */

import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { createObject } from '../../lib/values/create-object.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type { OutputDocument, OutputListing, OutputMember, OutputNode } from '../serialization/output-tree.ts';
import { createFieldError, type Field, type FieldValues } from './field.ts';
import type { DescribedDocument, JsonSchema } from './schema.ts';
import { type ReportUnknown, reportUnknownFields } from './unknown-fields.ts';

/** Writes a response document. */
export interface DocumentWriter<R, N extends OutputNode | OutputListing = OutputNode | OutputListing>
  extends DescribedDocument {
  /** `only` names the required members; others can be omitted. */
  write(resource: R, only?: ReadonlySet<string>): OutputDocument<N>;
}

/** Reads a request document. */
export interface DocumentReader<D> extends DescribedDocument {
  /** For documents that are always small: parsing a large one blocks other requests. */
  readonly maxBytes?: number;
  /** Parses a body. Required fields must be present on create. Reports unknown fields. */
  read(body: InputNode, purpose: 'create' | 'change', unknown: ReportUnknown): D;
}

export interface ResourceDocument<R, D> extends DocumentWriter<R, OutputNode>, DocumentReader<D> {}

/** More than a document of one resource needs; parsed within a tenth of a second. */
export const SMALL_DOCUMENT_BYTES = 1_048_576;

/** A document can have a million errors. */
const MAX_COMPLAINTS = 20;

type Fields<R> = Readonly<Record<string, Field<R, unknown>>>;

export function defineDocument<R, F extends Fields<R>>(
  root: string,
  fields: F & Fields<R>,
  options: {
    readonly title: (resource: R) => string;
    readonly schemaName?: string;
    /** Another document with this root, whose fields are accepted and ignored. */
    readonly partOf?: DocumentWriter<never>;
  },
): ResourceDocument<R, FieldValues<F>> {
  const described = Object.entries<Field<R, unknown>>(fields);
  const schema = createObjectSchema(described);
  const known = { properties: { ...options.partOf?.schema.properties?.[root]?.properties, ...schema.properties } };
  return {
    root,
    ...(options.schemaName === undefined ? {} : { schemaName: options.schemaName }),
    maxBytes: SMALL_DOCUMENT_BYTES,
    schema: {
      type: 'object',
      properties: { [root]: schema },
      required: [root],
    },
    write(resource, only) {
      const members: OutputMember[] = [];
      for (const [name, field] of described) {
        const node = only === undefined || only.has(name) ? field.write?.(resource) : undefined;
        if (node !== undefined) {
          members.push({ name, node });
        }
      }
      return { root, node: { kind: 'object', members }, title: options.title(resource) };
    },
    read(body, purpose, unknown) {
      const node = getRootNode(root, body);
      for (const name of body.members.keys()) {
        if (name !== root) {
          unknown('', name, [root]);
        }
      }
      reportUnknownFields([node], known, root, unknown);
      const complaints: FieldError[] = [];
      const draft: [string, unknown][] = [];
      for (const [name, field] of described) {
        const at = `${root}.${name}`;
        const nodes = node.members.get(name);
        if (nodes !== undefined && field.read !== undefined) {
          const complain = (message: string) => {
            if (complaints.length < MAX_COMPLAINTS) {
              complaints.push(createFieldError(at, message));
            }
          };
          const value = field.read(nodes, { at, reportError: complain });
          if (value !== undefined) {
            draft.push([name, value]);
          }
        }
        if (purpose === 'create' && field.required && isMissing(nodes)) {
          complaints.push(createFieldError(at, 'is required'));
        }
      }
      if (complaints.length > 0) {
        throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? root });
      }
      return createObject(draft) as FieldValues<F>;
    },
  };
}

function isMissing(nodes: readonly InputNode[] | undefined): boolean {
  return nodes === undefined || nodes.every((node) => node.kind === 'nil');
}

function createObjectSchema<R>(described: readonly (readonly [string, Field<R, unknown>])[]): JsonSchema {
  const required = described.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(described.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Returns the node of the root element; an empty element is an object without fields. */
function getRootNode(root: string, body: InputNode): InputNode {
  const [node, ...others] = body.members.get(root) ?? [];
  if (node === undefined || others.length > 0) {
    throw problem('document-root', { expected: root, found: formatFound(body, root) });
  }
  if (node.kind === 'list' || (node.kind === 'scalar' && node.text.trim() !== '')) {
    throw problem('document-root', { expected: root, found: `a '${root}' without fields` });
  }
  return node;
}

function formatFound(body: InputNode, root: string): string {
  if (body.kind === 'list') {
    return 'a list';
  }
  const names = [...body.members.keys()];
  if (names.length === 0) {
    return body.kind === 'object' ? 'no fields' : 'a plain value';
  }
  if (names.includes(root)) {
    const { length } = body.members.get(root) ?? [];
    return length === 0 ? 'an empty list' : `${length} '${root}' documents`;
  }
  const shown = names.slice(0, 5).map((name) => `'${excerpt(name)}'`);
  return shown.join(', ');
}
