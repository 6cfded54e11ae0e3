/** The change log: the entry of every change and its author. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/storage/port/port.ts';
import { plainKinds } from '../../support/plain-kinds.ts';
import { author, type CreatePlace, draft, insert, insertAll, openFresh } from './place.ts';

/** Masks the only secret in these tests. */
const kinds = plainKinds('store').map((rules) => ({
  ...rules,
  mask: (body: JsonObject) => ({ ...body, password: 'hidden' }),
}));

export function changeLogContract(create: CreatePlace): void {
  test('each change has one entry with actor, description, time, and every record before and after', async () => {
    const { storage } = await openFresh(create, { clock: () => 7_000 });
    const acme = await insert(storage, draft('acme', { body: { a: 1 } }));

    const { result: roads } = await storage.write({ who: 'ann', what: 'PUT /workspaces/acme' }, async (transaction) => {
      expect(transaction.sequence).toBe(2);
      await transaction.update(acme.id, draft('renamed', { body: { a: 2 } }));
      return transaction.insert(draft('roads', { kind: 'store', parent: acme.id }));
    });
    await storage.write({ who: 'bob', what: 'tidy' }, (transaction) => transaction.remove(roads.id));

    const roadsState = { parent: acme.id, name: 'roads', body: {} };
    expect(await storage.listChanges(1, 10)).toEqual([
      {
        sequence: 2,
        atMs: 7_000,
        who: 'ann',
        what: 'PUT /workspaces/acme',
        items: [
          {
            kind: 'workspace',
            id: acme.id,
            before: { parent: null, name: 'acme', body: { a: 1 } },
            after: { parent: null, name: 'renamed', body: { a: 2 } },
          },
          { kind: 'store', id: roads.id, before: null, after: roadsState },
        ],
      },
      {
        sequence: 3,
        atMs: 7_000,
        who: 'bob',
        what: 'tidy',
        items: [{ kind: 'store', id: roads.id, before: roadsState, after: null }],
      },
    ]);
  });

  test('the log is read in order from any position, up to the limit', async () => {
    const { storage } = await openFresh(create);
    expect(await storage.position()).toBe(0);
    await insertAll(
      storage,
      ['a', 'b', 'c', 'd'].map((name) => draft(name)),
    );

    expect(await storage.position()).toBe(4);
    expect((await storage.listChanges(0, 2)).map((entry) => entry.sequence)).toEqual([1, 2]);
    expect((await storage.listChanges(2, 10)).map((entry) => entry.sequence)).toEqual([3, 4]);
    expect(await storage.listChanges(4, 10)).toEqual([]);
    expect(await storage.listChanges(0, 0)).toEqual([]);
  });

  test('secrets are masked in the log and kept in the record', async () => {
    const { storage } = await openFresh(create, { kinds });

    const store = await insert(storage, draft('db', { kind: 'store', body: { host: 'h', password: 's1' } }));
    const next = draft('db', { kind: 'store', body: { host: 'h', password: 's2' } });
    await storage.write(author, (transaction) => transaction.update(store.id, next));

    const masked = { parent: null, name: 'db', body: { host: 'h', password: 'hidden' } };
    expect((await storage.get(store.id))?.body).toEqual({ host: 'h', password: 's2' });
    expect((await storage.listChanges(0, 10)).flatMap((entry) => entry.items)).toEqual([
      { kind: 'store', id: store.id, before: null, after: masked },
      { kind: 'store', id: store.id, before: masked, after: masked },
    ]);
  });

  test('the entries of one record are found among all entries', async () => {
    const { storage } = await openFresh(create, { kinds });
    const store = await insert(storage, draft('db', { kind: 'store', body: { password: 's1' } }));
    await insert(storage, draft('acme'));
    const next = draft('db', { kind: 'store', body: { password: 's2' } });
    await storage.write(author, async (transaction) => {
      await transaction.update(store.id, next);
      await transaction.insert(draft('other'));
    });
    await storage.write(author, (transaction) => transaction.remove(store.id));

    const all = await storage.listChanges(0, 10);

    expect(await storage.listRecordChanges(store.id, 0, 10)).toEqual(all.filter(({ sequence }) => sequence !== 2));
    expect((await storage.listRecordChanges(store.id, 1, 1)).map(({ sequence }) => sequence)).toEqual([3]);
    expect(await storage.listRecordChanges(store.id, 4, 10)).toEqual([]);
    expect(await storage.listRecordChanges('missing', 0, 10)).toEqual([]);
  });

  test('an undo reads the log with unmasked secrets', async () => {
    const { storage } = await openFresh(create, { kinds });

    const store = await insert(storage, draft('db', { kind: 'store', body: { password: 'sealed' } }));

    const state = { parent: null, name: 'db', body: { password: 'sealed' } };
    expect((await storage.listSealedChanges(0, 10))[0]?.items).toEqual([
      { kind: 'store', id: store.id, before: null, after: state },
    ]);
  });

  test('a snapshot reads the log up to its position, from either end and between two numbers', async () => {
    const { storage } = await openFresh(create);
    await insertAll(
      storage,
      ['a', 'b', 'c', 'd'].map((name) => draft(name)),
    );
    const snapshot = storage.snapshot();
    await insert(storage, draft('later'));
    const numbers = async (...asked: Parameters<typeof snapshot.log.listEntries>) =>
      (await snapshot.log.listEntries(...asked)).map(({ sequence }) => sequence);

    expect(await numbers({}, 10)).toEqual([1, 2, 3, 4]);
    expect(await numbers({ isNewestFirst: true }, 3)).toEqual([4, 3, 2]);
    expect(await numbers({ after: 1, before: 4 }, 10)).toEqual([2, 3]);
    expect(await numbers({ before: 4, isNewestFirst: true }, 2)).toEqual([3, 2]);
    snapshot.release();
  });

  test('a snapshot returns the items of a change without secrets', async () => {
    const { storage } = await openFresh(create, { kinds });
    const store = await insert(storage, draft('db', { kind: 'store', body: { host: 'h', password: 's1' } }));
    const snapshot = storage.snapshot();
    const items: unknown[] = [];

    for await (const item of snapshot.log.readItems(1)) items.push(item);

    const masked = { parent: null, name: 'db', body: { host: 'h', password: 'hidden' } };
    expect(items).toEqual([{ kind: 'store', id: store.id, before: null, after: masked }]);
    snapshot.release();
  });

  test('a snapshot returns a record as of any change, even a deleted one', async () => {
    const { storage } = await openFresh(create);
    const other = await insert(storage, draft('other'));
    const acme = await insert(storage, draft('acme'));
    await storage.write(author, (transaction) => transaction.update(acme.id, draft('renamed')));
    await storage.write(author, (transaction) => transaction.remove(acme.id));
    const snapshot = storage.snapshot();
    const nameAt = async (id: string, sequence: number) => (await snapshot.log.findStateAt(id, sequence))?.name;

    expect(await Promise.all([1, 2, 3, 4].map((sequence) => nameAt(acme.id, sequence)))).toEqual([
      undefined,
      'acme',
      'renamed',
      undefined,
    ]);
    expect(await nameAt(other.id, 4)).toBe('other');
    expect(await nameAt('missing', 4)).toBeUndefined();
    snapshot.release();
  });

  test('a transaction without writes leaves no entry and no gap', async () => {
    const { storage } = await openFresh(create);

    expect(await storage.write(author, async (transaction) => transaction.sequence)).toEqual({
      result: 1,
      change: null,
    });
    expect(await storage.position()).toBe(0);
    expect((await insert(storage, draft('acme'))).version).toBe(1);
  });

  test('a record written several times in one change has one item', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { step: 0 } }));

    await storage.write(author, async (transaction) => {
      await transaction.update(acme.id, draft('acme', { body: { step: 1 } }));
      const born = await transaction.insert(draft('born', { body: { step: 1 } }));
      await transaction.update(acme.id, draft('acme', { body: { step: 2 } }));
      await transaction.update(born.id, draft('born', { body: { step: 2 } }));
      await transaction.remove(acme.id);
    });

    const items = (await storage.listChanges(1, 1))[0]?.items;
    expect(items?.map(({ before, after }) => [before?.body ?? null, after?.body ?? null])).toEqual([
      [{ step: 0 }, null],
      [null, { step: 2 }],
    ]);
  });

  test('a record created and deleted in one change has no item', async () => {
    const { storage } = await openFresh(create);

    await storage.write(author, async (transaction) => {
      const passing = await transaction.insert(draft('passing'));
      await transaction.remove(passing.id);
    });
    expect(await storage.position()).toBe(0);
    await storage.write(author, async (transaction) => {
      const passing = await transaction.insert(draft('passing'));
      await transaction.insert(draft('staying'));
      await transaction.remove(passing.id);
    });

    const [entry, ...others] = await storage.listChanges(0, 10);
    expect(others).toEqual([]);
    expect(entry?.items.map((item) => item.after?.name)).toEqual(['staying']);
  });

  test('the items of a change are read in pages, from any position', async () => {
    const { storage } = await openFresh(create, { kinds });
    await storage.write(author, async (transaction) => {
      for (const name of ['a', 'b', 'c']) {
        await transaction.insert(draft(name, { kind: 'store', body: { password: 'open sesame' } }));
      }
    });

    const first = await storage.log.listItems(1, -1, 2);
    const rest = await storage.log.listItems(1, first.at(-1)?.ordinal ?? 0, 2);

    expect([...first, ...rest].map(({ item }) => item.after?.name)).toEqual(['a', 'b', 'c']);
    expect(JSON.stringify([first, rest])).not.toContain('open sesame');
  });

  test('reading a long change retains no snapshot, and fails when the change is pruned meanwhile', async () => {
    let now = 1_000;
    const { storage } = await openFresh(create, { clock: () => now });
    await storage.write(author, async (transaction) => {
      for (let index = 0; index < 1_200; index += 1) await transaction.insert(draft(`n${index}`));
    });
    const items = storage.log.readItems(1)[Symbol.asyncIterator]();
    await items.next();
    now = 2_000;
    await insert(storage, draft('later'));

    await storage.deleteChanges(2_000, 10);

    const readAll = async () => {
      while (!(await items.next()).done);
    };
    await expect(readAll()).rejects.toThrow('was deleted from the log while it was read');
  });

  test('watchers are notified of durable changes only, and not of empty ones', async () => {
    const { storage } = await openFresh(create);
    const seen: number[] = [];
    const stop = storage.watch(() => seen.push(storage.position()));

    await insert(storage, draft('a'));
    await storage.write(author, async () => {});
    await insert(storage, draft('b'));
    stop();
    await insert(storage, draft('c'));

    expect(seen).toEqual([1, 2]);
  });

  test('a watcher reads the change that it is notified of, and can write', async () => {
    const { storage } = await openFresh(create);
    const seen: Promise<unknown>[] = [];
    const stop = storage.watch(() => {
      seen.push(storage.find('workspace', null, 'a').then((record) => record?.name));
      seen.push(storage.notes.write('seen', 'a').then(() => 'written'));
    });

    await insert(storage, draft('a'));
    stop();

    expect(await Promise.all(seen)).toEqual(['a', 'written']);
    expect(await storage.notes.read('seen')).toBe('a');
  });

  test('a note is updated depending on its current value, or left unchanged', async () => {
    const { storage } = await openFresh(create);
    const add = (text: string) => storage.notes.update('list', (before) => [before, text].filter(Boolean).join(' '));

    const added = await Promise.all(['a', 'b', 'c'].map(add));
    const left = await storage.notes.update('list', () => undefined);

    expect([added, left]).toEqual([[true, true, true], false]);
    expect(await storage.notes.read('list')).toBe('a b c');
    expect(storage.position()).toBe(0);
    await expect(storage.notes.update('list', () => '\ud800')).rejects.toThrow('note');
    expect(await storage.notes.read('list')).toBe('a b c');
  });

  test('notes are stored beside the records and survive a restart, without a change', async () => {
    const place = await openFresh(create);
    await insert(place.storage, draft('acme'));
    await place.storage.notes.write('hook a', '1');
    await place.storage.notes.write('hook b', '2');
    await place.storage.notes.write('other', '3');
    await place.storage.notes.write('hook a', '4');
    await place.storage.notes.write('hook b', null);

    const storage = await place.reopen();

    expect(await storage.notes.read('hook a')).toBe('4');
    expect(await storage.notes.read('hook b')).toBeUndefined();
    expect(await storage.notes.listNames('hook ')).toEqual(['hook a']);
    expect([storage.position(), (await storage.listChanges(0, 10)).length]).toEqual([1, 1]);
  });

  test('notes are published in order, under increasing numbers, without a change', async () => {
    const place = await openFresh(create);
    const { notes } = place.storage;
    const numbers: number[] = [];
    const read: Promise<string | undefined>[] = [];
    const stop = notes.watch(() => {
      numbers.push(notes.getLastAnnouncement());
      read.push(notes.read('a'));
    });
    const add = (text: string | undefined, number: number) => `${text ?? ''}${number} `;

    const given = await Promise.all([notes.announce('a', add), notes.announce('a', add), notes.announce('b', add)]);
    const same = await notes.announce('b', (text) => text ?? null);
    await notes.write('c', 'quietly');
    const refused = notes.announce('a', () => {
      throw new Error('not so');
    });
    await expect(refused).rejects.toThrow('not so');
    await insert(place.storage, draft('acme'));
    const removed = await notes.announce('b', () => null);
    stop();
    const storage = await place.reopen();

    expect(given).toEqual([1, 2, 3]);
    expect([same, removed, storage.notes.getLastAnnouncement()]).toEqual([undefined, 4, 4]);
    expect(numbers.at(-1)).toBe(4);
    expect(await read.at(0)).toMatch(/^1 /);
    expect([await storage.notes.read('a'), await storage.notes.read('b')]).toEqual(['1 2 ', undefined]);
    expect(await storage.notes.announce('a', add)).toBe(5);
    expect([storage.position(), (await storage.listChanges(0, 10)).length]).toEqual([1, 1]);
  });

  test('the log returns the change that created a record', async () => {
    const { storage } = await openFresh(create);
    await insert(storage, draft('first'));
    const acme = await insert(storage, draft('acme'));
    await storage.write(author, (transaction) => transaction.update(acme.id, draft('renamed')));

    expect(await storage.log.findCreatingChange(acme.id)).toBe(2);
    expect(await storage.log.findCreatingChange('missing')).toBeUndefined();
  });
}
