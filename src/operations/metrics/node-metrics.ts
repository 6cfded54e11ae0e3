/** Metrics of a node that shares its storage with others. */
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { Storage } from '../../storage/port/port.ts';
import { type Collector, createFamily, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export interface NodeCollectorInput {
  readonly nodes: Pick<Nodes, 'list'>;
  readonly storage: Pick<Storage, 'countConnections'>;
  /** Disk usage of the file cache. */
  readonly getCopyUsage: () => { readonly bytes: number; readonly limitBytes: number };
}

export function createNodeCollector({ nodes, storage, getCopyUsage }: NodeCollectorInput): Collector {
  return async (catalog) => {
    // Read it first: a change between the two reads is no lag.
    const entries = await nodes.list();
    const position = catalog.position();
    const alive = entries.filter(({ isAlive }) => isAlive);
    const latest = Math.max(position, ...alive.map((node) => node.position));
    const here = entries.find(({ isHere }) => isHere);
    const { bytes, limitBytes } = getCopyUsage();
    const { active, idle } = storage.countConnections?.() ?? { active: 0, idle: 0 };
    return [
      createFamily(metrics.nodesAlive, alive.length),
      createFamily(metrics.nodeLag, latest - position),
      createFamily(metrics.nodeClockAhead, (here?.clockAheadMs ?? 0) / 1_000),
      createFamily(metrics.fileCache, bytes),
      createFamily(metrics.fileCacheLimit, limitBytes),
      createLabelledFamily(metrics.storageConnections, 'state', [
        ['active', active],
        ['idle', idle],
      ]),
    ];
  };
}
