import { describe, expect, test } from 'vitest';
import { createModuleStatuses, type ServerModule } from './module-status.ts';

const catalog: ServerModule = {
  module: 'graticule-catalog',
  name: 'The Catalog',
  component: 'Records',
  kind: 'core',
  version: '1.2.3',
  enabled: true,
  check: async () => 'Fine.',
};

const state = { catalog: { count: async () => 0, position: () => 0 }, administers: () => true };

function statuses(modules: readonly ServerModule[]) {
  const reported: unknown[] = [];
  return { reported, modules: createModuleStatuses(modules, (module, reason) => reported.push([module, reason])) };
}

describe('the parts of a server', () => {
  test('are listed with what their check says', async () => {
    const { modules } = statuses([catalog]);

    expect(await modules.list(state)).toEqual([
      {
        module: 'graticule-catalog',
        name: 'The Catalog',
        component: 'Records',
        kind: 'core',
        version: '1.2.3',
        enabled: true,
        available: true,
        message: 'Fine.',
      },
    ]);
  });

  test('are not available when their check fails; the reason is reported, not shown', async () => {
    const failure = new Error('no such file: /etc/secret');
    const { modules, reported } = statuses([{ ...catalog, check: () => Promise.reject(failure) }]);

    const [status] = await modules.list(state);

    expect(status?.available).toBe(false);
    expect(status?.message).not.toContain('secret');
    expect(reported).toEqual([['graticule-catalog', failure]]);
  });

  test('are not asked when they are switched off', async () => {
    const { modules } = statuses([{ ...catalog, enabled: false, check: () => Promise.reject(new Error('asked')) }]);

    expect(await modules.list(state)).toMatchObject([{ available: false, enabled: false, message: 'Switched off.' }]);
  });

  test.each(['graticule-catalog', 'The Catalog', 'the catalog', 'GRATICULE-CATALOG'])(
    'are found as %s',
    async (name) => {
      expect(await statuses([catalog]).modules.find(state, name)).toMatchObject({ module: 'graticule-catalog' });
    },
  );

  test('are not found by another name', async () => {
    await expect(statuses([catalog]).modules.find(state, 'catalog')).rejects.toMatchObject({
      code: 'module-unknown',
      message: "No such module: 'catalog'.",
    });
  });
});
