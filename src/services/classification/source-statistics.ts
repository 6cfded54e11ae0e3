/** Statistics of the values to classify, from sources that compute them. Undefined results are read instead. */
import type { Bounds } from '../../crs/bounds.ts';
import type {
  Moments,
  NumberRequest,
  StatisticsRequest,
  ValueCount,
  ValueStatistics,
} from '../../vector/port/value-statistics.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import { buildFilter } from '../../vector/query/query-features.ts';

export type Nearness = NumberRequest['near'];

/** The part of an opened type that statistics need. */
export interface SummarizedType extends QueriedType {
  readonly signal: AbortSignal;
  within<T>(work: () => Promise<T>): Promise<T>;
}

type StatisticsQuery<T> = T extends StatisticsRequest ? Omit<T, 'attribute' | 'filter'> : never;

export class SourceStatistics {
  readonly #opened: SummarizedType;
  readonly #attribute: string;
  readonly #box: Bounds | undefined;

  constructor(
    opened: SummarizedType,
    { attribute, box }: { readonly attribute: string; readonly box?: Bounds | undefined },
  ) {
    this.#opened = opened;
    this.#attribute = attribute;
    this.#box = box;
  }

  async computeMoments(near: Nearness): Promise<Moments | undefined> {
    const result = await this.#compute({ kind: 'moments', near });
    return result?.kind === 'moments' ? result : undefined;
  }

  /** Undefined if the data has changed since the positions were computed. */
  async readRanks(ranks: readonly number[], near: Nearness): Promise<readonly number[] | undefined> {
    const distinct = [...new Set(ranks)];
    const result = await this.#compute({ kind: 'ranks', ranks: distinct, near });
    if (result?.kind !== 'ranks' || result.numbers.length !== distinct.length) return undefined;
    const { numbers } = result;
    const byRank = new Map(distinct.map((rank, index) => [rank, numbers[index] ?? 0]));
    return ranks.map((rank) => byRank.get(rank) ?? 0);
  }

  async computeTotals(
    limits: readonly number[],
    includesLimits: boolean,
    near: Nearness,
  ): Promise<readonly number[] | undefined> {
    const result = await this.#compute({ kind: 'totals', limits, includesLimits, near });
    return result?.kind === 'totals' ? result.totals : undefined;
  }

  /** Undefined if there are more than the limit. */
  async countValues(limit: number): Promise<readonly ValueCount[] | undefined> {
    const result = await this.#compute({ kind: 'values', limit });
    return result?.kind === 'values' ? result.counts : undefined;
  }

  async #compute(query: StatisticsQuery<StatisticsRequest>): Promise<ValueStatistics | undefined> {
    const { source, view, description, signal } = this.#opened;
    const filter = buildFilter(this.#opened, this.#box === undefined ? {} : { box: this.#box });
    if (filter?.kind === 'constant' && !filter.value) return undefined;
    const request = { ...query, attribute: this.#attribute, ...(filter === undefined ? {} : { filter }) };
    return this.#opened.within(async () => await source.computeStatistics?.(view ?? description.name, request, signal));
  }
}
