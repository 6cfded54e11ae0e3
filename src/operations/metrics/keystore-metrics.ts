/** The keys of the keystore, and the nodes that lack them. */
import type { Keystore } from '../../security/keystore/keystore.ts';
import { type Collector, createFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createKeystoreCollector({ readKeys }: Pick<Keystore, 'readKeys'>): Collector {
  return async () => {
    const { dataKey, nextDataKey, previousDataKeys, previousServerKeys, nodes } = await readKeys();
    const needed = [dataKey, ...(nextDataKey === undefined ? [] : [nextDataKey])];
    const behind = nodes.filter(({ keys }) => !needed.every((key) => keys?.dataKeys.includes(key)));
    const isUnfinished = nextDataKey !== undefined || previousServerKeys.length > 0;
    return [
      createFamily(metrics.dataKeys, needed.length + previousDataKeys.length),
      createFamily(metrics.keyRotationUnfinished, isUnfinished ? 1 : 0),
      createFamily(metrics.nodesWithoutKeys, behind.length),
    ];
  };
}
