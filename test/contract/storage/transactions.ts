/** Properties of whole writes: isolated, atomic, and invisible until committed. */
import { expect, test } from 'vitest';
import { NameTaken, type WriteTransaction } from '../../../src/storage/port/port.ts';
import { author, type CreatePlace, draft, gate, insert, namesOf, openFresh } from './place.ts';

export function transactionContract(create: CreatePlace): void {
  test('an open write sees its own changes while other readers see the old state', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { body: { title: 'old' }, keys: { uri: ['old'] } }));
    const written = gate();
    const looked = gate();

    const write = storage.write(author, async (transaction) => {
      await transaction.insert(draft('new'));
      await transaction.update(acme.id, draft('acme', { body: { title: 'new' }, keys: { uri: ['new'] } }));
      expect((await transaction.find('workspace', null, 'acme'))?.body).toEqual({ title: 'new' });
      expect(await transaction.findByKey('workspace', 'uri', 'old', 1)).toEqual([]);
      expect(await transaction.listKeyValues('workspace', 'uri')).not.toContain('old');
      expect(namesOf(await transaction.list('workspace', null))).toEqual(['acme', 'new']);
      expect(await transaction.count('workspace')).toBe(2);
      written.open();
      await looked.passed;
    });
    await written.passed;

    expect(await storage.find('workspace', null, 'acme')).toEqual(acme);
    expect(await storage.find('workspace', null, 'new')).toBeUndefined();
    expect(namesOf(await storage.findByKey('workspace', 'uri', 'old', 1))).toEqual(['acme']);
    expect(await storage.count('workspace')).toBe(1);
    expect(await storage.position()).toBe(1);
    expect(await storage.listChanges(1, 10)).toEqual([]);
    looked.open();
    await write;
    expect((await storage.find('workspace', null, 'acme'))?.body).toEqual({ title: 'new' });
    expect(await storage.position()).toBe(2);
  });

  test('a failed write leaves no changes, and the next one succeeds', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));

    const failing = storage.write(author, async (transaction) => {
      await transaction.insert(draft('new', { keys: { uri: ['u'] } }));
      await transaction.remove(acme.id);
      throw new Error('changed my mind');
    });

    await expect(failing).rejects.toThrow('changed my mind');
    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme']);
    expect(await storage.findByKey('workspace', 'uri', 'u', 1)).toEqual([]);
    expect(await storage.position()).toBe(1);
    expect((await insert(storage, draft('next'))).version).toBe(2);
  });

  test('work that throws before its first await is a failed write', async () => {
    const { storage } = await openFresh(create);

    const failing = storage.write(author, () => {
      throw new Error('at once');
    });

    await expect(failing).rejects.toThrow('at once');
    expect((await insert(storage, draft('next'))).version).toBe(1);
  });

  test('a rejected step changes nothing, and the transaction can continue', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));

    await storage.write(author, async (transaction) => {
      await expect(transaction.insert(draft('acme'))).rejects.toBeInstanceOf(NameTaken);
      await transaction.insert(draft('roads', { parent: acme.id }));
      await expect(transaction.remove(acme.id)).rejects.toThrow();
      await transaction.insert(draft('other'));
    });

    expect(namesOf(await storage.list('workspace', null))).toEqual(['acme', 'other']);
    expect((await storage.listChanges(1, 1))[0]?.items.map((item) => item.after?.name)).toEqual(['roads', 'other']);
  });

  test('two hundred parallel increments are all counted', async () => {
    const { storage } = await openFresh(create);
    const counter = await insert(storage, draft('counter', { body: { value: 0 } }));

    const increments = Array.from({ length: 200 }, () =>
      storage.write(author, async (transaction) => {
        const current = await transaction.get(counter.id);
        await Promise.resolve();
        const value = Number(current?.body['value']) + 1;
        await transaction.update(counter.id, draft('counter', { body: { value } }));
        return value;
      }),
    );

    expect((await Promise.all(increments)).map(({ result }) => result)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect(await storage.get(counter.id)).toMatchObject({ body: { value: 200 }, version: 201 });
    expect(await storage.position()).toBe(201);
  });

  test('writes run one at a time in the order of their calls, successful or not', async () => {
    const { storage } = await openFresh(create);
    const steps: string[] = [];
    const job = (name: string, fails: boolean) =>
      storage.write(author, async (transaction) => {
        steps.push(`${name} begins`);
        await transaction.insert(draft(name));
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
        if (fails) throw new Error(`${name} failed`);
      });

    const outcomes = await Promise.allSettled([job('a', false), job('b', true), job('c', false)]);

    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(namesOf(await storage.list('workspace', null))).toEqual(['a', 'c']);
  });

  test('waiting and running writes are counted until they end, successful or not', async () => {
    const { storage } = await openFresh(create);
    const begun = gate();
    const held = gate();
    expect(storage.countPendingWrites()).toBe(0);

    const running = storage.write(author, async () => {
      begun.open();
      await held.passed;
    });
    const failing = storage.write(author, () => Promise.reject(new Error('no')));
    const waiting = insert(storage, draft('acme'));
    expect(storage.countPendingWrites()).toBe(3);
    await begun.passed;
    expect(storage.countPendingWrites()).toBe(3);
    held.open();
    await running;
    expect(storage.countPendingWrites()).toBeLessThan(3);
    await Promise.allSettled([failing, waiting]);

    expect(storage.countPendingWrites()).toBe(0);
    await expect(storage.write(author, () => storage.write(author, async () => {}))).rejects.toThrow();
    expect(storage.countPendingWrites()).toBe(0);
    await storage.close();
    expect(storage.countPendingWrites()).toBe(0);
  });

  test('only changes advance the position', async () => {
    const { storage } = await openFresh(create);
    expect(storage.position()).toBe(0);

    const { change } = await storage.write(author, (transaction) => transaction.insert(draft('acme')));
    expect([change, storage.position()]).toEqual([1, 1]);
    await storage.find('workspace', null, 'acme');
    await expect(storage.write(author, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await storage.write(author, async () => undefined);

    expect(storage.position()).toBe(1);
  });

  test('a transaction cannot be used after its end', async () => {
    const { storage } = await openFresh(create);
    const kept: WriteTransaction[] = [];
    const { result: acme } = await storage.write(author, (transaction) => {
      kept.push(transaction);
      return transaction.insert(draft('acme'));
    });
    const failing = storage.write(author, async (transaction) => {
      kept.push(transaction);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');

    expect(kept).toHaveLength(2);
    for (const transaction of kept) {
      await expect(transaction.insert(draft('late'))).rejects.toThrow('ended');
      await expect(transaction.update(acme.id, draft('late'))).rejects.toThrow('ended');
      await expect(transaction.remove(acme.id)).rejects.toThrow('ended');
      await expect(transaction.find('workspace', null, 'acme')).rejects.toThrow('ended');
      await expect(transaction.list('workspace', null)).rejects.toThrow('ended');
    }
    expect(await storage.get(acme.id)).toEqual(acme);
  });

  test('a nested write is rejected instead of deadlocking', async () => {
    const { storage } = await openFresh(create);

    const outer = storage.write(author, async (transaction) => {
      await transaction.insert(draft('outer'));
      await insert(storage, draft('inner'));
    });

    await expect(outer).rejects.toThrow('inside another write');
    expect(await storage.count('workspace')).toBe(0);
  });

  test('work started by a write can write after that write has ended', async () => {
    const { storage } = await openFresh(create);
    const ended = gate();
    let listener: Promise<unknown> | undefined;

    await storage.write(author, async (transaction) => {
      await transaction.insert(draft('first'));
      listener = ended.passed.then(() => insert(storage, draft('second')));
    });
    ended.open();
    await listener;

    expect(namesOf(await storage.list('workspace', null))).toEqual(['first', 'second']);
  });
}
