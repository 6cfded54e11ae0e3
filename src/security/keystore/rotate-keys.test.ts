import { createSecretKey, type KeyObject } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST_PASSWORD, type KeystorePlace, keystorePlace } from '../../../test/support/keystores.ts';
import { Crash, mortalDisk } from '../../../test/support/mortal-disk.ts';
import { webhookKind } from '../../catalog/webhooks/webhook.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { revealSecret, type Secret } from '../../lib/identity/secret.ts';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import type { Catalog } from '../../records/catalog.ts';
import { computeKeyId } from '../core/sealer.ts';
import { openWithPassword } from './closed-keystore.ts';
import type { Keystore } from './keystore.ts';
import { findKeystore } from './keystore-record.ts';
import type { KeyReports, NodeKeys } from './node-keys.ts';
import { parseServerKey } from './server-key.ts';

const ann: Principal = { name: 'ann', roles: new Set(['ROLE_ADMINISTRATOR']) };

function keyOf(byte: number): KeyObject {
  return createSecretKey(Buffer.alloc(32, byte));
}

async function readKeyFile({ dataDir }: KeystorePlace): Promise<KeyObject | undefined> {
  return parseServerKey(await readFile(join(dataDir, 'security', 'server.key'), 'utf8'));
}

/** A record with a secret. */
function insertWebhook({ catalog }: KeystorePlace, name: string, sealedSecret: Secret): Promise<unknown> {
  const fields = { url: 'https://example.org/', enabled: true, kinds: [], paths: [], expand: false };
  return catalog.change(ann, `create ${name}`, (transaction) =>
    transaction.insert(webhookKind, { parent: null, name, sealedSecret, ...fields }),
  );
}

async function readSecret({ catalog }: KeystorePlace, name: string): Promise<Secret> {
  const found = await catalog.find(webhookKind, null, name);
  if (found?.sealedSecret == null) throw new Error(`${name} has no secret`);
  return found.sealedSecret;
}

async function listWhats({ storage }: KeystorePlace, after: number): Promise<readonly string[]> {
  return (await storage.listChanges(after, 100)).map(({ what }) => what);
}

/** Reports of one other node. */
function createReports(other: () => NodeKeys | undefined): KeyReports {
  let own: NodeKeys | undefined;
  const list = async () => [
    { node: 'here', isHere: true, keys: own },
    { node: 'there', isHere: false, keys: other() },
  ];
  return {
    publish: async (keys) => {
      own = keys;
    },
    list,
    waitUntil: async (matches) =>
      (await list()).flatMap(({ node, keys }) => (keys !== undefined && matches(keys) ? [] : [node])),
  };
}

