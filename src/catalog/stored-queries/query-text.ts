/** Queries with placeholders: `${name}` stands for a value. Values are inserted after parsing, so that they stay values. */
import { Problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { XmlAttribute, XmlElement, XmlNode } from '../../lib/xml/element.ts';
import { xmlnsNamespace } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { StoredQueryParameter } from '../kinds/stored-query.ts';
import { getParameterType, type StoredQueryValue } from './parameter-types.ts';

/** A query of this size is parsed within some milliseconds. */
export const MAX_QUERY_LENGTH = 65_536;

/** Each of them can be replaced by a long value. */
const MAX_PLACEHOLDERS = 100;
/** Geometries are expensive conditions. */
const MAX_GEOMETRIES = 10;

const limits = { maxDepth: 60, maxNodes: 20_000 };

const placeholders = /\$\{([^{}]*)\}/g;

/** The parts of a query that are read. */
const knownParts: ReadonlySet<string> = new Set(['PropertyName', 'Filter', 'SortBy']);

export function parseQuery(text: string): XmlElement {
  return readXml(text, limits);
}

/** Returns why a query is invalid, as the end of a sentence. */
export async function findQueryFault(
  text: string,
  parameters: readonly StoredQueryParameter[],
): Promise<string | undefined> {
  if (text.length > MAX_QUERY_LENGTH) return `a query has more than ${MAX_QUERY_LENGTH} characters`;
  try {
    const root = parseQuery(text);
    return (
      findStructureFault(root) ?? findPlaceholderFault(root, parameters) ?? (await findFilterFault(root, parameters))
    );
  } catch (error) {
    if (error instanceof Problem) return `a query is not readable: ${error.message}`;
    throw error;
  }
}

function findStructureFault(root: XmlElement): string | undefined {
  if (root.local !== 'Query' || !root.uri.startsWith('http://www.opengis.net/wfs')) {
    return `expected the element Query of WFS, found '${excerpt(root.name)}'`;
  }
  if (readTypeNames(root).length === 0) return 'the attribute typeNames of a query is missing';
  const unknown = root.children.find(
    (node): node is XmlElement => node.kind === 'element' && !knownParts.has(node.local),
  );
  const stray = root.children.find((node) => node.kind === 'text' && node.text.trim() !== '');
  if (stray?.kind === 'text') return `a query contains the text '${excerpt(stray.text.trim())}'`;
  return unknown === undefined
    ? undefined
    : `a query contains the unknown element '${excerpt(unknown.name)}'. Use ${[...knownParts].join(', ')}`;
}

function findPlaceholderFault(root: XmlElement, parameters: readonly StoredQueryParameter[]): string | undefined {
  const types = new Map(parameters.map(({ name, type }) => [name, getParameterType(type)]));
  let placeholderCount = 0;
  let geometryCount = 0;
  for (const { text, isAttribute } of listTexts(root)) {
    for (const [written, name = ''] of text.matchAll(placeholders)) {
      const type = types.get(name);
      if (type === undefined) return `the placeholder '${excerpt(written)}' has no parameter of its name`;
      placeholderCount += 1;
      if (type.kind === 'geometry') geometryCount += 1;
      if (placeholderCount > MAX_PLACEHOLDERS) return `a query has more than ${MAX_PLACEHOLDERS} placeholders`;
      if (geometryCount > MAX_GEOMETRIES) return `a query has more than ${MAX_GEOMETRIES} placeholders of geometries`;
      if (isAttribute && type.kind === 'geometry') return `an attribute contains the geometry '${name}'`;
    }
    if (text.replaceAll(placeholders, '').includes('${')) return 'a placeholder is not closed. Write ${name}';
  }
  return undefined;
}

/** Reads the filter with a valid value of each parameter. Any text may be valid in ways that a sample is not. */
async function findFilterFault(
  root: XmlElement,
  parameters: readonly StoredQueryParameter[],
): Promise<string | undefined> {
  const samples = new Map<string, StoredQueryValue>(
    parameters.map(({ name, type }) => {
      const { kind, sample } = getParameterType(type);
      return [name, kind === 'geometry' ? parseQuery(sample) : sample];
    }),
  );
  const bound = bindQuery(root, samples);
  const filter = bound.children.find((node): node is XmlElement => node.kind === 'element' && node.local === 'Filter');
  if (filter === undefined) return undefined;
  const { readFilter } = await import('../../filter/read-filter.ts');
  try {
    await readFilter({ language: 'filter-xml', element: filter });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const used = new Set(
      listTexts(root).flatMap(({ text }) => Array.from(text.matchAll(placeholders), ([, name]) => name)),
    );
    const isUnsure = parameters.some(({ name, type }) => {
      const declared = getParameterType(type);
      return used.has(name) && declared.kind === 'text' && declared.isAny;
    });
    return isUnsure ? undefined : error.message.replace(/\.$/, '');
  }
}

/** The names of types without placeholders, as written. */
export function readTypeNames(root: XmlElement): readonly string[] {
  const written = root.attributes.find(({ local }) => local === 'typeNames' || local === 'typeName')?.value ?? '';
  return written.split(/[\s,()]+/).filter((name) => name !== '');
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

/** Returns the name of a parameter whose value would turn the name of a type into several names. */
export function findSplitName(root: XmlElement, values: ReadonlyMap<string, StoredQueryValue>): string | undefined {
  const names = root.attributes.filter(
    ({ local }) => local === 'typeNames' || local === 'typeName' || local === 'aliases',
  );
  const used = names.flatMap(({ value }) => Array.from(value.matchAll(placeholders), ([, name = '']) => name));
  return used.find((name) => /[\s,()]|^$/.test(String(values.get(name))));
}

interface QueryText {
  readonly text: string;
  readonly isAttribute: boolean;
}

function listTexts(element: XmlElement): readonly QueryText[] {
  return [
    ...element.attributes.map(({ value }) => ({ text: value, isAttribute: true })),
    ...element.children.flatMap((node) =>
      node.kind === 'text' ? [{ text: node.text, isAttribute: false }] : listTexts(node),
    ),
  ];
}

/** Replaces placeholders by values. A value never becomes a tag or another placeholder. */
export function bindQuery(element: XmlElement, values: ReadonlyMap<string, StoredQueryValue>): XmlElement {
  return {
    ...element,
    attributes: element.attributes.map((attribute) => bindAttribute(attribute, values)),
    children: element.children.flatMap((node) =>
      node.kind === 'text' ? bindText(node.text, values) : bindQuery(node, values),
    ),
  };
}

function bindAttribute(attribute: XmlAttribute, values: ReadonlyMap<string, StoredQueryValue>): XmlAttribute {
  if (attribute.uri === xmlnsNamespace || !hasPlaceholder(attribute.value)) return attribute;
  const value = attribute.value.replaceAll(placeholders, (written, name: string) => {
    const found = values.get(name);
    return typeof found === 'string' ? found : written;
  });
  return { ...attribute, value };
}

/** Neighbouring texts become one, as after parsing. A geometry stands between the texts around it. */
function bindText(text: string, values: ReadonlyMap<string, StoredQueryValue>): readonly XmlNode[] {
  if (!hasPlaceholder(text)) return [{ kind: 'text', text }];
  const nodes: XmlNode[] = [];
  let pending = '';
  const flush = () => {
    if (pending !== '') nodes.push({ kind: 'text', text: pending });
    pending = '';
  };
  let end = 0;
  for (const match of text.matchAll(placeholders)) {
    pending += text.slice(end, match.index);
    end = match.index + match[0].length;
    const value = values.get(match[1] ?? '');
    if (value === undefined) pending += match[0];
    else if (typeof value === 'string') pending += value;
    else {
      flush();
      nodes.push(value);
    }
  }
  pending += text.slice(end);
  flush();
  return nodes;
}
