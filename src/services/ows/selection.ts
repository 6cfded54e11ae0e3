/** Feature selection and sorting in OGC services: by ids, boxes, filters and attribute names. */

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
  /** In the order of the request: lower corner, upper corner. */
  readonly corners: readonly [number, number, number, number];
  readonly crs?: string;
}

export interface SortKey {
  /** As sent. */
  readonly property: string;
  readonly descending: boolean;
}

/** The parameters that select features; they are mutually exclusive. */
export interface SelectionParameters {
  readonly featureId: readonly string[] | undefined;
  readonly bbox?: string | undefined;
  readonly filter: string | undefined;
  readonly cql_filter: string | undefined;
}

/** Returns one selection per query; empty if nothing is selected. */
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
    const expected = "expected an XML document with the root 'Filter'";
    throw problem('ows-parameter-invalid', { parameter: 'filter', value: root.name, expected, field: 'filter' });
  }
  return { kind: 'filter', filter: root };
}

/** Splits at semicolons that are neither in a string nor after `SRID=4326`. */
export function splitCql(text: string): readonly string[] {
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

/** Returns one value per query; a single value applies to all queries. */
export function expandPerQuery<T>(parameter: string, given: readonly T[], queries: number): readonly T[] {
  const [first] = given;
  if (given.length === queries) return given;
  if (given.length <= 1) return first === undefined ? [] : Array.from({ length: queries }, () => first);
  throw problem('ows-parameter-invalid', {
    parameter,
    value: `${given.length} lists`,
    expected: `expected one value for each of the ${queries} types`,
    field: parameter,
  });
}

/** Parses `name`, `name D`, `name DESC` and `name+A`, separated by commas. */
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

/** Returns whether the order is descending; the default is ascending. */
export function isDescending(order: string | null | undefined): boolean {
  const written = order?.trim() ?? '';
  const descending = written === '' ? false : sortOrders.get(written.toUpperCase());
  if (descending === undefined) {
    const expected = 'expected ASC or DESC after the property';
    throw problem('ows-parameter-invalid', { parameter: 'sortBy', value: written, expected, field: 'sortBy' });
  }
  return descending;
}

/** Parses four numbers, or six with heights, which are ignored; a CRS may follow. */
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
      expected: 'expected four numbers, the lower corner before the upper corner, and optionally a CRS',
      field: 'bbox',
    });
  }
  return { corners: [a, b, c, d], ...(hasCrs && last !== '' ? { crs: last } : {}) };
}
