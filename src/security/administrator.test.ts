import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../test/support/keystores.ts';
import { secretFrom, textOfSecret } from '../lib/secret.ts';
import type { Catalog } from '../records/catalog.ts';
import {
  administratorKind,
  confirmPasswordSeen,
  ensureAdministrator,
  findAdministrator,
  type GeneratedPassword,
  isPasswordCurrent,
  serverPrincipal,
} from './administrator.ts';
import { ensureSecurity } from './first-start.ts';
import { verifyPassword } from './passwords.ts';
import { securityVersion } from './security-state.ts';
import { changeUser } from './users/users.ts';

const unexpected = () => {
  throw new Error('No password was to be made');
};

/** A first start whose password somebody sees. */
async function startAndShow(catalog: Catalog, password: string): Promise<void> {
  await confirmPasswordSeen(catalog, await startUnseen(catalog, password));
}

async function startUnseen(catalog: Catalog, password: string): Promise<GeneratedPassword> {
  const generated = await ensureAdministrator(catalog, undefined, () => password);
  if (generated === undefined) {
    throw new Error('A password was to be made');
  }
  return generated;
}

describe('the administrator of a new server', () => {
  it('gets a password that is made up, shown, and kept as a hash only', async () => {
    const { catalog, storage } = await freshCatalog();

    const generated = await ensureAdministrator(catalog, undefined, () => 'made-up');

    const administrator = await findAdministrator(catalog);
    expect(generated?.password).toBe('made-up');
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'made-up')).toBe(true);
    expect(JSON.stringify(await storage.changes(0, 100))).not.toContain('made-up');
  });

  it('gets the password of the operator, which is not shown', async () => {
    const { catalog } = await freshCatalog();

    expect(await ensureAdministrator(catalog, 'chosen', unexpected)).toBeUndefined();

    const administrator = await findAdministrator(catalog);
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'chosen')).toBe(true);
  });

  it('gets another one if the first was never seen, since the start ended too early', async () => {
    const { catalog } = await freshCatalog();

    await ensureAdministrator(catalog, undefined, () => 'lost');
    const again = await ensureAdministrator(catalog, undefined, () => 'found');

    expect(again?.password).toBe('found');
  });
});

describe('the administrator of a server that was there before', () => {
  it('keeps the password', async () => {
    const { catalog } = await freshCatalog();
    await startAndShow(catalog, 'made-up');

    expect(await ensureAdministrator(catalog, undefined, unexpected)).toBeUndefined();

    const administrator = await findAdministrator(catalog);
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'made-up')).toBe(true);
  });

  it('gets the new password of the operator, which makes all logins be looked at again', async () => {
    const { catalog } = await freshCatalog();
    await ensureAdministrator(catalog, 'first', unexpected);
    const before = await securityVersion(catalog);

    await ensureAdministrator(catalog, 'second', unexpected);

    const administrator = await findAdministrator(catalog);
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'second')).toBe(true);
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'first')).toBe(false);
    expect(await securityVersion(catalog)).toBeGreaterThan(before);
  });

  it('is not written again for the same password', async () => {
    const { catalog } = await freshCatalog();
    await ensureAdministrator(catalog, 'same', unexpected);
    const before = await findAdministrator(catalog);

    await ensureAdministrator(catalog, 'same', unexpected);

    expect(await findAdministrator(catalog)).toEqual(before);
  });
});

describe('a generated password', () => {
  it('no longer counts, and is not confirmed, once a later start has made another one', async () => {
    const { catalog } = await freshCatalog();
    const first = await startUnseen(catalog, 'first');
    const second = await startUnseen(catalog, 'second');

    await confirmPasswordSeen(catalog, first);

    expect(await isPasswordCurrent(catalog, first)).toBe(false);
    expect(await isPasswordCurrent(catalog, second)).toBe(true);
    expect((await findAdministrator(catalog))?.isPasswordUnseen).toBe(true);
  });

  it('is not replaced by the next start when somebody has changed it, though it was never confirmed', async () => {
    const { catalog } = await freshCatalog();
    await ensureSecurity(catalog);
    await ensureAdministrator(catalog, undefined, () => 'made-up');
    const sealer = { seal: secretFrom, open: textOfSecret };
    const security = { catalog, sealer, builtinAdmin: true, warn: () => undefined };

    await changeUser(security, serverPrincipal, undefined, 'admin', { password: 'chosen by hand' });

    expect(await ensureAdministrator(catalog, undefined, unexpected)).toBeUndefined();
  });
});

it('the hash is a secret that the change log masks', () => {
  expect(administratorKind.secrets).toEqual({ passwordHash: true });
});
