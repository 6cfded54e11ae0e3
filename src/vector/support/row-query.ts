/** Queries of files whose features are numbered rows: ids and page keys are row numbers from 1. */
import type { Bounds } from '../../crs/bounds.ts';
import { findImpliedBoxes, findImpliedIdentifiers } from '../../filter/implied.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Selection, SourceQuery } from '../port/port.ts';

/** Rows are numbered from 0 over the whole file. */
export interface RowQuery {
  /** Only rows whose primary geometry meets one of these boxes. */
  readonly boxes?: readonly Bounds[];
  /** Only these rows, in ascending order. */
  readonly rows?: readonly number[];
  /** Only rows after a row, or before it in reverse order. */
  readonly start?: { readonly side: 'after' | 'before'; readonly row: number };
  readonly offset?: number;
  readonly limit?: number;
  /** The attributes to read; the others are null. */
  readonly attributes?: readonly string[];
  /** Whether features have page keys. */
  readonly hasKeys?: boolean;
}

/** The parts of a table that queries need. */
export interface RowTable {
  readonly name: string;
  /** The default geometry. */
  readonly primary: { readonly name: string } | undefined;
}

export function planRowQuery(
  { name, primary }: RowTable,
  { filter, sort, start, offset, limit, attributes }: SourceQuery,
): { readonly rows: RowQuery; readonly remainder: Selection['remainder'] } {
  // Page keys are valid in file order only.
  if (start !== undefined && (sort !== undefined || !/^[1-9]\d{0,14}$/.test(start.key)))
    throw problem('page-key-invalid', {});
  const boxes = filter && primary && findImpliedBoxes(filter, primary.name);
  const identifiers = filter && findImpliedIdentifiers(filter);
  const needed = attributes && [
    ...attributes,
    ...(filter === undefined ? [] : listFilterAttributes(filter)),
    ...(sort ?? []).map((key) => key.attribute),
  ];
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const isWhole = filter === undefined && sort === undefined;
  return {
    rows: {
      ...(identifiers === undefined ? {} : { rows: parseRowNumbers(name, identifiers) }),
      ...(boxes === undefined || identifiers !== undefined ? {} : { boxes }),
      ...(start === undefined ? {} : { start: { side: start.side, row: Number(start.key) - 1 } }),
      ...(needed === undefined ? {} : { attributes: needed }),
      ...(isWhole ? cut : {}),
      hasKeys: sort === undefined && (start !== undefined || limit !== undefined),
    },
    remainder: isWhole
      ? {}
      : { ...(filter === undefined ? {} : { filter }), ...(sort === undefined ? {} : { sort }), ...cut },
  };
}

function parseRowNumbers(name: string, identifiers: readonly string[]): readonly number[] {
  const prefix = `${name}.`;
  const numbers = identifiers
    .filter((id) => id.startsWith(prefix) && /^[1-9]\d{0,14}$/.test(id.slice(prefix.length)))
    .map((id) => Number(id.slice(prefix.length)) - 1);
  return [...new Set(numbers)].sort((one, other) => one - other);
}
