/** Translates stored queries of WFS, global ones and those of workspaces. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import { attribute, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { findChildText, readRawText } from '../../../lib/xml/text.ts';
import { writeElement } from '../../../lib/xml/write-element.ts';
import { createPath } from '../archive/archive.ts';
import type { Move } from './move.ts';
import { type NamespaceScope, type QueryNames, renameNamespaces, renameTypes } from './query-names.ts';
import type { SourceWorkspace } from './source-index.ts';

/** The name of the language in older documents of the standard, too. */
const languages: ReadonlySet<string> = new Set([
  'urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression',
  'urn:ogc:def:queryLanguage:OGC-WFS::WFSQueryExpression',
]);

/** Those of the server for queries. */
const limits = { maxDepth: 60, maxNodes: 20_000 };

export async function translateStoredQueries(move: Move): Promise<void> {
  await translateFolder(move, 'wfs/query');
  for (const workspace of move.index.workspaces) {
    await translateFolder(move, `${workspace.folder}/wfs/query`, workspace);
  }
}

async function translateFolder(move: Move, folder: string, home?: SourceWorkspace): Promise<void> {
  for (const file of move.files.listFiles(folder)) {
    if (!file.endsWith('.xml')) continue;
    const source = `${folder}/${file}`;
    const root = await move.documents.read(source, ['StoredQueryDescription'], 'storedQuery');
    if (root !== undefined) translateStoredQuery({ move, home }, root, source);
  }
}

function translateStoredQuery(names: QueryNames & { readonly move: Move }, root: XmlElement, source: string): void {
  const { move, home } = names;
  const name = attribute(root, 'id') ?? '';
  const path = createPath(...(home === undefined ? [] : ['workspaces', home.target]), 'storedqueries', name);
  const subject = { source, kind: 'storedQuery', path };
  if (name === '') {
    move.report.add('name-invalid', { source, kind: 'storedQuery' }, 'The stored query has no id.');
    return;
  }
  const texts = listChildren(root, 'QueryExpressionText');
  const language = texts.map((text) => attribute(text, 'language')).find((each) => each && !languages.has(each));
  if (language !== undefined) {
    const message = `Stored queries in the language '${language}' are not supported.`;
    move.report.add('query-language-unsupported', subject, message, 'Write the query in the language of WFS 2.0.');
    return;
  }
  move.archive.add('storedQuery', path, readFields(names, root, texts), subject);
}

function readFields(names: QueryNames, root: XmlElement, texts: readonly XmlElement[]): JsonObject {
  const scope = extendScope(new Map(), root);
  const parameters = listChildren(root, 'Parameter').map((parameter) => readParameter(parameter, scope));
  return {
    ...readTexts(root, { title: 'Title', abstract: 'Abstract' }),
    isPrivate: texts.some((text) => attribute(text, 'isPrivate') === 'true'),
    parameters,
    queries: texts.flatMap((text) => readQueries(names, text, extendScope(scope, text))),
  };
}

/** The texts of children under other names. */
function readTexts(element: XmlElement, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const text = findChildText(element, name);
      return text === undefined || text === '' ? [] : [[field, text]];
    }),
  );
}

function readParameter(parameter: XmlElement, outer: NamespaceScope): Json {
  const type = attribute(parameter, 'type') ?? 'xs:string';
  return {
    name: attribute(parameter, 'name') ?? '',
    type: normalizeType(type, extendScope(outer, parameter)),
    ...readTexts(parameter, { title: 'Title', abstract: 'Abstract' }),
  };
}

/** Types of XML Schema and GML with their usual prefixes. */
function normalizeType(type: string, scope: NamespaceScope): string {
  const [prefix = '', local] = type.includes(':') ? type.split(':') : ['', type];
  const uri = scope.get(prefix) ?? '';
  if (uri === 'http://www.w3.org/2001/XMLSchema') return `xs:${local}`;
  return uri.startsWith('http://www.opengis.net/gml') ? `gml:${local}` : type;
}

/** Each query becomes a document of its own, with the namespaces that it uses. */
function readQueries(names: QueryNames, text: XmlElement, scope: NamespaceScope): readonly string[] {
  const elements = listChildElements(text);
  const written = readRawText(text).trim();
  if (elements.length === 0) return written === '' ? [] : [renameWritten(names, written)];
  const declared = renameNamespaces(names, scope);
  return elements.map((element) => {
    const renamed = renameTypes(names, element, scope);
    const plain = writeElement(renamed, new Map());
    const used = [...declared].filter(([prefix]) => prefix === '' || plain.includes(`${prefix}:`));
    return writeElement(renamed, new Map(used));
  });
}

/** A query as text: without new names, it stays as it is. */
function renameWritten(names: QueryNames, written: string): string {
  try {
    const query = readXml(written, limits);
    const renamed = writeElement(renameTypes(names, query, new Map()), new Map());
    return renamed === writeElement(query, new Map()) ? written : renamed;
  } catch (error) {
    // The target reports it.
    if (error instanceof Problem) return written;
    throw error;
  }
}

function extendScope(outer: NamespaceScope, { attributes }: XmlElement): NamespaceScope {
  const declared = attributes
    .filter(({ uri }) => uri === xmlnsNamespace)
    .map(({ name, local, value }) => [name === 'xmlns' ? '' : local, value] as const);
  return new Map([...outer, ...declared]);
}
