/** Inserting, changing and removing records, and the constraints between them. */
import { expect, test } from 'vitest';
import { NameTaken } from '../../../src/storage/port/port.ts';
import { author, type CreatePlace, draft, insert, insertAll, namesOf, openFresh } from './place.ts';

export function writingContract(create: CreatePlace): void {
  test('an update replaces parent, name, body and keys, and keeps id and creation time', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));
    const roads = await insert(
      storage,
      draft('roads', { kind: 'store', parent: acme.id, body: { a: 1, b: 2 }, keys: { type: ['shp'], tag: ['x'] } }),
    );

    const next = draft('streets', { kind: 'store', body: { a: 3 }, keys: { type: ['gpkg'] } });
    const { result: updated } = await storage.write(author, (transaction) => transaction.update(roads.id, next));

    expect(updated).toEqual({
      id: roads.id,
      kind: 'store',
      parent: null,
      name: 'streets',
      body: { a: 3 },
      version: 3,
      createdAtMs: roads.createdAtMs,
      modifiedAtMs: roads.createdAtMs + 1_000,
    });
    expect(await storage.find('store', null, 'streets')).toEqual(updated);
    expect(await storage.find('store', acme.id, 'roads')).toBeUndefined();
    expect(await storage.countChildren(acme.id)).toBe(0);
    expect(await storage.findByKey('store', 'type', 'shp', 1)).toEqual([]);
    expect(await storage.findByKey('store', 'tag', 'x', 1)).toEqual([]);
    expect(namesOf(await storage.findByKey('store', 'type', 'gpkg', 1))).toEqual(['streets']);
  });

  test('a removed record is deleted with its keys', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme', { keys: { uri: ['u'] } }));

    await storage.write(author, (transaction) => transaction.remove(acme.id));

    expect(await storage.get(acme.id)).toBeUndefined();
    expect(await storage.find('workspace', null, 'acme')).toBeUndefined();
    expect(await storage.findByKey('workspace', 'uri', 'u', 1)).toEqual([]);
    expect(await storage.count('workspace')).toBe(0);
  });

  test('the version of a name only increases, even across delete and re-create', async () => {
    const { storage } = await openFresh(create);
    const versions: number[] = [];

    for (let round = 0; round < 3; round++) {
      const born = await insert(storage, draft('acme'));
      const { result: changed } = await storage.write(author, (transaction) =>
        transaction.update(born.id, draft('acme')),
      );
      await storage.write(author, (transaction) => transaction.remove(born.id));
      versions.push(born.version, changed.version);
    }

    expect(versions).toEqual([1, 2, 4, 5, 7, 8]);
  });

  test('a re-created record has a new id', async () => {
    const { storage } = await openFresh(create);
    const first = await insert(storage, draft('acme'));
    await storage.write(author, (transaction) => transaction.remove(first.id));

    const second = await insert(storage, draft('acme'));

    expect(second.id).not.toBe(first.id);
  });

  test('two records of one kind cannot have the same name in the same parent', async () => {
    const { storage } = await openFresh(create);
    const [acme, other] = await insertAll(storage, [draft('acme'), draft('other')]);
    const inside = { kind: 'store', parent: acme?.id ?? '' };
    const roads = await insert(storage, draft('roads', inside));
    const lakes = await insert(storage, draft('lakes', inside));

    await expect(insert(storage, draft('acme'))).rejects.toBeInstanceOf(NameTaken);
    await expect(insert(storage, draft('roads', inside))).rejects.toBeInstanceOf(NameTaken);
    const rename = storage.write(author, (transaction) => transaction.update(lakes.id, draft('roads', inside)));
    await expect(rename).rejects.toBeInstanceOf(NameTaken);

    await insert(storage, draft('roads', { kind: 'style', parent: acme?.id ?? '' }));
    await insert(storage, draft('roads', { kind: 'store', parent: other?.id ?? '' }));
    await insert(storage, draft('roads', { kind: 'store' }));
    expect(await storage.get(roads.id)).toEqual(roads);
  });

  test('two records can swap their names in one change', async () => {
    const { storage } = await openFresh(create);
    const [one, two] = await insertAll(storage, [draft('one'), draft('two')]);

    await storage.write(author, async (transaction) => {
      await transaction.update(one?.id ?? '', draft('between'));
      await transaction.update(two?.id ?? '', draft('one'));
      await transaction.update(one?.id ?? '', draft('two'));
    });

    expect((await storage.find('workspace', null, 'one'))?.id).toBe(two?.id);
    expect((await storage.find('workspace', null, 'two'))?.id).toBe(one?.id);
  });

  test('a record with children cannot be removed before them', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));
    const roads = await insert(storage, draft('roads', { kind: 'store', parent: acme.id }));

    const remove = storage.write(author, (transaction) => transaction.remove(acme.id));
    await expect(remove).rejects.toThrow(acme.id);
    expect(await storage.get(acme.id)).toEqual(acme);

    await storage.write(author, async (transaction) => {
      await transaction.remove(roads.id);
      await transaction.remove(acme.id);
    });
    expect(await storage.get(acme.id)).toBeUndefined();
  });

  test('a record cannot have itself or a missing record as its parent', async () => {
    const { storage } = await openFresh(create);
    const outer = await insert(storage, draft('outer'));
    const inner = await insert(storage, draft('inner', { parent: outer.id }));

    await expect(insert(storage, draft('lost', { parent: 'no-such-id' }))).rejects.toThrow('no-such-id');
    await expect(insert(storage, draft('lost', { parent: '' }))).rejects.toThrow();
    for (const parent of [outer.id, inner.id, 'no-such-id']) {
      const move = storage.write(author, (transaction) => transaction.update(outer.id, draft('outer', { parent })));
      await expect(move).rejects.toThrow();
    }
    expect(await storage.get(outer.id)).toEqual(outer);
  });

  test('a missing record can be neither changed nor removed', async () => {
    const { storage } = await openFresh(create);

    await expect(storage.write(author, (transaction) => transaction.update('missing', draft('x')))).rejects.toThrow(
      'missing',
    );
    await expect(storage.write(author, (transaction) => transaction.remove('missing'))).rejects.toThrow('missing');
    expect(await storage.position()).toBe(0);
  });

  test('a record cannot change its kind', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));

    const change = storage.write(author, (transaction) =>
      transaction.update(acme.id, draft('acme', { kind: 'style' })),
    );

    await expect(change).rejects.toThrow(acme.id);
  });

  test('later mutations of the input object do not affect the record', async () => {
    const { storage } = await openFresh(create);
    const body = { list: ['a'] };

    const { result: stored } = await storage.write(author, async (transaction) => {
      const inserted = await transaction.insert(draft('acme', { body }));
      body.list.push('b');
      return inserted;
    });

    expect(stored.body).toEqual({ list: ['a'] });
    expect((await storage.get(stored.id))?.body).toEqual({ list: ['a'] });
  });
}
