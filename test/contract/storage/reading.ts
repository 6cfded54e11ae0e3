/** Finding, listing and counting records. */
import { expect, test } from 'vitest';
import { type CreatePlace, draft, insert, insertAll, namesOf, openFresh } from './place.ts';

export function readingContract(create: CreatePlace): void {
  test('a stored record is read back complete, with id, version and times', async () => {
    const { storage } = await openFresh(create, { clock: () => 5_000 });
    const body = { isolated: true, title: 'Städte', depth: 1.5, tags: ['a', null, { b: [] }], ['__proto__']: 'own' };

    const stored = await insert(storage, draft('acme', { body }));

    expect(stored).toEqual({
      id: stored.id,
      kind: 'workspace',
      parent: null,
      name: 'acme',
      body,
      version: 1,
      createdAtMs: 5_000,
      modifiedAtMs: 5_000,
    });
    expect(await storage.find('workspace', null, 'acme')).toEqual(stored);
    expect(await storage.get(stored.id)).toEqual(stored);
  });

  test('a record is found only under its own kind, parent and name', async () => {
    const { storage } = await openFresh(create);
    const [acme, other] = await insertAll(storage, [draft('acme'), draft('other')]);
    const store = await insert(storage, draft('roads', { kind: 'store', parent: acme?.id ?? '' }));

    expect(await storage.find('store', acme?.id ?? '', 'roads')).toEqual(store);
    expect(await storage.find('store', other?.id ?? '', 'roads')).toBeUndefined();
    expect(await storage.find('store', null, 'roads')).toBeUndefined();
    expect(await storage.find('layer', acme?.id ?? '', 'roads')).toBeUndefined();
    expect(await storage.find('store', acme?.id ?? '', 'Roads')).toBeUndefined();
    expect(await storage.find('workspace', '', 'acme')).toBeUndefined();
    expect(await storage.get('no-such-id')).toBeUndefined();
  });

  test('a list contains one kind in one parent, in code-point order', async () => {
    const { storage } = await openFresh(create);
    const names = ['b', 'B', 'a', 'é', 'z', '\u{1F30D}', '\uFF5E', 'aa', '10', '9', '', 'e\u0301', '\u4E16'];
    const [acme] = await insertAll(
      storage,
      names.map((name) => draft(name)),
    );
    await insert(storage, draft('inside', { parent: acme?.id ?? '' }));
    await insert(storage, draft('other', { kind: 'style' }));

    // U+FF5E sorts before U+1F30D by code point, and after it in UTF-16 order.
    const ordered = ['', '10', '9', 'B', 'a', 'aa', 'b', 'e\u0301', 'z', 'é', '\u4E16', '\uFF5E', '\u{1F30D}'];
    expect(namesOf(await storage.list('workspace', null))).toEqual(ordered);
    expect(namesOf(await storage.list('workspace', acme?.id ?? ''))).toEqual(['inside']);
    expect(await storage.list('layer', null)).toEqual([]);
    expect(await storage.list('workspace', '')).toEqual([]);
  });

  test('the records of a kind are listed across parents, by parent and name', async () => {
    const { storage } = await openFresh(create);
    const [b, a] = await insertAll(storage, [draft('b'), draft('a')]);
    const roads = await insert(storage, draft('roads', { kind: 'store', parent: b?.id ?? '' }));
    const inside = await insert(storage, draft('inside', { parent: b?.id ?? '' }));

    expect(await storage.listOfKind('workspace', undefined, 10)).toEqual([a, b, inside]);
    expect(await storage.listOfKind('workspace', undefined, 2)).toEqual([a, b]);
    expect(await storage.listOfKind('workspace', b, 10)).toEqual([inside]);
    expect(await storage.listOfKind('store', undefined, 10)).toEqual([roads]);
    expect(await storage.listOfKind('layer', undefined, 10)).toEqual([]);
  });

  test('a list can be read page by page', async () => {
    const { storage } = await openFresh(create);
    await insertAll(
      storage,
      ['d', 'a', 'c', 'b', 'é'].map((name) => draft(name)),
    );

    expect(namesOf(await storage.list('workspace', null, { limit: 2 }))).toEqual(['a', 'b']);
    expect(namesOf(await storage.list('workspace', null, { limit: 2, after: 'b' }))).toEqual(['c', 'd']);
    expect(namesOf(await storage.list('workspace', null, { after: 'bb' }))).toEqual(['c', 'd', 'é']);
    expect(namesOf(await storage.list('workspace', null, { limit: 2, after: 'é' }))).toEqual([]);
    expect(namesOf(await storage.list('workspace', null, { limit: 0 }))).toEqual([]);
  });

  test('the names of a list are returned in its order', async () => {
    const { storage } = await openFresh(create);
    const [acme] = await insertAll(
      storage,
      ['b', 'B', '\u{1F30D}', '\uFF5E', ''].map((name) => draft(name, { body: { title: 'long' } })),
    );
    await insert(storage, draft('inside', { parent: acme?.id ?? '' }));
    await insert(storage, draft('other', { kind: 'style' }));

    const names = await storage.listNames('workspace', null);

    expect(names).toEqual(['', 'B', 'b', '\uFF5E', '\u{1F30D}']);
    expect(await storage.listNames('workspace', acme?.id ?? '')).toEqual(['inside']);
    expect(await storage.listNames('layer', null)).toEqual([]);
    expect(await storage.listNames('workspace', '')).toEqual([]);
  });

  test('names longer than one chunk are returned complete', async () => {
    const { storage } = await openFresh(create);
    const expected = Array.from({ length: 1_234 }, (_, index) => `name-${String(index).padStart(4, '0')}`);
    await insertAll(
      storage,
      expected.map((name) => draft(name, { keys: { tag: [name, 'all'] } })),
    );

    expect(await storage.listNames('workspace', null)).toEqual(expected);
    expect(await storage.listKeyValues('workspace', 'tag')).toEqual(['all', ...expected]);
  });

  test('names and values are paged, each page after the last item of the previous one', async () => {
    const { storage } = await openFresh(create);
    const expected = Array.from({ length: 1_234 }, (_, index) => `name-${String(index).padStart(4, '0')}`);
    await insertAll(
      storage,
      expected.map((name) => draft(name, { keys: { tag: [name] } })),
    );

    const page = { after: 'name-0099', limit: 700 };

    expect(await storage.listNames('workspace', null, page)).toEqual(expected.slice(100, 800));
    expect(await storage.listKeyValues('workspace', 'tag', page)).toEqual(expected.slice(100, 800));
    expect(await storage.listKeyValues('workspace', 'tag', { ...page, before: 'name-0102' })).toEqual(
      expected.slice(100, 102),
    );
    expect(await storage.listNames('workspace', null, { after: 'name-1233', limit: 5 })).toEqual([]);
    expect(await storage.listNames('workspace', null, { limit: 0 })).toEqual([]);
  });

  test('the distinct values of a key are returned in code-point order, all or within a range', async () => {
    const { storage } = await openFresh(create);
    await insertAll(storage, [
      draft('1', { keys: { tag: ['b/2', 'a/\u{1F30D}', 'a/\uFF5E'] } }),
      draft('2', { keys: { tag: ['a/x', 'b/2', '\u{10FFFF}', ''], other: ['c'] } }),
      draft('3', { kind: 'style', keys: { tag: ['d'] } }),
    ]);

    const all = ['', 'a/x', 'a/\uFF5E', 'a/\u{1F30D}', 'b/2', '\u{10FFFF}'];
    expect(await storage.listKeyValues('workspace', 'tag')).toEqual(all);
    expect(await storage.listKeyValues('workspace', 'tag', { from: 'a/', before: 'a0' })).toEqual(all.slice(1, 4));
    expect(await storage.listKeyValues('workspace', 'tag', { from: 'a/x' })).toEqual(all.slice(1));
    expect(await storage.listKeyValues('workspace', 'tag', { from: 'a/x', limit: 2 })).toEqual(all.slice(1, 3));
    expect(await storage.listKeyValues('workspace', 'tag', { before: 'a/x' })).toEqual(['']);
    expect(await storage.listKeyValues('workspace', 'no-such-key')).toEqual([]);
    expect(await storage.listKeyValues('layer', 'tag')).toEqual([]);
  });

  test('the children of a record are listed by kind and name, and counted', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, draft('acme'));
    await insertAll(storage, [
      draft('roads', { kind: 'store', parent: acme.id }),
      draft('line', { kind: 'style', parent: acme.id }),
      draft('lakes', { kind: 'store', parent: acme.id }),
      draft('elsewhere', { kind: 'store' }),
    ]);

    expect(namesOf(await storage.listChildren(acme.id, 10))).toEqual(['lakes', 'roads', 'line']);
    expect(namesOf(await storage.listChildren(acme.id, 2))).toEqual(['lakes', 'roads']);
    expect(await storage.countChildren(acme.id)).toBe(3);
    expect(await storage.countChildren('no-such-id')).toBe(0);
    expect(await storage.count('store')).toBe(3);
    expect(await storage.count('layer')).toBe(0);
  });

  test('records are found by their keys, oldest first, even after the clock was set back', async () => {
    let nowMs = 10_000;
    const { storage } = await openFresh(create, { clock: () => nowMs-- });
    const keys = { uri: ['http://acme', 'http://alias'], owner: ['ann'] };
    await insertAll(storage, [
      draft('z', { keys }),
      draft('a', { keys: { uri: ['http://acme', 'http://acme'] } }),
      draft('m', { kind: 'style', keys }),
      draft('n', { keys: { owner: ['http://acme'] } }),
    ]);

    expect(namesOf(await storage.findByKey('workspace', 'uri', 'http://acme', 10))).toEqual(['z', 'a']);
    expect(namesOf(await storage.findByKey('workspace', 'uri', 'http://acme', 1))).toEqual(['z']);
    expect(namesOf(await storage.findByKey('workspace', 'uri', 'http://alias', 10))).toEqual(['z']);
    expect(await storage.findByKey('workspace', 'uri', 'http://ACME', 10)).toEqual([]);
    expect(await storage.findByKey('workspace', 'no-such-key', 'http://acme', 10)).toEqual([]);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %s is rejected', async (limit) => {
    const { storage } = await openFresh(create);

    await expect(storage.list('workspace', null, { limit })).rejects.toThrow(RangeError);
    await expect(storage.findByKey('workspace', 'uri', 'x', limit)).rejects.toThrow(RangeError);
    await expect(storage.listChildren('id', limit)).rejects.toThrow(RangeError);
    await expect(storage.listChanges(0, limit)).rejects.toThrow(RangeError);
  });
}
