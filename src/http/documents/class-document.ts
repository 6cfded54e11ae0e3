/** Reads and writes documents whose element is named after a class. */
import { problem } from '../../lib/problems/problem.ts';
import type { InputNode } from '../serialization/input-tree.ts';
import type {
  OutputDocument,
  OutputMember,
  OutputNode,
  ResourcePath,
  WriteContext,
} from '../serialization/output-tree.ts';
import { writeNodeHtml } from '../serialization/write-html.ts';
import type { DocumentReader, DocumentWriter, ResourceDocument } from './document.ts';
import type { ListWriter } from './listing.ts';
import type { JsonSchema } from './schema.ts';
import { unwrap, wrapNode } from './unwrap.ts';

/** Returns whether a name is the class, the class of its configuration, or neither. */
type FindClassRole = (name: string) => 'className' | 'configClassName' | undefined;

/** Reads the document that `inner` describes from any wrapper; the class in the element name becomes a member. */
export function createClassReader<R, D>(
  inner: ResourceDocument<R, D>,
  options: {
    readonly list: string;
    readonly members: readonly string[];
    readonly roleOfClass: FindClassRole;
    readonly exampleClass: string;
  },
): DocumentReader<D> {
  const wrapping = { root: inner.root, envelopes: [inner.root, options.list], members: options.members };
  return {
    root: inner.root,
    ...(inner.maxBytes === undefined ? {} : { maxBytes: inner.maxBytes }),
    schema: getPlainSchema(inner),
    xmlRoot: options.exampleClass,
    read(body, purpose, unknown) {
      const { node: sent, className } = unwrap(body, wrapping);
      const node = trimClasses(sent);
      const member = className === undefined ? undefined : (options.roleOfClass(className) ?? 'configClassName');
      const named =
        className === undefined || member === undefined ? node : addMember(node, inner.root, member, className);
      return inner.read(wrapNode(inner.root, named), purpose, unknown);
    },
  };
}

/**
 * Writes an element named after the class in XML; in JSON a plain object, or an object with the class as its only
 * member.
 */
export function createClassWriter<R>(
  inner: DocumentWriter<R>,
  options: {
    readonly classOf: (resource: R) => string;
    readonly json: 'plain' | 'by class';
    readonly exampleClass: string;
  },
): DocumentWriter<R> {
  const { classOf, json, exampleClass } = options;
  const schema = getPlainSchema(inner);
  return {
    root: inner.root,
    schema: json === 'plain' ? schema : createByClassSchema(schema, exampleClass),
    xmlRoot: exampleClass,
    write(resource): OutputDocument {
      const { node, title } = inner.write(resource);
      return { root: classOf(resource), node, title, ...(json === 'plain' ? { json: { root: null } } : {}) };
    },
  };
}

export function createClassListWriter<R>(
  inner: DocumentWriter<R, OutputNode>,
  options: {
    readonly list: string;
    readonly title: string;
    readonly classOf: (resource: R) => string;
    readonly json: 'plain' | 'by class';
    readonly exampleClass: string;
    /** The path of each resource and the name in the HTML page. */
    readonly link: (resource: R) => { readonly name: string; readonly path: ResourcePath };
  },
): ListWriter<R, readonly R[]> {
  const { list, title, classOf, json, exampleClass } = options;
  const schema = getPlainSchema(inner);
  const inArray: JsonSchema = {
    type: 'array',
    items: { ...schema, xml: { name: exampleClass } },
    xml: { wrapped: true },
  };
  return {
    root: list,
    getName: (resource) => options.link(resource).name,
    schema: {
      type: 'object',
      properties: { [list]: json === 'plain' ? inArray : createByClassSchema(schema, exampleClass) },
      required: [list],
    },
    write(resources) {
      const members = resources.map((each) => ({ name: classOf(each), node: inner.write(each).node }));
      const page = {
        writeContent: (context: WriteContext) => writeNodeHtml(createLinks(resources.map(options.link)), context),
      };
      const document: OutputDocument = { root: list, node: { kind: 'sequence', members }, title, page };
      return json === 'plain' ? document : { ...document, json: { root: list, node: groupByClass(members) } };
    },
  };
}

/** The format of the reference server: a member for each class, and an array only for several resources. */
function groupByClass(members: readonly OutputMember[]): OutputNode {
  if (members.length === 0) {
    return { kind: 'value', value: '' };
  }
  const groups = Map.groupBy(members, (member) => member.name);
  return {
    kind: 'object',
    members: [...groups].map(([name, group]) => {
      const [only, ...others] = group;
      return { name, node: only === undefined || others.length > 0 ? { kind: 'sequence', members: group } : only.node };
    }),
  };
}

/** Links to the pages of the resources. */
function createLinks(links: readonly { readonly name: string; readonly path: ResourcePath }[]): OutputNode {
  const items = links.map(
    ({ name, path }): OutputNode => ({
      kind: 'object',
      members: [{ name: 'name', node: { kind: 'value', value: name } }],
      link: path,
    }),
  );
  return { kind: 'list', itemName: 'item', items };
}

/** A member for each class; several resources of one class are an array. */
function createByClassSchema(schema: JsonSchema, exampleClass: string): JsonSchema {
  return {
    type: 'object',
    description: 'One member for each configuration class; several resources of one class are an array.',
    properties: { [exampleClass]: schema },
    additionalProperties: true,
  };
}

function getPlainSchema(inner: Pick<DocumentWriter<never>, 'root' | 'schema'>): JsonSchema {
  return inner.schema.properties?.[inner.root] ?? inner.schema;
}

/** Trims class names, which formatted XML surrounds with white space. */
function trimClasses(node: InputNode): InputNode {
  const members = [...node.members].map(([name, values]) =>
    name === 'className' || name === 'configClassName'
      ? ([name, values.map((value) => ({ ...value, text: value.text.trim() }))] as const)
      : ([name, values] as const),
  );
  return { ...node, members: new Map(members) };
}

function addMember(node: InputNode, root: string, member: string, text: string): InputNode {
  const given = node.members.get(member)?.[0];
  if (given !== undefined && given.kind !== 'nil' && given.text !== text) {
    const complaint = { field: `${root}.${member}`, message: `does not match the name of the enclosing element` };
    throw problem('document-invalid', { complaints: [complaint], field: complaint.field });
  }
  const value: InputNode = { kind: 'scalar', text, attributes: new Map(), members: new Map(), items: [] };
  return { ...node, kind: 'object', members: new Map([...node.members, [member, [value]]]) };
}
