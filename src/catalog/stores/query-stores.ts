/** Queries the data of several stores concurrently. */
import { Problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Store } from '../kinds/store.ts';

export interface StoreResults<T> {
  readonly found: readonly T[];
  /** A sentence for each store that could not be queried. */
  readonly warnings: readonly string[];
}

/** Among several stores, one with unreadable data is skipped with a warning; queried alone, it is a problem. */
export async function queryStores<V extends { readonly store: Store }, T>(
  stores: readonly V[],
  scope: { readonly store?: string },
  ask: (view: V) => Promise<readonly T[]>,
): Promise<StoreResults<T>> {
  const answers = await Promise.all(
    stores.map(async (view): Promise<StoreResults<T>> => {
      try {
        return { found: await ask(view), warnings: [] };
      } catch (error) {
        if (scope.store !== undefined || !(error instanceof Problem)) {
          throw error;
        }
        return { found: [], warnings: [`The store '${view.store.name}' is omitted: ${error.message}`] };
      }
    }),
  );
  return {
    found: answers.flatMap(({ found }) => found),
    warnings: limitSentences(answers.flatMap(({ warnings }) => warnings)),
  };
}
