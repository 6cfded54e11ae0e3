/** What to do with resources whose data is unavailable while a configuration is applied. */
import { isDataFailure } from '../../../catalog/kinds/unverified.ts';
import type { Problem } from '../../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../../lib/problems/unverified.ts';
import type { Step } from './step.ts';

/** `accept` stores such resources as the document describes them; `reject` reports them as errors. */
export type Unverifiable = 'accept' | 'reject';

/** Remembers the stores that failed: the next resources of a store would wait for the same timeout. */
export class DataFailures {
  readonly #wanted: Unverifiable;
  readonly #byStore = new Map<string, Problem>();

  constructor(wanted: Unverifiable) {
    this.#wanted = wanted;
  }

  /** Returns the failure of the store of a new resource, if the document is rejected for it anyway. */
  findRejection({ action, path }: Step): Problem | undefined {
    return this.#wanted === 'reject' && action === 'create' ? this.#findFailure(path) : undefined;
  }

  /** Undefined if failures reject the document. */
  createPolicy(step: Step): UnverifiedPolicy | undefined {
    return this.#wanted === 'reject'
      ? undefined
      : { knownFailure: this.#findFailure(step.path), report: (failure) => this.note(step, failure) };
  }

  note({ path }: Pick<Step, 'path'>, failure: Problem): void {
    const store = findStorePath(path);
    if (store !== undefined && store !== path && isDataFailure(failure) && isStoreFailure(failure)) {
      this.#byStore.set(store, failure);
    }
  }

  #findFailure(path: string): Problem | undefined {
    const store = findStorePath(path);
    return store === undefined || store === path ? undefined : this.#byStore.get(store);
  }
}

/** Other failures concern one table or file of the store. */
function isStoreFailure({ code }: Problem): boolean {
  return code === 'store-unreachable' || code === 'store-disabled';
}

/** `/workspaces/a/datastores/b/featuretypes/c` -> `/workspaces/a/datastores/b` */
function findStorePath(path: string): string | undefined {
  return /^\/workspaces\/[^/]+\/(?:datastores|coveragestores|wmsstores|wmtsstores)\/[^/]+/.exec(path)?.[0];
}
