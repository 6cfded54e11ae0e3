/** The answers of the server, remembered by REST path: `useRest` shows them, writes drop them. */
import { type Signal, useSignal } from '@preact/signals';
import {
  keepPreviousData,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { useEffect, useMemo } from 'preact/hooks';
import { canAffect } from './affected-paths.ts';
import { callRest, type RestReply, type RestRequest } from './client.ts';
import { RestProblem } from './problems.ts';

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
      // A server on the same machine answers without a network, see `connection.ts`.
      networkMode: 'always',
      retry: (count, error) => count < MAX_RETRIES && error instanceof RestProblem && isTemporary(error),
    },
  },
});

/** Failures of the server itself; a client error would be the same again. */
function isTemporary({ status }: RestProblem): boolean {
  return status === 502 || status === 504;
}

/** How long a page waits after its answer could not be renewed. */
const RENEWAL_MS = 5_000;

/** Whether a page can keep an answer that could not be renewed: without a connection, or while the server is overloaded. */
function isPassing(error: Error | null): boolean {
  return error instanceof RestProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
}

export interface UseOptions<T> {
  /** Without a value, nothing is requested. */
  readonly path: string | undefined;
  /** Replaces the GET of the JSON document, for services. */
  readonly read?: (path: string, signal: AbortSignal) => Promise<RestReply<T>>;
  /** Shows the last answer while that of another path is loaded. */
  readonly keepsLast?: boolean;
}

export interface RestResult<T> {
  /** Undefined until the first answer. */
  readonly data: RestReply<T> | undefined;
  /** Null while there is an answer that only could not be renewed: forms on the page keep what the user has entered. */
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => Promise<unknown>;
}

/** Returns the answer of a path and its state. The component is drawn again when it changes. */
export function useRest<T>(options: UseOptions<T> | string | undefined): RestResult<T> {
  const { path, read, keepsLast = false } = typeof options === 'object' ? options : { path: options };
  const definition: QueryObserverOptions<RestReply<T>> = {
    queryKey: [path ?? ''],
    enabled: path !== undefined,
    queryFn: ({ signal }) => (read === undefined ? callRest<T>(path ?? '', { signal }) : read(path ?? '', signal)),
    refetchInterval: ({ state }) => (state.data !== undefined && isPassing(state.error) ? RENEWAL_MS : false),
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  };
  const observer = useMemo(() => new QueryObserver<RestReply<T>>(queries, definition), []);
  const result: Signal<QueryObserverResult<RestReply<T>>> = useSignal(observer.getCurrentResult());
  observer.setOptions(definition);
  useEffect(
    () =>
      observer.subscribe((next) => {
        result.value = next;
      }),
    [observer],
  );
  // The signal is one step behind if the path has changed in this drawing.
  void result.value;
  const { data, error, isFetching, isRefetchError, refetch } = observer.getCurrentResult();
  return { data, error: isRefetchError && isPassing(error) ? null : error, isFetching, refetch };
}

/** Sends a write and drops the remembered answers of its path and of the listings above it. */
export async function writeRest<T>(path: string, request: RestRequest): Promise<RestReply<T>> {
  const reply = await callRest<T>(path, request);
  await dropAnswers(path);
  return reply;
}

/** Drops every answer that a change of the path can affect; pages that show one read it again. */
export function dropAnswers(path: string): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => canAffect(path, String(key)) });
}
