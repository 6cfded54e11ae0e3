import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../test/support/keystores.ts';
import { ensureBuiltInStyles } from '../catalog/styles/built-in-styles.ts';
import { toSecret } from '../lib/identity/secret.ts';
import { openCatalog } from '../records/catalog.ts';
import { openFiles } from '../records/files/files.ts';
import {
  confirmPasswordSeen,
  ensureAdministrator,
  findAdministrator,
  serverPrincipal,
} from '../security/core/administrator.ts';
import { verifyPassword } from '../security/core/passwords.ts';
import { ensureSecurity } from '../security/first-start.ts';
import type { Storage } from '../storage/port/port.ts';

describe('two servers that start on the same empty catalog concurrently', () => {
  it('set it up once: one password is shown and valid, and a later start changes nothing', async () => {
    const { dataDir, storage } = await freshCatalog();
    const files = openFiles({ root: dataDir });
    const start = async (password: string) => {
      const catalog = openCatalog(storage);
      const [started] = await Promise.all([
        ensureAdministrator(catalog, {
          operatorPassword: undefined,
          isReset: false,
          generateRandomPassword: () => password,
        }),
        ensureSecurity(catalog),
        ensureBuiltInStyles(catalog, serverPrincipal, files),
      ]);
      return started.kind === 'generated' ? started.generated : undefined;
    };

    const [one, other] = await Promise.all([start('of one'), start('of the other')]);

    const shown = [one, other].filter((each) => each !== undefined);
    expect(shown).toHaveLength(1);
    const catalog = openCatalog(storage);
    const administrator = await findAdministrator(catalog);
    expect(await verifyPassword(administrator?.passwordHash ?? toSecret(''), shown[0]?.password ?? '')).toBe(true);
    expect((await storage.listChanges(0, 100)).map(({ what }) => what).sort()).toEqual([
      'create the built-in styles',
      'set the password of the administrator',
      'set up security',
    ]);
    for (const generated of shown) await confirmPasswordSeen(catalog, generated);
    const position = await storage.position();
    expect(await start('unused')).toBeUndefined();
    expect(await storage.position()).toBe(position);
  });

  it('both use the password that the operator set', async () => {
    const { storage } = await freshCatalog();

    const started = await Promise.all([startWith(storage, 'chosen'), startWith(storage, 'chosen')]);

    expect(started.toSorted()).toEqual(['kept', 'set']);
    expect(await hasPassword(storage, 'chosen')).toBe(true);
    expect(await storage.listChanges(0, 100)).toHaveLength(1);
  });

  it('use the password of the first server if the passwords differ', async () => {
    const { storage } = await freshCatalog();

    const [one, other] = await Promise.all([startWith(storage, 'of one'), startWith(storage, 'of the other')]);

    expect([one, other].toSorted()).toEqual(['ignored', 'set']);
    expect(await hasPassword(storage, one === 'set' ? 'of one' : 'of the other')).toBe(true);
    expect(await storage.listChanges(0, 100)).toHaveLength(1);
  });
});

async function startWith(storage: Storage, operatorPassword: string): Promise<string> {
  const source = { operatorPassword, isReset: false, generateRandomPassword: () => '' };
  return (await ensureAdministrator(openCatalog(storage), source)).kind;
}

async function hasPassword(storage: Storage, password: string): Promise<boolean> {
  const administrator = await findAdministrator(openCatalog(storage));
  return verifyPassword(administrator?.passwordHash ?? toSecret(''), password);
}
