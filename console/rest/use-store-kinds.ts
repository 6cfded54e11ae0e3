/** The kinds of stores for a page. */
import { useRest } from './cache.ts';
import { listStoreKinds, type OpenApi, type StoreKind } from './store-kinds.ts';

export interface StoreKinds {
  readonly kinds: readonly StoreKind[] | undefined;
  readonly error: Error | null;
}

export function useStoreKinds(): StoreKinds {
  const { data, error } = useRest<OpenApi>('/openapi.json');
  return { kinds: data === undefined ? undefined : listStoreKinds(data.body), error };
}
