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

describe('module status', () => {
  test('contains the result of each check', async () => {
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

  test('is unavailable when a check fails, and the reason is reported but not shown', async () => {
    const failure = new Error('no such file: /etc/secret');
    const { modules, reported } = statuses([{ ...catalog, check: () => Promise.reject(failure) }]);

    const [status] = await modules.list(state);

    expect(status?.available).toBe(false);
    expect(status?.message).not.toContain('secret');
    expect(reported).toEqual([['graticule-catalog', failure]]);
  });

  test('skips the checks of disabled modules', async () => {
    const { modules } = statuses([{ ...catalog, enabled: false, check: () => Promise.reject(new Error('asked')) }]);

    expect(await modules.list(state)).toMatchObject([{ available: false, enabled: false, message: 'Disabled.' }]);
  });

  test.each(['graticule-catalog', 'The Catalog', 'the catalog', 'GRATICULE-CATALOG'])(
    'is found as %s',
    async (name) => {
      expect(await statuses([catalog]).modules.find(state, name)).toMatchObject({ module: 'graticule-catalog' });
    },
  );

  test('is not found by another name', async () => {
    await expect(statuses([catalog]).modules.find(state, 'catalog')).rejects.toMatchObject({
      code: 'module-unknown',
      message: "No such module: 'catalog'.",
    });
  });
});
