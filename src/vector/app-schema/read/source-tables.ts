/** The tables of mappings: opened on first use and queried for rows with certain values. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Expression } from '../../../filter/model/expression.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { resolveFilter } from '../../../filter/resolve/resolve.ts';
import { type FilterRunner, inlineFilterRunner } from '../../../filter/run/filter-runner.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { createFilterSchema } from '../../port/filter-schema.ts';
import type { Mapping, SourceStore } from '../../port/mapping.ts';
import type { Attribute, VectorSource } from '../../port/port.ts';
import { filterFeatures } from '../../support/filter-features.ts';
import { compileExpression, type Evaluate, type SourceRow, toList, toPlainValue } from './compile-expression.ts';
import { buildCondition } from './invert-expression.ts';

/** The store of the mapping, with the parameters that mappings require. */
export type OpenSource = (store: SourceStore) => Promise<VectorSource>;

/** A table of a store. */
export interface TableAddress {
  /** The key of the store. */
  readonly store: string;
  readonly table: string;
  readonly databaseSchema?: string;
}

export interface SourceTable {
  readonly attributes: readonly Attribute[];
  /** Whether the source evaluates filters itself. */
  readonly filters: boolean;
  /** Yields rows in source order. */
  readRows(query: RowQuery): AsyncIterable<readonly SourceRow[]>;
  /** Yields rows for which an expression has one of the values, with the matching values. */
  findRowsWithValues(expressions: readonly Expression[], values: Iterable<string>): AsyncIterable<FoundRow>;
}

export interface RowQuery {
  readonly limit?: number;
  readonly filter?: ResolvedFilter;
}

export interface FoundRow {
  readonly row: SourceRow;
  readonly values: readonly string[];
}

export interface SourceTables {
  /** Throws a Problem if the table does not exist. */
  open(address: TableAddress, signal: AbortSignal): Promise<SourceTable>;
  close(): Promise<void>;
}

/** The number of values per database query. */
const VALUES_PER_QUERY = 1_000;

export function openSourceTables(
  mappings: readonly Mapping[],
  openSource: OpenSource,
  filterRunner: FilterRunner = inlineFilterRunner,
): SourceTables {
  const sources = new Map<string, Promise<VectorSource>>();

  const getSource = (address: TableAddress): Promise<VectorSource> => {
    const place = JSON.stringify([address.store, address.databaseSchema]);
    const known = sources.get(place);
    if (known !== undefined) return known;
    const store = mappings.flatMap(({ stores }) => stores).find(({ key }) => key === address.store);
    if (store === undefined) throw new Error(`Unknown source data store ${address.store}.`);
    const opened = openSource(toMappingStore(store, address.databaseSchema));
    sources.set(place, opened);
    // A failed source is opened again on the next use.
    opened.catch(() => sources.delete(place));
    return opened;
  };

  return {
    open: async (address, signal) => {
      const source = await getSource(address);
      const description = await source.describe(address.table, signal);
      if (description === undefined) throw problem('vector-type-unknown', { name: address.table });
      return createSourceTable(source, {
        name: address.table,
        attributes: description.attributes,
        filterRunner,
        signal,
      });
    },
    close: async () => {
      const open = [...sources.values()];
      sources.clear();
      for (const source of await Promise.allSettled(open))
        if (source.status === 'fulfilled') await source.value.close();
    },
  };
}

/** Mappings use key columns like any other column and can name another database schema. */
export function toMappingStore(store: SourceStore, databaseSchema: string | undefined): SourceStore {
  if (store.element !== 'DataStore') return store;
  const schema = databaseSchema === undefined ? {} : { schema: databaseSchema };
  return { ...store, parameters: { ...store.parameters, 'Expose primary keys': 'true', ...schema } };
}

interface TableParts {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly filterRunner: FilterRunner;
  readonly signal: AbortSignal;
}