describe('rotation of the data key', () => {
  it('encrypts all secrets with a new key, keeps the password, its ETag and the old secrets of the log', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const before = keystore.sealer.seal('a hook secret');
    for (let index = 0; index < 150; index += 1) await insertWebhook(place, `hook${index}`, before);
    const [password, keys, position] = [
      await keystore.getPassword(),
      await keystore.readKeys(),
      await place.storage.position(),
    ];

    await keystore.rotateDataKey(ann);

    const after = await readSecret(place, 'hook149');
    const rotated = await keystore.readKeys();
    expect(rotated).toMatchObject({ previousDataKeys: [keys.dataKey], nextDataKey: undefined });
    expect(rotated.dataKey).not.toBe(keys.dataKey);
    expect(revealSecret(after)).toMatch(new RegExp(`^sealed:2:${rotated.dataKey}:[\\w-]+$`));
    for (const each of [keystore, await place.open()]) {
      expect(each.sealer.open(after)).toBe('a hook secret');
      expect(each.sealer.open(before)).toBe('a hook secret');
      expect([each.sealer.isCurrent(after), each.sealer.isCurrent(before)]).toEqual([true, false]);
      expect(await each.getPassword()).toEqual(password);
    }
    // At most 100 records for each change.
    expect(await listWhats(place, position)).toEqual([
      'prepare a new data key',
      'replace the data key',
      'encrypt secrets with the current data key',
      'encrypt secrets with the current data key',
    ]);
    expect(place.messages).toEqual([
      'replaced the data key of the keystore',
      'encrypted secrets with the current data key',
    ]);
  });

  it('can be repeated, and the password opens every key without the server key', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const sealed = [keystore.sealer.seal('first')];
    for (const text of ['second', 'third']) {
      await keystore.rotateDataKey(ann);
      sealed.push(keystore.sealer.seal(text));
    }
    await keystore.changePassword(ann, { old: FIRST_PASSWORD, next: 'another password' }, noPrecondition);

    const { closed } = (await findKeystore(place.catalog)) ?? {};
    const content = closed && (await openWithPassword(closed, 'another password'));

    expect(sealed.map((each) => keystore.sealer.open(each))).toEqual(['first', 'second', 'third']);
    expect(content?.otherDataKeys).toHaveLength(2);
  });

  it('waits for all nodes before it uses the new key, and continues when it is repeated', async () => {
    const place = await keystorePlace();
    let other: NodeKeys | undefined = { serverKey: 'x', dataKey: 'x', dataKeys: ['x'] };
    const keystore = await place.open({ reports: createReports(() => other) });
    const before = await keystore.readKeys();

    await expect(keystore.rotateDataKey(ann)).rejects.toMatchObject({
      code: 'keystore-nodes-behind',
      message: expect.stringContaining('there'),
    });
    const waiting = await keystore.readKeys();
    expect(waiting).toMatchObject({ dataKey: before.dataKey, nextDataKey: expect.any(String) });
    expect(keystore.sealer.isCurrent(keystore.sealer.seal('x'))).toBe(true);
    const next = waiting.nextDataKey ?? '';
    // A node that was started meanwhile knows both keys.
    const started = await place.open();
    other = { serverKey: 'x', dataKey: next, dataKeys: [next] };
    await keystore.rotateDataKey(ann);

    expect(await keystore.readKeys()).toMatchObject({ dataKey: next, previousDataKeys: [before.dataKey] });
    expect(started.sealer.open(keystore.sealer.seal('a new secret'))).toBe('a new secret');
    await started.refresh();
    expect((await started.readKeys()).dataKey).toBe(next);
  });

  it('encrypts a secret again that another request changes meanwhile', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    await insertWebhook(place, 'hook', keystore.sealer.seal('old'));
    const late = keystore.sealer.seal('new');
    let isReplaced = false;
    const catalog: Catalog = {
      ...place.catalog,
      async *readAll(kind) {
        yield* place.catalog.readAll(kind);
        const hook = await place.catalog.find(webhookKind, null, 'hook');
        if (isReplaced || hook === undefined) return;
        isReplaced = true;
        await place.catalog.change(ann, 'change', (transaction) =>
          transaction.update(webhookKind, { ...hook, sealedSecret: late }),
        );
      },
    };

    await (await place.open({ catalog })).rotateDataKey(ann);
    await keystore.refresh();

    const sealed = await readSecret(place, 'hook');
    expect([keystore.sealer.open(sealed), keystore.sealer.isCurrent(sealed)]).toEqual(['new', true]);
  });

  it('keeps secrets of unknown keys as they are', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const foreign = (await (await keystorePlace()).open()).sealer.seal('foreign');
    await insertWebhook(place, 'hook', foreign);

    await keystore.rotateDataKey(ann);

    expect(await readSecret(place, 'hook')).toBe(foreign);
  });
});

describe('rotation of the server key in the data directory', () => {
  it('replaces the file, and the old key opens nothing any more', async () => {
    const place = await keystorePlace();
    const keystore = await place.open();
    const old = (await readKeyFile(place)) ?? keyOf(0);
    const sealed = keystore.sealer.seal('a secret');
    const password = await keystore.getPassword();

    await keystore.rotateServerKey(ann);

    const key = (await readKeyFile(place)) ?? keyOf(0);
    expect(key.equals(old)).toBe(false);
    expect(await readdir(join(place.dataDir, 'security'))).toEqual(['server.key']);
    expect((await stat(join(place.dataDir, 'security', 'server.key'))).mode & 0o777).toBe(0o600);
    for (const each of [keystore, await place.open()]) {
      expect(each.sealer.open(sealed)).toBe('a secret');
      expect(await each.getPassword()).toEqual(password);
      expect(await each.readKeys()).toMatchObject({ serverKey: computeKeyId(key), previousServerKeys: [] });
    }
    await expect(place.open({ serverKey: old })).rejects.toThrow('does not match');
  });

  it('leaves a keystore that opens, after a crash at any point', async () => {
    const outcomes: string[] = [];
    for (let operations = 0; outcomes.at(-1) !== 'done'; operations += 1) {
      const place = await keystorePlace();
      const { disk, dieAfter } = mortalDisk();
      const keystore = await place.open({ disk });
      const sealed = keystore.sealer.seal('a secret');
      dieAfter(operations);

      outcomes.push(await rotateOrDie(keystore));
      const reopened = await place.open();

      expect(reopened.sealer.open(sealed)).toBe('a secret');
      expect((await reopened.getPassword()).password).toBe(FIRST_PASSWORD);
      expect(await readdir(join(place.dataDir, 'security'))).toEqual(['server.key']);
      await reopened.removePreviousServerKeys(ann);
      expect((await place.open()).sealer.open(sealed)).toBe('a secret');
    }

    expect(outcomes.length).toBeGreaterThan(5);
  });

  it('leaves a keystore that opens, after a crash before or after any commit', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let commits = 1; commits <= 2; commits += 1) {
        const place = await keystorePlace();
        const sealed = (await place.open()).sealer.seal('a secret');
        const keystore = await place.open({ catalog: createDyingCatalog(place.catalog, when, commits) });

        expect(await rotateOrDie(keystore)).toBe('died');

        expect((await place.open()).sealer.open(sealed)).toBe('a secret');
      }
    }
  });

  it('is rejected if the operator provides the key', async () => {
    const place = await keystorePlace();
    const keystore = await place.open({ serverKey: keyOf(1) });

    await expect(keystore.rotateServerKey(ann)).rejects.toMatchObject({ code: 'server-key-external' });
  });
});

