import { describe, expect, it } from 'vitest';
import { FIRST_PASSWORD, keystorePlace } from '../../../test/support/keystores.ts';
import { Crash, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { noPrecondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog } from '../../records/catalog.ts';

const ann: Principal = { name: 'ann', roles: new Set(['ROLE_ADMINISTRATOR']) };
const change = { old: FIRST_PASSWORD, next: 'the next password' };

async function outcomeOf(work: Promise<unknown>): Promise<'done' | 'died'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof Crash) {
      return 'died';
    }
    throw error;
  }
}

describe('a server that dies while the keystore password is changed', () => {
  it('comes back with the old or the new password, and opens what was sealed, at every point', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; !outcomes.at(-1)?.startsWith('done'); operations += 1) {
      const place = await keystorePlace();
      const { disk, dieAfter } = mortalDisk();
      const keystore = await place.open({ disk });
      const sealed = keystore.sealer.seal('a store password');

      dieAfter(operations);
      const outcome = await outcomeOf(keystore.changePassword(ann, change, noPrecondition));
      const reopened = await place.open();

      const { password } = reopened.password();
      expect(reopened.sealer.open(sealed)).toBe('a store password');
      outcomes.push(`${outcome}: ${password}`);
    }

    // Dead before: sweeping, writing, renaming, making the new name certain. The last died after the rename, where
    // either password will do: the client was told of a failure.
    expect(outcomes).toEqual([
      ...Array(3).fill(`died: ${FIRST_PASSWORD}`),
      'died: the next password',
      'done: the next password',
    ]);
  });

  it('notes afterwards who changed it, when it died before the change was committed', async () => {
    const place = await keystorePlace();
    const { disk, dieAfter } = mortalDisk();
    const dying: Catalog = {
      ...place.catalog,
      change: (principal, what, work) =>
        place.catalog.change(principal, what, async (transaction) => {
          const result = await work(transaction);
          if (what === 'change the keystore password') {
            dieAfter(0);
            throw new Crash('the server died before the commit');
          }
          return result;
        }),
    };
    const keystore = await place.open({ disk, catalog: dying });

    expect(await outcomeOf(keystore.changePassword(ann, change, noPrecondition))).toBe('died');
    const reopened = await place.open();

    expect(reopened.password().password).toBe('the next password');
    expect((await place.storage.changes(0, 10)).at(-1)).toMatchObject({
      who: 'ann',
      what: 'change the keystore password (noted after an interruption)',
    });
    await reopened.changePassword(ann, { old: 'the next password', next: FIRST_PASSWORD }, noPrecondition);
    expect((await place.open()).password().password).toBe(FIRST_PASSWORD);
  });
});

describe('a change of the keystore password that the catalog cannot commit', () => {
  it('puts the old password back', async () => {
    const place = await keystorePlace();
    const full: Catalog = {
      ...place.catalog,
      change: (principal, what, work) =>
        place.catalog.change(principal, what, async (transaction) => {
          const result = await work(transaction);
          if (what === 'change the keystore password') {
            throw new Crash('no space left');
          }
          return result;
        }),
    };
    const keystore = await place.open({ catalog: full });

    expect(await outcomeOf(keystore.changePassword(ann, change, noPrecondition))).toBe('died');

    expect(keystore.password().password).toBe(FIRST_PASSWORD);
    expect((await place.open()).password().password).toBe(FIRST_PASSWORD);
    expect(place.warnings).toEqual([]);
  });
});

describe('a server that dies while it makes the keystore', () => {
  it('makes one at the next start, or opens the one it made, at every point', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; outcomes.at(-1) !== 'done'; operations += 1) {
      const place = await keystorePlace();
      const { disk, dieAfter } = mortalDisk();

      dieAfter(operations);
      outcomes.push(await outcomeOf(place.open({ disk })));
      const keystore = await place.open();

      expect(keystore.password().password).toBe(FIRST_PASSWORD);
      expect((await place.open()).sealer.open(keystore.sealer.seal('a secret'))).toBe('a secret');
    }

    expect(outcomes.length).toBeGreaterThan(10);
  });
});
