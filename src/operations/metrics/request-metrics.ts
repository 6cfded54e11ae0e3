/** Counts requests with status and duration: by service and operation, and by route. */
import { Histogram } from '../../lib/measure/histogram.ts';
import { createFamily, createHistogramSamples, type Labels, type MetricFamily } from './exposition.ts';
import { type Metric, metrics } from './metric-table.ts';

export interface FinishedRequest {
  /** The pattern of the requested path, such as `/rest/workspaces/:workspace`; undefined for an unknown path. */
  readonly pattern: string | undefined;
  readonly method: string;
  /** The service and its operation, as the code names them; undefined for an unknown path. */
  readonly service?: string | undefined;
  readonly operation?: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** Other methods share one label: clients choose methods freely, and labels are never released. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHODS = 'other';
const UNMATCHED = 'unmatched';

interface Counts {
  readonly labels: Labels;
  readonly byStatus: Map<number, number>;
  readonly durations: Histogram;
}

/** The counts of requests, by two names each. */
class RequestCounts {
  readonly #byFirst = new Map<string | undefined, Map<string | undefined, Counts>>();

  count(first: string | undefined, second: string | undefined, createLabels: () => Labels): Counts {
    const found = this.#byFirst.get(first)?.get(second);
    if (found !== undefined) return found;
    const bySecond = this.#byFirst.get(first) ?? new Map<string | undefined, Counts>();
    this.#byFirst.set(first, bySecond);
    const counts: Counts = { labels: createLabels(), byStatus: new Map(), durations: new Histogram() };
    bySecond.set(second, counts);
    return counts;
  }

  collect(requests: Metric, durations: Metric): readonly MetricFamily[] {
    const all = [...this.#byFirst.values()].flatMap((bySecond) => [...bySecond.values()]);
    return [
      {
        metric: requests,
        samples: all.flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value })),
        ),
      },
      { metric: durations, samples: all.flatMap((each) => createHistogramSamples(each.labels, each.durations)) },
    ];
  }
}

export class RequestMetrics {
  readonly #byRoute = new RequestCounts();
  readonly #byOperation = new RequestCounts();
  #inProgress = 0;

  /** Called for every request; `count` ends it. */
  start(): void {
    this.#inProgress += 1;
  }

  /** Called for every request: four lookups and a few additions. */
  count({ pattern, method, service, operation, status, durationMs }: FinishedRequest): void {
    this.#inProgress -= 1;
    const label = knownMethods.has(method) ? method : OTHER_METHODS;
    const ofRoute = this.#byRoute.count(pattern, label, () => ({ route: pattern ?? UNMATCHED, method: label }));
    const ofOperation = this.#byOperation.count(service, operation, () => ({
      service: service ?? UNMATCHED,
      operation: operation ?? UNMATCHED,
    }));
    for (const { byStatus, durations } of [ofRoute, ofOperation]) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      durations.record(durationMs / 1_000);
    }
  }

  collect(): readonly MetricFamily[] {
    return [
      ...this.#byOperation.collect(metrics.requests, metrics.requestDuration),
      ...this.#byRoute.collect(metrics.httpRequests, metrics.httpRequestDuration),
      createFamily(metrics.requestsInProgress, this.#inProgress),
    ];
  }
}
