import { describe, expect, it } from 'vitest';
import { earlierKeystore, earlierPlace, FIRST_PASSWORD, keystorePlace } from '../../../test/support/keystores.ts';
import { Crash, mortalDisk } from '../../../test/support/mortal-disk.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import type { Catalog } from '../../records/catalog.ts';
import { realDisk } from '../../storage/blobs/disk.ts';

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

/** Returns a catalog whose changes fail before or right after the commit. */
function dying(catalog: Catalog, when: 'before the commit' | 'after the commit'): Catalog {
  return {
    ...catalog,
    async change(principal, what, work) {
      await catalog.change(principal, what, async (transaction) => {
        const result = await work(transaction);
        if (when === 'before the commit') {
          throw new Crash('the server died before the commit');
        }
        return result;
      });
      throw new Crash('the server died after the commit');
    },
  };
}

describe('server crash during a keystore password change', () => {
  it.each([
    ['before the commit', FIRST_PASSWORD],
    ['after the commit', 'the next password'],
  ] as const)(
    '%s: the restarted server has one valid password and decrypts existing secrets',
    async (when, expected) => {
      const place = await keystorePlace();
      await place.open();
      const keystore = await place.open({ catalog: dying(place.catalog, when) });
      const sealed = keystore.sealer.seal('a store password');

      expect(await outcomeOf(keystore.changePassword(ann, change, noPrecondition))).toBe('died');
      const reopened = await place.open();

      expect((await reopened.getPassword()).password).toBe(expected);
      expect((await keystore.getPassword()).password).toBe(expected);
      expect(reopened.sealer.open(sealed)).toBe('a store password');
    },
  );

  it('writes no file', async () => {
    const place = await keystorePlace();
    const { disk, operations, dieAfter } = mortalDisk();
    const keystore = await place.open({ disk });
    const before = [...operations];
    dieAfter(0);

    await keystore.changePassword(ann, change, noPrecondition);

    expect(operations).toEqual(before);
    expect(await (await place.open()).getPassword()).toMatchObject({ password: 'the next password' });
  });
});

describe('server crash during keystore creation', () => {
  it('the next start creates a keystore or opens the existing one, after a crash at any point', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; outcomes.at(-1) !== 'done'; operations += 1) {
      const place = await keystorePlace();
      const { disk, dieAfter } = mortalDisk();

      dieAfter(operations);
      outcomes.push(await outcomeOf(place.open({ disk })));
      const keystore = await place.open();

      expect((await keystore.getPassword()).password).toBe(FIRST_PASSWORD);
      expect((await place.open()).sealer.open(keystore.sealer.seal('a secret'))).toBe('a secret');
    }

    // The steps: check the folder, the file and the key; create the folder and the key, and sync each.
    expect(outcomes.length).toBeGreaterThan(7);
  });

  it.each(['before the commit', 'after the commit'] as const)('%s: the next start has a keystore', async (when) => {
    const place = await keystorePlace();

    expect(await outcomeOf(place.open({ catalog: dying(place.catalog, when) }))).toBe('died');
    const keystore = await place.open();

    expect((await place.open()).sealer.open(keystore.sealer.seal('a secret'))).toBe('a secret');
    expect(await place.storage.listChanges(0, 10)).toHaveLength(1);
  });
});

describe('server crash during migration of a keystore file', () => {
  it('the next start has the migrated keystore and no file, after a crash at any point', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; outcomes.at(-1) !== 'done'; operations += 1) {
      const place = await earlierPlace();
      const { disk, dieAfter } = mortalDisk();

      dieAfter(operations);
      outcomes.push(await outcomeOf(place.open({ disk })));
      const keystore = await place.open();

      expect((await keystore.getPassword()).password).toBe(earlierKeystore.password);
      expect(keystore.sealer.open(earlierKeystore.sealed)).toBe('a store password');
      expect(await place.storage.listChanges(1, 10)).toHaveLength(1);
      expect(await realDisk.listNames(`${place.dataDir}/security`)).toEqual(['server.key']);
    }

    expect(outcomes.length).toBeGreaterThan(7);
  });

  it.each(['before the commit', 'after the commit'] as const)(
    '%s: the next start has the migrated keystore',
    async (when) => {
      const place = await earlierPlace();

      expect(await outcomeOf(place.open({ catalog: dying(place.catalog, when) }))).toBe('died');
      const keystore = await place.open();

      expect(keystore.sealer.open(earlierKeystore.sealed)).toBe('a store password');
      expect(await place.storage.listChanges(1, 10)).toHaveLength(1);
    },
  );
});

describe('server crash during replacement of a lost keystore', () => {
  it('the next start is refused or has the new keystore, after a crash at any point, and replaces it on request', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; outcomes.at(-1) !== 'done'; operations += 1) {
      const place = await keystorePlace();
      await place.open();
      await realDisk.removeTree(`${place.dataDir}/security/server.key`);
      const { disk, dieAfter } = mortalDisk();

      dieAfter(operations);
      outcomes.push(await outcomeOf(place.open({ disk, whenLost: 'replace' })));
      const keystore = await place.open({ whenLost: 'replace' });

      expect((await place.open()).sealer.open(keystore.sealer.seal('a secret'))).toBe('a secret');
    }
  });
});