async function rotateOrDie(keystore: Keystore): Promise<'done' | 'died'> {
  try {
    await keystore.rotateServerKey(ann);
    return 'done';
  } catch (error) {
    if (error instanceof Crash) return 'died';
    throw error;
  }
}

/** A catalog whose server dies before or after the given commit. */
function createDyingCatalog(catalog: Catalog, when: 'before' | 'after', commits: number): Catalog {
  let count = 0;
  return {
    ...catalog,
    async change(principal, what, work) {
      count += 1;
      if (count < commits) return catalog.change(principal, what, work);
      if (when === 'after') await catalog.change(principal, what, work);
      throw new Crash('the server died');
    },
  };
}

describe('rotation of a server key that the operator provides', () => {
  it('lets nodes with the old and the new key start, until the old key is removed', async () => {
    const place = await keystorePlace();
    const old = await place.open({ serverKey: keyOf(1) });
    const sealed = old.sealer.seal('a secret');
    const position = await place.storage.position();

    const first = await place.open({ serverKey: keyOf(2), previousServerKeys: [keyOf(1)] });

    const alike = [await place.open({ serverKey: keyOf(1) }), await place.open({ serverKey: keyOf(2) }), first, old];
    for (const each of alike) {
      expect(each.sealer.open(sealed)).toBe('a secret');
      expect((await each.getPassword()).password).toBe(FIRST_PASSWORD);
    }
    expect(await first.readKeys()).toMatchObject({
      serverKey: computeKeyId(keyOf(2)),
      previousServerKeys: [computeKeyId(keyOf(1))],
    });
    await first.removePreviousServerKeys(ann);
    expect(await place.open({ serverKey: keyOf(2) })).toBeDefined();
    await expect(place.open({ serverKey: keyOf(1) })).rejects.toThrow('does not match');
    expect(await listWhats(place, position)).toEqual([
      `add the server key ${computeKeyId(keyOf(2))} to the keystore`,
      'remove the previous server keys from the keystore',
    ]);
  });

  it('is not finished while a node uses the old key', async () => {
    const place = await keystorePlace();
    await place.open({ serverKey: keyOf(1) });
    let other: NodeKeys | undefined;
    const how = { serverKey: keyOf(2), previousServerKeys: [keyOf(1)], reports: createReports(() => other) };
    const keystore = await place.open(how);

    // Undefined: a node of an earlier version.
    for (const serverKey of [undefined, computeKeyId(keyOf(1))]) {
      other = serverKey === undefined ? undefined : { serverKey, dataKey: '', dataKeys: [] };
      await expect(keystore.removePreviousServerKeys(ann)).rejects.toMatchObject({ code: 'server-key-in-use' });
    }
    other = { serverKey: computeKeyId(keyOf(2)), dataKey: '', dataKeys: [] };
    await keystore.removePreviousServerKeys(ann);

    await expect(place.open({ serverKey: keyOf(1) })).rejects.toThrow('does not match');
  });

  it('delays changes of the password and the data key on nodes that lack a key', async () => {
    const place = await keystorePlace();
    const old = await place.open({ serverKey: keyOf(1) });
    const both = await place.open({ serverKey: keyOf(2), previousServerKeys: [keyOf(1)] });
    const change = { old: FIRST_PASSWORD, next: 'another password' };

    for (const work of [old.changePassword(ann, change, noPrecondition), old.rotateDataKey(ann)]) {
      await expect(work).rejects.toMatchObject({
        code: 'server-key-missing',
        message: expect.stringContaining(computeKeyId(keyOf(2))),
      });
    }
    await both.changePassword(ann, change, noPrecondition);
    await both.rotateDataKey(ann);

    expect((await old.getPassword()).password).toBe('another password');
    await old.refresh();
    expect(old.sealer.open(both.sealer.seal('a secret'))).toBe('a secret');
  });

  it('adds a key once, and nothing if the keystore has it', async () => {
    const place = await keystorePlace();
    await place.open({ serverKey: keyOf(1) });
    const how = { serverKey: keyOf(2), previousServerKeys: [keyOf(1)] };
    await Promise.all([place.open(how), place.open(how), place.open(how)]);

    expect((await (await place.open(how)).readKeys()).previousServerKeys).toEqual([computeKeyId(keyOf(1))]);
    expect(await listWhats(place, 1)).toHaveLength(1);
  });
});
