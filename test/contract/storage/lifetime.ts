/** Opening, closing and reopening. */
import { expect, test } from 'vitest';
import { author, type CreatePlace, draft, gate, insert, namesOf, openFresh } from './place.ts';

export function lifetimeContract(create: CreatePlace): void {
  test('a new storage is empty and consistent', async () => {
    const { storage } = await openFresh(create);

    expect(await storage.list('workspace', null)).toEqual([]);
    expect(await storage.listChanges(0, 10)).toEqual([]);
    expect(await storage.findIntegrityProblems()).toEqual([]);
  });

  test('all content is retained after closing and reopening', async () => {
    const { storage, reopen } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { a: 1 }, keys: { uri: ['u'] } }));
    const roads = await insert(storage, draft('roads', { kind: 'store', parent: acme.id }));
    const log = await storage.listChanges(0, 10);

    const again = await reopen();

    expect(await again.find('workspace', null, 'acme')).toEqual(acme);
    expect(await again.listChildren(acme.id, 10)).toEqual([roads]);
    expect(namesOf(await again.findByKey('workspace', 'uri', 'u', 1))).toEqual(['acme']);
    expect(await again.listChanges(0, 10)).toEqual(log);
    expect(await again.position()).toBe(2);
    expect(await again.findIntegrityProblems()).toEqual([]);
    expect((await insert(again, draft('third'))).version).toBe(3);
  });

  test('closing waits for the running write and the queued ones', async () => {
    const { storage, reopen } = await openFresh(create);
    const begun = gate();
    const held = gate();
    const first = storage.write(author, async (transaction) => {
      begun.open();
      await held.passed;
      await transaction.insert(draft('first'));
    });
    const second = insert(storage, draft('second'));
    await begun.passed;

    const closed = storage.close();
    held.open();
    await Promise.all([first, second, closed]);

    expect(namesOf(await (await reopen()).list('workspace', null))).toEqual(['first', 'second']);
  });

  test('a write after closing is rejected, even while the last one is still running', async () => {
    const { storage } = await openFresh(create);
    const held = gate();
    const last = storage.write(author, () => held.passed);

    const closed = storage.close();
    await expect(insert(storage, draft('late'))).rejects.toThrow('shutting down');
    held.open();
    await Promise.all([last, closed]);

    await expect(insert(storage, draft('later'))).rejects.toThrow('shutting down');
  });

  test('a closed storage rejects reads, and can be closed twice', async () => {
    const { storage } = await openFresh(create);

    await storage.close();
    await storage.close();

    await expect(storage.find('workspace', null, 'acme')).rejects.toThrow('shutting down');
    await expect(storage.listChanges(0, 1)).rejects.toThrow('shutting down');
    expect(() => storage.position()).toThrow('shutting down');
    await expect(storage.findIntegrityProblems()).rejects.toThrow('shutting down');
  });
}
