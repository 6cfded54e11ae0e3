/** What this process uses of the machine, under the names every such process is watched by. */
import { getHeapStatistics } from 'node:v8';
import { counter, gauge, type MetricFamily } from './exposition.ts';

const MICROSECONDS = 1e6;

export function processMetrics(): readonly MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const startedAtSeconds = Math.round(performance.timeOrigin) / 1_000;
  return [
    counter('process_cpu_seconds_total', 'CPU time used.', (user + system) / MICROSECONDS),
    gauge('process_start_time_seconds', 'When the process was started, in seconds since 1970.', startedAtSeconds),
    gauge('process_resident_memory_bytes', 'Memory the process occupies.', rss),
    gauge('graticule_heap_used_bytes', 'Heap memory in use.', heapUsed),
    gauge('graticule_heap_limit_bytes', 'What the heap may grow to.', getHeapStatistics().heap_size_limit),
    gauge('graticule_external_memory_bytes', 'Memory of buffers and native objects outside the heap.', external),
  ];
}
