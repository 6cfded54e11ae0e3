import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../../test/support/keystores.ts';
import { revealSecret, toSecret } from '../../lib/identity/secret.ts';
import type { Catalog } from '../../records/catalog.ts';
import { ensureSecurity } from '../first-start.ts';
import { changeUser } from '../users/users.ts';
import {
  administratorKind,
  confirmPasswordSeen,
  ensureAdministrator,
  findAdministrator,
  type GeneratedPassword,
  isPasswordCurrent,
  serverPrincipal,
} from './administrator.ts';
import { verifyPassword } from './passwords.ts';
import { getSecurityVersion } from './security-state.ts';

const unexpected = (): string => {
  throw new Error('Unexpected request for a generated password');
};

/** Starts the server with or without a password from the operator. */
function start(catalog: Catalog, operatorPassword?: string, { isReset = false, randomPassword = unexpected } = {}) {
  return ensureAdministrator(catalog, { operatorPassword, isReset, generateRandomPassword: randomPassword });
}

async function isPassword(catalog: Catalog, password: string): Promise<boolean> {
  const administrator = await findAdministrator(catalog);
  return verifyPassword(administrator?.passwordHash ?? toSecret(''), password);
}

/** Runs a first start and confirms that the generated password was shown. */
async function startAndShow(catalog: Catalog, password: string): Promise<void> {
  await confirmPasswordSeen(catalog, await startUnseen(catalog, password));
}

async function startUnseen(catalog: Catalog, password: string): Promise<GeneratedPassword> {
  const started = await start(catalog, undefined, { randomPassword: () => password });
  if (started.kind !== 'generated') {
    throw new Error('Expected a generated password');
  }
  return started.generated;
}

describe('administrator of a new server', () => {
  it('gets a generated password, which is shown and stored only as a hash', async () => {
    const { catalog, storage } = await freshCatalog();

    const generated = await startUnseen(catalog, 'made-up');

    expect(generated.password).toBe('made-up');
    expect(await isPassword(catalog, 'made-up')).toBe(true);
    expect(JSON.stringify(await storage.listChanges(0, 100))).not.toContain('made-up');
  });

  it("gets the operator's password, which is not shown", async () => {
    const { catalog } = await freshCatalog();

    expect(await start(catalog, 'chosen')).toEqual({ kind: 'set' });

    expect(await isPassword(catalog, 'chosen')).toBe(true);
  });

  it('gets another password if the first start ended before it was shown', async () => {
    const { catalog } = await freshCatalog();

    await startUnseen(catalog, 'lost');

    expect((await startUnseen(catalog, 'found')).password).toBe('found');
  });

  it("gets the operator's password instead of a generated one that was never shown", async () => {
    const { catalog } = await freshCatalog();
    await startUnseen(catalog, 'lost');

    expect(await start(catalog, 'chosen')).toEqual({ kind: 'set' });

    expect(await isPassword(catalog, 'chosen')).toBe(true);
  });
});

describe('administrator of an existing server', () => {
  it('keeps the password', async () => {
    const { catalog } = await freshCatalog();
    await startAndShow(catalog, 'made-up');

    expect(await start(catalog)).toEqual({ kind: 'kept' });

    expect(await isPassword(catalog, 'made-up')).toBe(true);
  });

  it.each(['generated', 'given'])('keeps a %s password when the operator passes another one', async (first) => {
    const { catalog } = await freshCatalog();
    await (first === 'given' ? start(catalog, 'first') : startAndShow(catalog, 'first'));
    const before = await findAdministrator(catalog);

    expect(await start(catalog, 'second')).toEqual({ kind: 'ignored' });

    expect(await findAdministrator(catalog)).toEqual(before);
  });

  it("gets the operator's password by a reset, which invalidates cached logins", async () => {
    const { catalog } = await freshCatalog();
    await start(catalog, 'first');
    const before = await getSecurityVersion(catalog);

    expect(await start(catalog, 'second', { isReset: true })).toEqual({ kind: 'set' });

    expect([await isPassword(catalog, 'first'), await isPassword(catalog, 'second')]).toEqual([false, true]);
    expect(await getSecurityVersion(catalog)).toBeGreaterThan(before);
  });

  it('gets a generated password by a reset without an operator password', async () => {
    const { catalog } = await freshCatalog();
    await start(catalog, 'first');

    const started = await start(catalog, undefined, { isReset: true, randomPassword: () => 'made-up' });

    expect(started).toMatchObject({ kind: 'generated', generated: { password: 'made-up' } });
    expect([await isPassword(catalog, 'first'), await isPassword(catalog, 'made-up')]).toEqual([false, true]);
  });

  it.each([false, true])('is not rewritten for the same password, with reset: %s', async (isReset) => {
    const { catalog } = await freshCatalog();
    await start(catalog, 'same');
    const before = await findAdministrator(catalog);

    expect(await start(catalog, 'same', { isReset })).toEqual({ kind: 'kept' });

    expect(await findAdministrator(catalog)).toEqual(before);
  });
});

describe('generated administrator password', () => {
  it('is invalid and not confirmed after a later start has generated another one', async () => {
    const { catalog } = await freshCatalog();
    const first = await startUnseen(catalog, 'first');
    const second = await startUnseen(catalog, 'second');

    await confirmPasswordSeen(catalog, first);

    expect(await isPasswordCurrent(catalog, first)).toBe(false);
    expect(await isPasswordCurrent(catalog, second)).toBe(true);
    expect((await findAdministrator(catalog))?.isPasswordUnseen).toBe(true);
  });

  it('is not replaced by the next start if the administrator has changed it, even without confirmation', async () => {
    const { catalog } = await freshCatalog();
    await ensureSecurity(catalog);
    await startUnseen(catalog, 'made-up');
    const sealer = { seal: toSecret, open: revealSecret, isCurrent: () => true };
    const security = { catalog, sealer, builtinAdmin: true, warn: () => undefined };

    await changeUser(security, serverPrincipal, { service: undefined, name: 'admin' }, { password: 'chosen by hand' });

    expect(await start(catalog)).toEqual({ kind: 'kept' });
  });
});

it('masks the password hash in the change log', () => {
  expect(administratorKind.secrets).toEqual({ passwordHash: true });
});
