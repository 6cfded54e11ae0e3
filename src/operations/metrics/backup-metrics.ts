/** The state of scheduled backups; no metrics without a schedule. */
import type { Backups } from '../backup/backups.ts';
import { type Collector, createFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createBackupCollector(readStatus: Backups['readScheduleStatus']): Collector {
  return async () => {
    const status = await readStatus();
    if (status === undefined) return [];
    const { success, failure, isOverdue } = status;
    const last =
      success === null
        ? []
        : [
            createFamily(metrics.backupTime, success.atMs / 1_000),
            createFamily(metrics.backupBytes, success.bytes),
            createFamily(metrics.backupDuration, success.seconds),
            createFamily(metrics.backupDamagedFiles, success.damagedFiles),
          ];
    return [
      ...last,
      createFamily(metrics.backupFailed, failure === null ? 0 : 1),
      createFamily(metrics.backupOverdue, isOverdue ? 1 : 0),
    ];
  };
}
