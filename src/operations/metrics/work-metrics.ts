/** The memory budget, the thread pools that share it, and the durations of the stages of requests. */
import { readDurations, type Stage } from '../../lib/measure/measure-work.ts';
import type { PoolUsage } from '../../workers/pool.ts';
import {
  type Collector,
  createFamily,
  createHistogramSamples,
  createLabelledFamily,
  type Labels,
  type MetricFamily,
} from './exposition.ts';
import { type Metric, metrics } from './metric-table.ts';

export interface WatchedPool {
  threads(): number;
  waiting(): number;
  getUsage(): PoolUsage;
}

export function createWorkCollector(budgetBytes: number, pools: Readonly<Record<string, WatchedPool>>): Collector {
  const countPerPool = (metric: Metric, count: (pool: WatchedPool) => number): MetricFamily =>
    createLabelledFamily(
      metric,
      'pool',
      Object.entries(pools).map(([name, pool]) => [name, count(pool)] as const),
    );
  return () => [
    createFamily(metrics.memoryBudget, budgetBytes),
    countPerPool(metrics.workerThreads, (pool) => pool.threads()),
    countPerPool(metrics.workerThreadsLimit, (pool) => pool.getUsage().maxThreads),
    countPerPool(metrics.tasksRunning, (pool) => pool.getUsage().running),
    countPerPool(metrics.tasksWaiting, (pool) => pool.waiting()),
    {
      metric: metrics.tasksFinished,
      samples: Object.entries(pools).flatMap(([pool, watched]) =>
        Object.entries(watched.getUsage().results).map(([result, value]) => ({ labels: { pool, result }, value })),
      ),
    },
    countPerPool(metrics.busySeconds, (pool) => pool.getUsage().busySeconds),
  ];
}

const stages: readonly { readonly stage: Stage; readonly metric: Metric }[] = [
  { stage: 'render', metric: metrics.renderDuration },
  { stage: 'query', metric: metrics.queryDuration },
  { stage: 'encode', metric: metrics.encodeDuration },
  { stage: 'outgoing request', metric: metrics.outgoingDuration },
  { stage: 'commit', metric: metrics.commitDuration },
];

export function collectDurations(): readonly MetricFamily[] {
  return stages.map(({ stage, metric }) => {
    const [label] = Object.keys(metric.labels);
    const toLabels = (kind: string): Labels => (label === undefined ? {} : { [label]: kind });
    const samples = [...readDurations(stage)].flatMap(([kind, histogram]) =>
      createHistogramSamples(toLabels(kind), histogram),
    );
    return { metric, samples };
  });
}
