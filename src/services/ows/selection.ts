/** How clients of OGC services choose features and order them, whatever the service: by ids, boxes, filters and lists of names. */

import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readDocument } from './message.ts';
import { readGroups, readList } from './parameters.ts';

export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'box'; readonly box: RequestedBox }
  | { readonly kind: 'filter'; readonly filter: XmlElement }
  | { readonly kind: 'cql'; readonly text: string; readonly language?: 'ecql' | 'cql2-text' | 'cql2-json' }
  | { readonly kind: 'ids'; readonly ids: readonly string[] };

export interface RequestedBox {
  /** In the order that the client has written them: the lower corner, then the upper one. */
  readonly corners: readonly [number, number, number, number];
  readonly crs?: string;
}

export interface SortKey {
  /** As written. */
  readonly property: string;
  readonly descending: boolean;
}

/** The parameters that choose features; one of them at most may be given. */
export interface SelectionParameters {
  readonly featureId: readonly string[] | undefined;
  readonly bbox?: string | undefined;
  readonly filter: string | undefined;
  readonly cql_filter: string | undefined;
}

/** One for each query; none where nothing is chosen. */
export async function readSelections(
  given: SelectionParameters,
  queries: number,
  limits: DocumentLimits,
): Promise<readonly Selection[]> {
  const { featureId: ids, bbox, filter, cql_filter: cql } = given;
  const names = Object.entries(given).flatMap(([name, value]) => (value ? [name] : []));
  if (names.length > 1) {
    throw problem('ows-parameters-exclusive', { parameters: names, field: names[1] ?? '' });
  }
  if (ids !== undefined) return Array.from({ length: queries }, () => ({ kind: 'ids', ids }));
  if (bbox !== undefined) {
    const box = readBox(bbox);
    return Array.from({ length: queries }, () => ({ kind: 'box', box }));
  }
  if (filter !== undefined) {
    const filters = readGroups(filter).map((text) => readFilter(text, limits));
    return expandPerQuery('filter', await Promise.all(filters), queries);
  }
  if (cql === undefined) return [];
  const texts = queries === 1 ? [cql] : splitCql(cql);
  return expandPerQuery(
    'cql_filter',
    texts.map((text) => (text === '' ? { kind: 'all' } : { kind: 'cql', text })),
    queries,
  );
}

async function readFilter(text: string, limits: DocumentLimits): Promise<Selection> {
  if (text.trim() === '') return { kind: 'all' };
  const root: XmlElement = await readDocument(text.trim(), limits);
  if (root.local !== 'Filter') {
    const expected = "an XML document with the root 'Filter' was expected";
    throw problem('ows-parameter-invalid', { parameter: 'filter', value: root.name, expected, field: 'filter' });
  }
  return { kind: 'filter', filter: root };
}

/** At semicolons that are in no text and behind no `SRID=4326`. */
function splitCql(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const [piece] of text.matchAll(/'(?:[^']|'')*'?|"(?:[^"]|"")*"?|SRID=\d+;|;|[^'";S]+|S/gi)) {
    if (piece === ';') {
      parts.push(part);
      part = '';
    } else {
      part += piece;
    }
  }
  return [...parts, part].map((each) => each.trim());
}

/** One for each query; one for all is taken where there is no other. */
export function expandPerQuery<T>(parameter: string, given: readonly T[], queries: number): readonly T[] {
  const [first] = given;
  if (given.length === queries) return given;
  if (given.length <= 1) return first === undefined ? [] : Array.from({ length: queries }, () => first);
  throw problem('ows-parameter-invalid', {
    parameter,
    value: `${given.length} lists`,
    expected: `one for each of the ${queries} types was expected`,
    field: parameter,
  });
}

/** `name`, `name D`, `name DESC`, `name+A`, with commas between. */
export function readSortBy(text: string): readonly SortKey[] {
  return readList(text).map((key) => {
    const [property = '', order, ...rest] = key.split(/[\s+]+/);
    return { property, descending: isDescending(rest.length > 0 ? [order, ...rest].join(' ') : order) };
  });
}

const sortOrders: ReadonlyMap<string, boolean> = new Map([
  ['A', false],
  ['ASC', false],
  ['D', true],
  ['DESC', true],
]);

/** Whether an order runs down; nothing said means up. */
export function isDescending(order: string | null | undefined): boolean {
  const written = order?.trim() ?? '';
  const descending = written === '' ? false : sortOrders.get(written.toUpperCase());
  if (descending === undefined) {
    const expected = 'ASC or DESC was expected behind a property';
    throw problem('ows-parameter-invalid', { parameter: 'sortBy', value: written, expected, field: 'sortBy' });
  }
  return descending;
}

/** Four numbers, or six of which the heights are not looked at; a CRS may follow. */
function readBox(text: string): RequestedBox {
  const parts = text.split(',').map((part) => part.trim());
  const last = parts.at(-1) ?? '';
  const hasCrs = parts.length % 2 === 1;
  const numbers = (hasCrs ? parts.slice(0, -1) : parts).map((part) => (part === '' ? Number.NaN : Number(part)));
  const [a = 0, b = 0, c = 0, d = 0] =
    numbers.length === 6 ? [0, 1, 3, 4].map((place) => numbers[place] ?? 0) : numbers;
  const isBox = (numbers.length === 4 || numbers.length === 6) && numbers.every(Number.isFinite);
  if (!isBox || a > c || b > d) {
    throw problem('ows-parameter-invalid', {
      parameter: 'bbox',
      value: text,
      expected: 'four numbers were expected, the lower corner before the upper one, and perhaps a CRS',
      field: 'bbox',
    });
  }
  return { corners: [a, b, c, d], ...(hasCrs && last !== '' ? { crs: last } : {}) };
}
