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

/** A catalog whose changes die before they are committed, or right after. */
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

describe('a server that dies while the keystore password is changed', () => {
  it.each([
    ['before the commit', FIRST_PASSWORD],
    ['after the commit', 'the next password'],
  ] as const)('%s, comes back with one password, and opens what was sealed', async (when, expected) => {
    const place = await keystorePlace();
    await place.open();
    const keystore = await place.open({ catalog: dying(place.catalog, when) });
    const sealed = keystore.sealer.seal('a store password');

    expect(await outcomeOf(keystore.changePassword(ann, change, noPrecondition))).toBe('died');
    const reopened = await place.open();

    expect((await reopened.getPassword()).password).toBe(expected);
    expect((await keystore.getPassword()).password).toBe(expected);
    expect(reopened.sealer.open(sealed)).toBe('a store password');
  });

  it('has touched no file', async () => {
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

describe('a server that dies while it makes the keystore', () => {
  it('makes one at the next start, or opens the one it made, at every point', async () => {
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

    // Looking at the folder, the file and the key; then making the folder and the key, and making each certain.
    expect(outcomes.length).toBeGreaterThan(7);
  });

  it.each(['before the commit', 'after the commit'] as const)('%s, has one afterwards', async (when) => {
    const place = await keystorePlace();

    expect(await outcomeOf(place.open({ catalog: dying(place.catalog, when) }))).toBe('died');
    const keystore = await place.open();

    expect((await place.open()).sealer.open(keystore.sealer.seal('a secret'))).toBe('a secret');
    expect(await place.storage.listChanges(0, 10)).toHaveLength(1);
  });
});

describe('a server that dies while it takes over the keystore of an earlier one', () => {
  it('has it afterwards, at every point, with its password and what it sealed, and the file is gone', async () => {
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

  it.each(['before the commit', 'after the commit'] as const)('%s, has it afterwards', async (when) => {
    const place = await earlierPlace();

    expect(await outcomeOf(place.open({ catalog: dying(place.catalog, when) }))).toBe('died');
    const keystore = await place.open();

    expect(keystore.sealer.open(earlierKeystore.sealed)).toBe('a store password');
    expect(await place.storage.listChanges(1, 10)).toHaveLength(1);
  });
});

describe('a server that dies while it replaces a lost keystore', () => {
  it('is refused again, or has the new one, at every point; and is replaced when told so again', async () => {
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
