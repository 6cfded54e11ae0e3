import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../test/support/keystores.ts';
import { secretFrom } from '../lib/secret.ts';
import { administratorKind, confirmPasswordSeen, ensureAdministrator, findAdministrator } from './administrator.ts';
import { verifyPassword } from './passwords.ts';
import { securityVersion } from './security-state.ts';

const unexpected = () => {
  throw new Error('No password was to be made');
};

describe('the administrator of a new server', () => {
  it('gets a password that is made up, shown, and kept as a hash only', async () => {
    const { catalog, storage } = await freshCatalog();

    const { generatedPassword } = await ensureAdministrator(catalog, undefined, () => 'made-up');

    const administrator = await findAdministrator(catalog);
    expect(generatedPassword).toBe('made-up');
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'made-up')).toBe(true);
    expect(JSON.stringify(await storage.changes(0, 100))).not.toContain('made-up');
  });

  it('gets the password of the operator, which is not shown', async () => {
    const { catalog } = await freshCatalog();

    expect(await ensureAdministrator(catalog, 'chosen', unexpected)).toEqual({});

    const administrator = await findAdministrator(catalog);
    expect(await verifyPassword(administrator?.passwordHash ?? secretFrom(''), 'chosen')).toBe(true);
  });

  it('gets another one if the first was never seen, since the start ended too early', async () => {
    const { catalog } = await freshCatalog();

    await ensureAdministrator(catalog, undefined, () => 'lost');
    const again = await ensureAdministrator(catalog, undefined, () => 'found');

    expect(again.generatedPassword).toBe('found');
  });
});

describe('the administrator of a server that was there before', () => {
  it('keeps the password', async () => {
    const { catalog } = await freshCatalog();
    await ensureAdministrator(catalog, undefined, () => 'made-up');
    await confirmPasswordSeen(catalog);

    expect(await ensureAdministrator(catalog, undefined, unexpected)).toEqual({});

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

it('the hash is a secret that the change log masks', () => {
  expect(administratorKind.secrets).toEqual(['passwordHash']);
});
