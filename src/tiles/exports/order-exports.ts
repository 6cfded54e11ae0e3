/** Decides which export comes next: users take turns, so that many exports of one do not delay those of others. */
import { type ExportStatus, isUnfinished } from './export-job.ts';

/** Returns the unfinished exports: first those of the user whose last export began the longest time ago. */
export function orderExports(exports: readonly ExportStatus[]): readonly ExportStatus[] {
  const lastStarts = new Map<string, number>();
  for (const { job, startedAtMs = 0 } of exports) {
    lastStarts.set(job.createdBy, Math.max(startedAtMs, lastStarts.get(job.createdBy) ?? 0));
  }
  const findLastStart = ({ job }: ExportStatus) => lastStarts.get(job.createdBy) ?? 0;
  return exports.filter(isUnfinished).toSorted((one, other) => findLastStart(one) - findLastStart(other));
}
