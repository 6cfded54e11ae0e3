/** For dry runs and transactions, which make changes never or later. */
import type { TileExports } from './tile-exports.ts';

/** Returns the same exports; `run` decides whether and when a change is made. */
export function deferExportChanges(
  exports: TileExports,
  run: (change: () => Promise<void>) => Promise<void>,
): TileExports {
  return {
    prepare: (order) => exports.prepare(order),
    add: (job) => run(() => exports.add(job)),
    list: () => exports.list(),
    find: (id) => exports.find(id),
    cancel: (id) => run(() => exports.cancel(id)),
    restart: (id) => run(() => exports.restart(id)),
    remove: (id) => run(() => exports.remove(id)),
    open: (status) => exports.open(status),
  };
}
