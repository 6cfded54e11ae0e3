/** Resource usage of this process, under the conventional Prometheus names. */
import { getHeapStatistics } from 'node:v8';
import { createFamily, type MetricFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

const MICROSECONDS = 1e6;

export function collectProcessMetrics(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1_000;
  return [
    createFamily(metrics.cpuSeconds, (user + system) / MICROSECONDS),
    createFamily(metrics.startTime, startedAtSeconds),
    createFamily(metrics.residentMemory, rss),
    createFamily(metrics.heapUsed, heapUsed),
    createFamily(metrics.heapLimit, getHeapStatistics().heap_size_limit),
    createFamily(metrics.externalMemory, external),
  ];
}
