/** A long listing by pages of `offset` and `limit`: only the pages around the visible rows are requested. */
import { useSignal } from '@preact/signals';
import { QueriesObserver, type QueryObserverOptions, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { queries } from './cache.ts';
import { callRest, type RestReply, withQuery } from './client.ts';

const PAGE_SIZE = 200;

/** Pages that are loaded ahead of the visible rows. */
const AHEAD = 1;

interface PagesOptions<D, R> {
  readonly path: string;
  readonly query: Readonly<Record<string, string | boolean | undefined>>;
  readonly listRows: (document: D) => readonly R[];
}

export interface Pages<R> {
  /** Undefined until the first answer. */
  readonly total: number | undefined;
  readonly row: (index: number) => R | undefined;
  readonly showRange: (first: number, last: number) => void;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Whether the rows are those of an earlier filter. */
  readonly isOld: boolean;
}

export function usePages<D, R>({ path, query, listRows }: PagesOptions<D, R>): Pages<R> {
  const wanted = useSignal<readonly number[]>([0]);
  const drawn = useSignal(0);
  const list = withQuery(path, query);
  const lastList = useRef(list);
  if (lastList.current !== list) {
    lastList.current = list;
    wanted.value = [0];
  }
  const definitions = wanted.value.map((page) => createPageQuery<D>(path, query, page));
  const observer = useMemo(() => new QueriesObserver(queries, definitions), []);
  observer.setQueries(definitions);
  useEffect(
    () =>
      observer.subscribe(() => {
        drawn.value += 1;
      }),
    [observer],
  );
  void drawn.value;
  // The observer has no type for its results.
  const results = observer.getCurrentResult() as readonly QueryObserverResult<RestReply<D>>[];
  const found = new Map(
    wanted.value.flatMap((page, index) => {
      const data = results[index]?.data;
      return data === undefined ? [] : [[page, listRows(data.body)] as const];
    }),
  );
  const current = { total: results[0]?.data?.total ?? undefined, rows: found };
  const kept = useRef(current);
  const isOld = current.total === undefined && kept.current.total !== undefined;
  if (!isOld) kept.current = current;
  const { total, rows } = isOld ? kept.current : current;
  const failed = results.find(({ error }) => error !== null);
  return {
    total: total ?? undefined,
    row: (index) => rows.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    showRange: (first, last) => {
      const pages = new Set([0]);
      const end = Math.floor(Math.min(last + AHEAD * PAGE_SIZE, Math.max(0, (total ?? 0) - 1)) / PAGE_SIZE);
      for (let page = Math.floor(first / PAGE_SIZE); page <= end; page += 1) pages.add(page);
      if ([...pages].join() !== wanted.peek().join()) wanted.value = [...pages];
    },
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    isOld,
  };
}

/** Only the first page is counted. */
function createPageQuery<D>(
  path: string,
  query: PagesOptions<D, unknown>['query'],
  page: number,
): QueryObserverOptions {
  const target = withQuery(path, {
    ...query,
    limit: PAGE_SIZE,
    ...(page === 0 ? { count: true } : { offset: page * PAGE_SIZE }),
  });
  return {
    queryKey: [target],
    queryFn: ({ signal }) => callRest<D>(target, { signal }),
  };
}