function createSourceTable(
  source: VectorSource,
  { name, attributes, filterRunner: runner, signal }: TableParts,
): SourceTable {
  const kept = new Map<string, ReturnType<typeof indexRowsByValue>>();

  /** Yields to other requests between batches, because some sources have them in memory. */
  async function* rows(query: RowQuery): AsyncGenerator<readonly SourceRow[]> {
    for await (const batch of selectRows(query)) {
      yield batch;
      await othersFirst();
      signal.throwIfAborted();
    }
  }

  async function* selectRows({ limit, filter }: RowQuery): AsyncGenerator<readonly SourceRow[]> {
    if (filter === undefined || source.filters === true) {
      const query = { ...(limit === undefined ? {} : { limit }), ...(filter === undefined ? {} : { filter }) };
      yield* source.read(name, query, signal);
      return;
    }
    const names = attributes.map((attribute) => attribute.name);
    yield* filterFeatures(source.read(name, {}, signal), { names, filter, limit, runner, signal });
  }

  async function* rowsWith(expressions: readonly Expression[], values: Iterable<string>): AsyncGenerator<FoundRow> {
    const wanted = new Set(values);
    const evaluates = expressions.map((each) => compileExpression(each, attributes));
    if (source.filters !== true) {
      const key = JSON.stringify(expressions);
      const keeping = kept.get(key) ?? indexRowsByValue(rows({}), evaluates);
      kept.set(key, keeping);
      const found = (await keeping)?.(wanted);
      if (found !== undefined) {
        yield* found;
        return;
      }
    }
    for (const filter of await buildFilters(expressions, [...wanted])) {
      for await (const batch of rows(filter === undefined ? {} : { filter })) {
        for (const row of batch) {
          const found = findWantedValues(row, evaluates, wanted);
          if (found.length > 0) yield { row, values: found };
        }
      }
    }
  }

  /** Returns successive filters that together select all rows that can have one of the values. */
  async function buildFilters(
    expressions: readonly Expression[],
    values: readonly string[],
  ): Promise<readonly (ResolvedFilter | undefined)[]> {
    // A full scan is made only once.
    if (source.filters !== true) return [undefined];
    const filters: ResolvedFilter[] = [];
    for (let at = 0; at < values.length; at += VALUES_PER_QUERY) {
      const condition = buildCondition(expressions, values.slice(at, at + VALUES_PER_QUERY), attributes);
      if (condition === 'exclude') continue;
      const resolved = condition && (await resolveFilter(condition, createFilterSchema(attributes)));
      if (resolved?.kind !== 'resolved') return [undefined];
      filters.push(resolved.filter);
    }
    return filters;
  }

  return { attributes, filters: source.filters === true, readRows: rows, findRowsWithValues: rowsWith };
}

/** Small enough for memory, so that a source without filter support is not read repeatedly. */
const MAX_INDEXED_ROWS = 20_000;

/** Indexes rows by the values of expressions, in source order; returns undefined for too many rows. */
async function indexRowsByValue(
  batches: AsyncIterable<readonly SourceRow[]>,
  evaluates: readonly Evaluate[],
): Promise<((wanted: ReadonlySet<string>) => readonly FoundRow[]) | undefined> {
  const rows: SourceRow[] = [];
  const places = new Map<string, number[]>();
  for await (const batch of batches) {
    if (rows.length + batch.length > MAX_INDEXED_ROWS) return undefined;
    for (const row of batch) {
      for (const text of new Set(evaluates.flatMap((evaluate) => readLinkTexts(evaluate, row)))) {
        const known = places.get(text) ?? [];
        places.set(text, known);
        known.push(rows.length);
      }
      rows.push(row);
    }
  }
  return (wanted) => {
    const values = new Map<number, string[]>();
    for (const text of wanted) {
      for (const place of places.get(text) ?? []) values.set(place, [...(values.get(place) ?? []), text]);
    }
    return [...values]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([place, found]) => (rows[place] === undefined ? [] : [{ row: rows[place], values: found }]));
  };
}

function findWantedValues(
  row: SourceRow,
  evaluates: readonly Evaluate[],
  wanted: ReadonlySet<string>,
): readonly string[] {
  const found = evaluates.flatMap((evaluate) => readLinkTexts(evaluate, row));
  return [...new Set(found)].filter((each) => wanted.has(each));
}

/** Returns link values as text, so that 1 in one table equals '1' in another. */
export function readLinkTexts(evaluate: Evaluate, row: SourceRow): readonly string[] {
  return toList(evaluate(row)).map((each) => String(toPlainValue(each) ?? ''));
}
