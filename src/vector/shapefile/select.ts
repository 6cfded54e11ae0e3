/** Reads the records that a query can match, found by their boxes or numbers. */

import { findImpliedBoxes, findImpliedIdentifiers } from '../../filter/implied.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, Selection, SourceQuery } from '../port/port.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { readFeatures } from './read-features.ts';
import type { RecordIndex, RecordSet, SelectedRecords } from './record-index.ts';
import { GEOMETRY_NAME } from './schema.ts';

export type FindIndex = () => Promise<RecordIndex>;

/** Feature ids and page keys are record numbers. */
export async function selectRecords(
  opened: OpenedShapefile,
  findIndex: FindIndex,
  { filter, sort, start, offset, limit, attributes }: SourceQuery,
  signal: AbortSignal,
): Promise<Selection> {
  // Page keys are valid in file order only.
  if (start !== undefined && sort !== undefined) throw problem('page-key-invalid', {});
  const isWhole = filter === undefined && sort === undefined;
  const needed = attributes && [
    ...attributes,
    ...(filter === undefined ? [] : listFilterAttributes(filter)),
    ...(sort ?? []).map((key) => key.attribute),
  ];
  const records = await findRecords(opened.name, findIndex, filter, start);
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const features = readFeatures(
    opened,
    {
      ...(isWhole ? cut : {}),
      ...(records === undefined ? {} : { records }),
      ...(needed === undefined ? {} : { attributes: needed }),
    },
    signal,
  );
  const isPaged = sort === undefined && (start !== undefined || limit !== undefined);
  return {
    batches: isPaged ? addKeys(features, opened.name) : features,
    remainder: isWhole
      ? {}
      : { ...(filter === undefined ? {} : { filter }), ...(sort === undefined ? {} : { sort }), ...cut },
  };
}

/** Returns the records to read, or undefined for all. */
export async function findRecords(
  name: string,
  findIndex: FindIndex,
  filter: ResolvedFilter | undefined,
  start: SourceQuery['start'],
): Promise<SelectedRecords | undefined> {
  const boxes = filter && findImpliedBoxes(filter, GEOMETRY_NAME);
  const identifiers = filter && findImpliedIdentifiers(filter);
  if (boxes === undefined && identifiers === undefined && start === undefined) return undefined;
  const index = await findIndex();
  const records =
    identifiers !== undefined
      ? createListedSet(parseRecordNumbers(name, identifiers, index.count))
      : boxes === undefined
        ? createFullSet(index.count)
        : index.findInBoxes(boxes);
  return { index, numbers: listNumbers(records, start) };
}

function parseRecordNumbers(name: string, identifiers: readonly string[], count: number): readonly number[] {
  const prefix = `${name}.`;
  const numbers = identifiers
    .filter((id) => id.startsWith(prefix) && /^[1-9]\d{0,9}$/.test(id.slice(prefix.length)))
    .map((id) => Number(id.slice(prefix.length)))
    .filter((record) => record <= count);
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function listNumbers(records: RecordSet, start: SourceQuery['start']): Iterable<number> {
  if (start === undefined) return records.listAfter(0);
  if (!/^[1-9]\d{0,9}$/.test(start.key)) throw problem('page-key-invalid', {});
  return start.side === 'after' ? records.listAfter(Number(start.key)) : records.listBefore(Number(start.key));
}

function createListedSet(numbers: readonly number[]): RecordSet {
  return {
    listAfter: (record) => numbers.filter((each) => each > record),
    listBefore: (record) => numbers.filter((each) => each < record).reverse(),
  };
}

function createFullSet(count: number): RecordSet {
  return {
    *listAfter(record) {
      for (let number = record + 1; number <= count; number += 1) yield number;
    },
    *listBefore(record) {
      for (let number = Math.min(record - 1, count); number >= 1; number -= 1) yield number;
    },
  };
}

async function* addKeys(batches: AsyncIterable<readonly Feature[]>, name: string): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches)
    yield batch.map((feature) => ({ ...feature, key: feature.id.slice(name.length + 1) }));
}
