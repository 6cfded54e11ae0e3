/** Counts requests by operation, with status and duration. */
import type { MetricFamily, Sample } from './exposition.ts';

export interface FinishedRequest {
  /** The pattern of the requested path, such as `/rest/workspaces/:workspace`; undefined for an unknown path. */
  readonly pattern: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** From half a millisecond (a read from memory) to a minute (an upload). */
const bucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const;

/** Other methods share one label: clients choose methods freely, and labels are never released. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHODS = 'other';
const UNMATCHED = 'unmatched';

interface RouteMetrics {
  readonly route: string;
  readonly method: string;
  readonly countsByStatus: Map<number, number>;
  /** Not cumulative; the last entry counts values beyond the last bucket. */
  readonly countsByBucket: number[];
  durationSumSeconds: number;
}

export class RequestMetrics {
  /** By pattern, then by method. */
  readonly #operations = new Map<string | undefined, Map<string, RouteMetrics>>();

  /** Called for every request: two lookups and a few additions. */
  count({ pattern, method, status, durationMs }: FinishedRequest): void {
    const operation = this.#operations.get(pattern)?.get(method) ?? this.#newOperation(pattern, method);
    const seconds = durationMs / 1_000;
    operation.countsByStatus.set(status, (operation.countsByStatus.get(status) ?? 0) + 1);
    operation.durationSumSeconds += seconds;
    let bucket = 0;
    while (bucket < bucketsSeconds.length && seconds > (bucketsSeconds[bucket] ?? 0)) {
      bucket += 1;
    }
    operation.countsByBucket[bucket] = (operation.countsByBucket[bucket] ?? 0) + 1;
  }

  collect(): readonly MetricFamily[] {
    const operations = [...this.#operations.values()].flatMap((byMethod) => [...byMethod.values()]);
    return [
      {
        name: 'graticule_http_requests_total',
        type: 'counter',
        help: 'Requests answered, by route, method and status.',
        samples: operations.flatMap(({ route, method, countsByStatus }) =>
          [...countsByStatus].map(([status, value]) => ({ labels: { route, method, status: String(status) }, value })),
        ),
      },
      {
        name: 'graticule_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the arrival of a request to the end of its response.',
        samples: operations.flatMap(buildHistogramSamples),
      },
    ];
  }

  #newOperation(pattern: string | undefined, method: string): RouteMetrics {
    const byMethod = this.#operations.get(pattern) ?? new Map<string, RouteMetrics>();
    this.#operations.set(pattern, byMethod);
    const label = knownMethods.has(method) ? method : OTHER_METHODS;
    const operation = byMethod.get(label) ?? {
      route: pattern ?? UNMATCHED,
      method: label,
      countsByStatus: new Map(),
      countsByBucket: new Array<number>(bucketsSeconds.length + 1).fill(0),
      durationSumSeconds: 0,
    };
    byMethod.set(label, operation);
    return operation;
  }
}

function buildHistogramSamples({ route, method, countsByBucket, durationSumSeconds }: RouteMetrics): readonly Sample[] {
  const labels = { route, method };
  let count = 0;
  const buckets = countsByBucket.map((inBucket, index): Sample => {
    count += inBucket;
    const limit = bucketsSeconds[index];
    return { suffix: '_bucket', labels: { ...labels, le: limit === undefined ? '+Inf' : String(limit) }, value: count };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels, value: durationSumSeconds },
    { suffix: '_count', labels, value: count },
  ];
}
