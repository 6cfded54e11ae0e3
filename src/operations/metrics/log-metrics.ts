/** Lines of the access log and the audit log that were lost. */
import { type Collector, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export interface DroppedLines {
  readonly access: number;
  readonly audit: number;
}

export function createLogCollector(count: () => DroppedLines): Collector {
  return () => [createLabelledFamily(metrics.logLinesDropped, 'log', Object.entries(count()))];
}
