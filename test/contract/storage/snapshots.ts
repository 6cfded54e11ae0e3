/** Immutable snapshots, and dry runs that store nothing. */
import { expect, test } from 'vitest';
import { author, type CreatePlace, draft, gate, insert, namesOf, openFresh } from './place.ts';

export function snapshotContract(create: CreatePlace): void {
  test('a snapshot shows one state, unaffected by concurrent writes', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { title: 'old' }, keys: { uri: ['old'] } }));
    const snapshot = storage.snapshot();

    await storage.write(author, (transaction) =>
      transaction.update(acme.id, draft('renamed', { body: { title: 'new' }, keys: { uri: ['new'] } })),
    );
    await insert(storage, draft('roads', { kind: 'store', parent: acme.id }));

    expect(snapshot.position).toBe(1);
    expect(await snapshot.get(acme.id)).toEqual(acme);
    expect(await snapshot.find('workspace', null, 'acme')).toEqual(acme);
    expect(await snapshot.find('workspace', null, 'renamed')).toBeUndefined();
    expect(await snapshot.findByKey('workspace', 'uri', 'old', 2)).toEqual([acme]);
    expect(namesOf(await snapshot.list('workspace', null))).toEqual(['acme']);
    expect(await snapshot.listNames('workspace', null)).toEqual(['acme']);
    expect(await snapshot.listKeyValues('workspace', 'uri')).toEqual(['old']);
    expect(await snapshot.countChildren(acme.id)).toBe(0);
    expect(await snapshot.count('store')).toBe(0);
    snapshot.release();

    const now = storage.snapshot();
    expect(now.position).toBe(3);
    expect(await now.find('workspace', null, 'acme')).toBeUndefined();
    expect(await now.find('workspace', null, 'renamed')).toMatchObject({ body: { title: 'new' } });
    now.release();
  });

  test('many snapshots of many states can be read in parallel', async () => {
    const { storage } = await openFresh(create);
    const counter = await insert(storage, draft('counter', { body: { value: 0 } }));
    const snapshots = [storage.snapshot()];
    for (let value = 1; value <= 8; value += 1) {
      await storage.write(author, (transaction) =>
        transaction.update(counter.id, draft('counter', { body: { value } })),
      );
      snapshots.push(storage.snapshot(), storage.snapshot());
    }

    const values = snapshots.map(
      async (snapshot) => (await snapshot.find('workspace', null, 'counter'))?.body['value'],
    );

    expect(await Promise.all(values)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]);
    for (const snapshot of snapshots) snapshot.release();
    expect(await storage.get(counter.id)).toMatchObject({ body: { value: 8 } });
  });

  test('a released snapshot cannot be read, and can be released twice', async () => {
    const { storage } = await openFresh(create);
    const snapshot = storage.snapshot();

    snapshot.release();
    snapshot.release();

    await expect(snapshot.list('workspace', null)).rejects.toThrow('released');
  });

  test('a cached lookup is never older than the last write', async () => {
    const { storage } = await openFresh(create);
    expect(await storage.find('workspace', null, 'acme')).toBeUndefined();

    const acme = await insert(storage, draft('acme'));
    expect((await storage.find('workspace', null, 'acme'))?.version).toBe(1);
    await storage.write(author, (transaction) => transaction.update(acme.id, draft('other')));

    expect(await storage.find('workspace', null, 'acme')).toBeUndefined();
    expect((await storage.find('workspace', null, 'other'))?.version).toBe(2);
    await storage.write(author, (transaction) => transaction.remove(acme.id));
    expect(await storage.find('workspace', null, 'other')).toBeUndefined();
  });

  test('lookups in an old snapshot are not cached for the current state', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { title: 'old' } }));
    const past = storage.snapshot();
    await storage.write(author, (transaction) =>
      transaction.update(acme.id, draft('acme', { body: { title: 'new' } })),
    );

    expect(await past.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'old' } });

    expect(await storage.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'new' } });
    expect(await past.find('workspace', null, 'acme')).toMatchObject({ body: { title: 'old' } });
    past.release();
  });

  test('a long list shows one state although other work runs while it is read', async () => {
    const { storage } = await openFresh(create);
    await storage.write(author, async (transaction) => {
      for (let count = 0; count < 1_500; count += 1) {
        await transaction.insert(draft(`w${String(count).padStart(4, '0')}`, { keys: { tag: ['all'] } }));
      }
    });

    const [listed, tagged] = [storage.list('workspace', null), storage.findByKey('workspace', 'tag', 'all', 5_000)];
    await insert(storage, draft('w9999', { keys: { tag: ['all'] } }));

    expect(await listed).toHaveLength(1_500);
    expect(await tagged).toHaveLength(1_500);
    expect(await storage.list('workspace', null)).toHaveLength(1_501);
    expect(namesOf(await storage.list('workspace', null, { after: 'w0499', limit: 600 })).at(-1)).toBe('w1099');
  });

  test('a dry run returns the result of a write without storing it', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));

    const rehearsed = await storage.rehearse(author, async (transaction) => {
      const roads = await transaction.insert(draft('roads', { kind: 'store', parent: acme.id }));
      return [roads.name, transaction.sequence];
    });

    expect(rehearsed).toMatchObject({
      result: ['roads', 2],
      entry: { ...author, items: [{ kind: 'store', before: null, after: { name: 'roads' } }] },
    });
    expect(await storage.count('store')).toBe(0);
    expect(storage.position()).toBe(1);
    expect(await storage.listChanges(1, 10)).toEqual([]);
    expect((await insert(storage, draft('next'))).version).toBe(2);
  });

  test('a dry run reports when nothing would change, and fails as the write would', async () => {
    const { storage } = await openFresh(create);

    expect(await storage.rehearse(author, async () => 'nothing')).toEqual({ result: 'nothing', entry: null });
    await insert(storage, draft('acme'));
    await expect(storage.rehearse(author, (transaction) => transaction.insert(draft('acme')))).rejects.toThrow(
      'already used',
    );
  });

  test('grouped writes see each other, and a failed write or a dry run among them leaves no trace', async () => {
    const { storage } = await openFresh(create);
    const held = gate();
    const first = storage.write(author, () => held.passed);

    const group = [
      insert(storage, draft('a')),
      storage.write(author, async (transaction) => {
        await transaction.insert(draft('lost'));
        throw new Error('changed my mind');
      }),
      storage.rehearse(author, (transaction) => transaction.insert(draft('rehearsed'))),
      storage.write(author, async (transaction) => namesOf(await transaction.list('workspace', null))),
      insert(storage, draft('b')),
    ];
    held.open();
    const outcomes = await Promise.allSettled([first, ...group]);

    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(outcomes[4]).toMatchObject({ value: { result: ['a'], change: null } });
    expect(namesOf(await storage.list('workspace', null))).toEqual(['a', 'b']);
    expect((await storage.listChanges(0, 10)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test('a record can be restored with its id and creation time, and only once', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { a: 1 } }));
    await storage.write(author, (transaction) => transaction.remove(acme.id));

    const { result } = await storage.write(author, (transaction) =>
      transaction.restore(draft('acme', { body: { a: 1 } }), acme),
    );

    expect(result).toMatchObject({ id: acme.id, createdAtMs: acme.createdAtMs, version: 3 });
    expect(await storage.get(acme.id)).toEqual(result);
    const again = storage.write(author, (transaction) => transaction.restore(draft('other'), acme));
    await expect(again).rejects.toThrow('already exists');
  });

  test('the oldest log entries can be pruned step by step, and their numbers stay used', async () => {
    let nowMs = 1_000;
    const { storage, reopen } = await openFresh(create, { clock: () => (nowMs += 1_000) });
    for (const name of ['a', 'b', 'c', 'd']) await insert(storage, draft(name));

    expect(await storage.deleteChanges(5_000, 2)).toBe(2);
    expect(await storage.deleteChanges(5_000, 2)).toBe(1);
    expect(await storage.deleteChanges(5_000, 2)).toBe(0);
    expect((await storage.listChanges(0, 10)).map(({ sequence }) => sequence)).toEqual([4]);
    expect(await storage.deleteChanges(Number.MAX_SAFE_INTEGER, 10)).toBe(1);

    const again = await reopen();
    expect(again.position()).toBe(4);
    expect((await insert(again, draft('e'))).version).toBe(5);
    expect(await again.count('workspace')).toBe(5);
  });

  test('an entry with any number of records is pruned as a whole', async () => {
    const { storage } = await openFresh(create);
    const names = Array.from({ length: 1_201 }, (_, index) => `w${index}`);
    await storage.write(author, async (transaction) => {
      for (const name of names) await transaction.insert(draft(name));
    });
    await insert(storage, draft('later'));

    expect(await storage.deleteChanges(Number.MAX_SAFE_INTEGER, 1)).toBe(1);

    expect((await storage.listChanges(0, 10)).map(({ sequence }) => sequence)).toEqual([2]);
    expect(await storage.count('workspace')).toBe(1_202);
    expect(await storage.findIntegrityProblems()).toEqual([]);
  });

  test('a file is referenced as long as a record or the log names it', async () => {
    const { storage } = await openFresh(create);
    const named = async () => Promise.all(['f1', 'f2', 'f3'].map((file) => storage.isFileReferenced(file, 0)));

    const roads = await insert(storage, draft('roads', { files: ['f1', 'f2'] }));
    expect(await named()).toEqual([true, true, false]);
    await storage.write(author, (transaction) => transaction.update(roads.id, draft('roads', { files: ['f3'] })));
    expect(await named()).toEqual([true, true, true]);
    await storage.deleteChanges(Number.MAX_SAFE_INTEGER, 10);
    expect(await named()).toEqual([false, false, true]);
    await storage.write(author, (transaction) => transaction.remove(roads.id));
    expect(await named()).toEqual([false, false, true]);
    await storage.deleteChanges(Number.MAX_SAFE_INTEGER, 10);

    expect(await named()).toEqual([false, false, false]);
  });

  test('a file without a record is referenced by recent entries only', async () => {
    let nowMs = 1_000;
    const { storage } = await openFresh(create, { clock: () => nowMs });
    const roads = await insert(storage, draft('roads', { files: ['f1'] }));
    nowMs = 2_000;

    await storage.write(author, (transaction) => transaction.remove(roads.id));

    expect(await storage.isFileReferenced('f1', 2_000)).toBe(true);
    expect(await storage.isFileReferenced('f1', 2_001)).toBe(false);
  });

  test('a file is in use only as long as a record names it', async () => {
    const { storage } = await openFresh(create);
    const inUse = async () => Promise.all(['f1', 'f2'].map((file) => storage.isFileInUse(file)));

    const roads = await insert(storage, draft('roads', { files: ['f1'] }));
    expect(await inUse()).toEqual([true, false]);
    await storage.write(author, (transaction) => transaction.update(roads.id, draft('roads', { files: ['f2'] })));
    expect(await inUse()).toEqual([false, true]);
    await storage.write(author, (transaction) => transaction.remove(roads.id));

    expect(await inUse()).toEqual([false, false]);
    expect(await storage.isFileInUse('\ud800')).toBe(false);
  });

  test('log times never decrease, even if the clock is set back', async () => {
    let nowMs = 10_000;
    const { storage } = await openFresh(create, { clock: () => (nowMs -= 1_000) });

    for (const name of ['a', 'b']) await insert(storage, draft(name));

    expect((await storage.listChanges(0, 10)).map(({ atMs }) => atMs)).toEqual([9_000, 9_000]);
  });

  test('closing can stop waiting for a write that does not end', async () => {
    const { storage, reopen } = await openFresh(create);
    const begun = gate();
    const hung = storage.write(author, async (transaction) => {
      await transaction.insert(draft('hung'));
      begun.open();
      await new Promise(() => undefined);
    });
    const waiting = insert(storage, draft('waiting'));
    const outcomes = Promise.allSettled([hung, waiting]);
    await begun.passed;

    await storage.close(AbortSignal.abort());

    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await (await reopen()).count('workspace')).toBe(0);
  });
}
