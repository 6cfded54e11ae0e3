/** Replaces calls that read other layers by values before a filter is resolved. */
import { listLookups } from '../lookup/lookup-calls.ts';
import { LookupError } from '../lookup/lookup-error.ts';
import type { Constant, Filter } from '../model/filter.ts';
import { readFilter } from '../read-filter.ts';
import type { ResolveOutcome } from '../resolve/resolve.ts';
import type { FilterRunner } from './filter-runner.ts';
import { type FilterTarget, isLargeText, isLargeTree } from './read-large-filter.ts';

/** Returns the part with values instead of calls. Throws a `LookupError`. */
export type ReplaceLookups = <T extends object>(part: T) => Promise<T>;

/** Large filters are read in threads, which cannot read other layers: they are rejected if they contain such calls. */
export function withLookups(runner: FilterRunner, replace: ReplaceLookups): FilterRunner {
  const resolve = async (
    filter: Filter | Constant,
    target: FilterTarget,
    signal: AbortSignal,
  ): Promise<ResolveOutcome> => {
    if (isLargeTree(filter) || listLookups(filter).length === 0) return runner.resolve(filter, target, signal);
    try {
      return await runner.resolve(await replace(filter), target, signal);
    } catch (error) {
      if (!(error instanceof LookupError)) throw error;
      return { kind: 'refused', complaint: { part: error.call, message: error.message } };
    }
  };
  return {
    ...runner,
    resolve,
    async read(written, target, signal) {
      if (isLargeText(written)) return runner.read(written, target, signal);
      const { filter, createProblem } = await readFilter(written);
      const outcome = await resolve(filter, target, signal);
      if (outcome.kind === 'resolved') return outcome.filter;
      throw createProblem(outcome.complaint.part, outcome.complaint.message);
    },
  };
}
