/** Translates stored queries of WFS, global ones and those of workspaces. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import { attribute, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { findChildText, readRawText } from '../../../lib/xml/text.ts';
import { writeElement } from '../../../lib/xml/write-element.ts';
import { createPath } from '../archive/archive.ts';
import type { Move } from './move.ts';

/** The name of the language in older documents of the standard, too. */
const languages: ReadonlySet<string> = new Set([
  'urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression',
  'urn:ogc:def:queryLanguage:OGC-WFS::WFSQueryExpression',
]);

export async function translateStoredQueries(move: Move): Promise<void> {
  await translateFolder(move, 'wfs/query', []);
  for (const { folder, target } of move.index.workspaces) {
    await translateFolder(move, `${folder}/wfs/query`, ['workspaces', target]);
  }
}

async function translateFolder(move: Move, folder: string, home: readonly string[]): Promise<void> {
  for (const file of move.files.listFiles(folder)) {
    if (!file.endsWith('.xml')) continue;
    const source = `${folder}/${file}`;
    const root = await move.documents.read(source, ['StoredQueryDescription'], 'storedQuery');
    if (root !== undefined) translateStoredQuery(move, root, source, home);
  }
}

function translateStoredQuery(move: Move, root: XmlElement, source: string, home: readonly string[]): void {
  const name = attribute(root, 'id') ?? '';
  const path = createPath(...home, 'storedqueries', name);
  const subject = { source, kind: 'storedQuery', path };
  if (name === '') {
    move.report.add('name-invalid', { source, kind: 'storedQuery' }, 'The stored query has no id.');
    return;
  }
  const scope = extendScope(new Map(), root);
  const texts = listChildren(root, 'QueryExpressionText');
  const language = texts.map((text) => attribute(text, 'language')).find((each) => each && !languages.has(each));
  if (language !== undefined) {
    const message = `Stored queries in the language '${language}' are not supported.`;
    move.report.add('query-language-unsupported', subject, message, 'Write the query in the language of WFS 2.0.');
    return;
  }
  move.archive.add('storedQuery', path, readFields(root, texts, scope), subject);
}

function readFields(root: XmlElement, texts: readonly XmlElement[], scope: Scope): JsonObject {
  const parameters = listChildren(root, 'Parameter').map((parameter) => readParameter(parameter, scope));
  return {
    ...readTexts(root, { title: 'Title', abstract: 'Abstract' }),
    isPrivate: texts.some((text) => attribute(text, 'isPrivate') === 'true'),
    parameters,
    queries: texts.flatMap((text) => readQueries(text, extendScope(scope, text))),
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

function readParameter(parameter: XmlElement, outer: Scope): Json {
  const type = attribute(parameter, 'type') ?? 'xs:string';
  return {
    name: attribute(parameter, 'name') ?? '',
    type: normalizeType(type, extendScope(outer, parameter)),
    ...readTexts(parameter, { title: 'Title', abstract: 'Abstract' }),
  };
}

/** Types of XML Schema and GML with their usual prefixes. */
function normalizeType(type: string, scope: Scope): string {
  const [prefix = '', local] = type.includes(':') ? type.split(':') : ['', type];
  const uri = scope.get(prefix) ?? '';
  if (uri === 'http://www.w3.org/2001/XMLSchema') return `xs:${local}`;
  return uri.startsWith('http://www.opengis.net/gml') ? `gml:${local}` : type;
}

/** Each query becomes a document of its own, with the namespaces that it uses. */
function readQueries(text: XmlElement, scope: Scope): readonly string[] {
  const elements = listChildElements(text);
  if (elements.length === 0) return readRawText(text).trim() === '' ? [] : [readRawText(text).trim()];
  return elements.map((element) => {
    const plain = writeElement(element, new Map());
    const used = [...scope].filter(([prefix]) => prefix === '' || plain.includes(`${prefix}:`));
    return writeElement(element, new Map(used));
  });
}

/** Namespaces by prefix. */
type Scope = ReadonlyMap<string, string>;

function extendScope(outer: Scope, { attributes }: XmlElement): Scope {
  const declared = attributes
    .filter(({ uri }) => uri === xmlnsNamespace)
    .map(({ name, local, value }) => [name === 'xmlns' ? '' : local, value] as const);
  return new Map([...outer, ...declared]);
}
