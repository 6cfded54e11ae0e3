import { expect, it } from 'vitest';
import type { KeystoreKeys } from '../../security/keystore/keystore.ts';
import { createKeystoreCollector } from './keystore-metrics.ts';

const node = (...dataKeys: readonly string[]) => ({
  node: 'a',
  isHere: false,
  keys: { serverKey: 's', dataKey: dataKeys[0] ?? '', dataKeys },
});

async function collect(keys: Partial<KeystoreKeys>) {
  const readKeys = async (): Promise<KeystoreKeys> => ({
    ...{ serverKey: 's', isServerKeyInDataDirectory: true, previousServerKeys: [], dataKey: 'new' },
    ...{ nextDataKey: undefined, previousDataKeys: ['old'], nodes: [] },
    ...keys,
  });
  const families = await createKeystoreCollector({ readKeys })({} as never);
  return families.map(({ samples }) => samples[0]?.value);
}

it('counts the keys, unfinished rotations, and the nodes that lack the current or the next data key', async () => {
  const silent = { node: 'b', isHere: false, keys: undefined };

  expect(await collect({ nodes: [node('new', 'old')] })).toEqual([2, 0, 0]);
  expect(await collect({ nodes: [node('new', 'old'), node('old'), silent] })).toEqual([2, 0, 2]);
  expect(await collect({ nextDataKey: 'next', nodes: [node('new', 'old', 'next'), node('new')] })).toEqual([3, 1, 1]);
  expect(await collect({ previousServerKeys: ['t'] })).toEqual([2, 1, 0]);
});
