import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatQualifiedKey } from '../kinds/resource.ts';
import type { Viewer } from './layers.ts';
import { type ListedLayer, listLayers } from './list-layers.ts';

const COUNT = 500;

it('yields to other requests while it lists many layers, by workspace and name', async () => {
  const workspaces = [
    { id: 'workspace-2', name: 'alpha' },
    { id: 'workspace-1', name: 'beta' },
  ];
  const keys = ['workspace-1', 'workspace-2'].flatMap((id) =>
    Array.from({ length: COUNT }, (_, index) => formatQualifiedKey(id, `layer-${index}`)),
  );
  const catalog = { list: async () => workspaces, listKeyValues: async () => keys } as unknown as CatalogReader;
  const permissions = {
    administers: (workspace: string) => workspace === 'beta',
    isListed: ({ layer }: { readonly layer: string }) => layer !== 'layer-1',
  };
  let listed: readonly ListedLayer[] = [];

  const turns = await countTurns(async () => {
    listed = await listLayers(catalog, undefined, { permissions } as unknown as Viewer);
  });

  expect(listed).toHaveLength(2 * COUNT - 1);
  expect(listed.slice(0, 2)).toEqual([
    { name: 'layer-0', workspace: 'alpha' },
    { name: 'layer-2', workspace: 'alpha' },
  ]);
  expect(listed.at(-1)).toEqual({ name: `layer-${COUNT - 1}`, workspace: 'beta' });
  expect(turns).toBeGreaterThan(COUNT / 10);
});
