/** Replaces the names of types in a stored query by those on the target. */
import { type XmlAttribute, type XmlElement, type XmlNode, xmlnsNamespace } from '../../../lib/xml/element.ts';
import type { Move } from './move.ts';
import type { SourceWorkspace } from './source-index.ts';

/** Namespaces by prefix. */
export type NamespaceScope = ReadonlyMap<string, string>;

/** What the names of a query refer to. */
export interface QueryNames {
  readonly move: Pick<Move, 'index' | 'options'>;
  /** The workspace of names without a prefix; undefined for a global query. */
  readonly home: SourceWorkspace | undefined;
}

const typeAttributes: ReadonlySet<string> = new Set(['typeNames', 'typeName']);
const pathElements: ReadonlySet<string> = new Set(['ValueReference', 'PropertyName']);

/** The namespaces of the source with the URIs that their workspaces have on the target. */
export function renameNamespaces({ move: { index } }: QueryNames, scope: NamespaceScope): NamespaceScope {
  return new Map([...scope].map(([prefix, uri]) => [prefix, index.findWorkspaceByUri(uri)?.targetUri ?? uri]));
}

/** `scope` has the namespaces of the source around the query. */
export function renameTypes(names: QueryNames, query: XmlElement, scope: NamespaceScope): XmlElement {
  const inner = new Map([...scope, ...listDeclarations(query)]);
  const written = query.attributes
    .filter(({ local, uri }) => uri === '' && typeAttributes.has(local))
    .flatMap(({ value }) => value.split(/[\s,()]+/));
  const renamed = new Map(written.map((name) => [name, renameType(names, name, inner)]));
  return renameElement(query, renamed, names);
}

function listDeclarations({ attributes }: XmlElement): readonly (readonly [string, string])[] {
  return attributes
    .filter(({ uri }) => uri === xmlnsNamespace)
    .map(({ name, local, value }) => [name === 'xmlns' ? '' : local, value] as const);
}

function renameType({ move: { index, options }, home }: QueryNames, written: string, scope: NamespaceScope): string {
  const colon = written.indexOf(':');
  const prefix = written.slice(0, Math.max(colon, 0));
  const local = written.slice(colon + 1);
  const declared = index.findWorkspaceByUri(scope.get(prefix) ?? '');
  const workspace = declared ?? (prefix === '' ? home : index.findWorkspaceByName(prefix));
  if (workspace === undefined) return written;
  const target = options.renames.get('layer', local, workspace.name);
  if (prefix === '') return target;
  // A declared prefix keeps its meaning; any other one is the name of a workspace.
  return `${declared === undefined ? workspace.target : prefix}:${target}`;
}

function renameElement(element: XmlElement, renamed: ReadonlyMap<string, string>, names: QueryNames): XmlElement {
  const isPath = pathElements.has(element.local);
  const renameNode = (node: XmlNode): XmlNode => {
    if (node.kind === 'element') return renameElement(node, renamed, names);
    return isPath ? { kind: 'text', text: renamePath(node.text, renamed) } : node;
  };
  const attributes = element.attributes.map((each) => ({ ...each, value: renameAttribute(each, renamed, names) }));
  return { ...element, attributes, children: element.children.map(renameNode) };
}

function renameAttribute(
  { local, uri, value }: XmlAttribute,
  renamed: ReadonlyMap<string, string>,
  { move: { index } }: QueryNames,
): string {
  if (uri === xmlnsNamespace) return index.findWorkspaceByUri(value)?.targetUri ?? value;
  if (uri !== '') return value;
  if (typeAttributes.has(local)) return value.replace(/[^\s,()]+/g, (name) => renamed.get(name) ?? name);
  return local === 'rid' ? renameId(value, renamed) : value;
}

/** In joins, a path begins with the name of a type. */
function renamePath(text: string, renamed: ReadonlyMap<string, string>): string {
  const [, blank = '', name = '', rest = ''] = /^(\s*)([^/]+)(\/.*)?$/s.exec(text) ?? [];
  return rest === '' ? text : `${blank}${renamed.get(name) ?? name}${rest}`;
}

/** Ids of features begin with the name of their type, without its workspace. */
function renameId(id: string, renamed: ReadonlyMap<string, string>): string {
  const dot = id.lastIndexOf('.');
  const local = id.slice(0, Math.max(dot, 0));
  for (const [from, to] of renamed) {
    if (from.slice(from.indexOf(':') + 1) === local) return `${to.slice(to.indexOf(':') + 1)}${id.slice(dot)}`;
  }
  return id;
}
