/** Drafts: work that reads its own writes, is committed as one change, and is repeated after a conflict. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_PROVISIONAL_VERSION, resolveProvisionalVersion } from '../../../src/lib/values/provisional-version.ts';
import type {
  BufferedResult,
  BufferedTransaction,
  ChangeAuthor,
  JsonObject,
  KindRules,
  RecordDraft,
  RecordReader,
  Storage,
  StoredRecord,
} from '../../../src/storage/port/port.ts';
import { author, type CreatePlace, gate, insert, namesOf, openFresh, draft as record } from './place.ts';

/** Kinds whose records have the key `color`. */
const colored: readonly KindRules[] = ['workspace', 'store'].map((kind) => ({
  kind,
  bodyVersion: 1,
  keyNames: ['color'],
  upgrade: (body: JsonObject) => body,
  index: ({ body }) => ({ keys: { color: colorsOf(body) } }),
  mask: ({ password, ...body }: JsonObject) => (password === undefined ? body : { ...body, password: '(secret)' }),
}));

function colorsOf(body: JsonObject): readonly string[] {
  return typeof body['color'] === 'string' ? [body['color']] : [];
}

function paint(name: string, color: string, rest: Partial<RecordDraft> = {}): RecordDraft {
  return record(name, { body: { color }, keys: { color: [color] }, ...rest });
}

function kept<T>(result: T, rest: Partial<BufferedResult<T>> = {}): BufferedResult<T> {
  return { result, author, shouldCommit: true, onRollback: async () => undefined, ...rest };
}

/** Makes a change in a draft and returns the record. */
async function insertIn(draft: BufferedTransaction, each: RecordDraft): Promise<StoredRecord> {
  return (await draft.change(author, (transaction) => transaction.insert(each))).result;
}

export function draftContract(create: CreatePlace, share: number): void {
  test('the changes of a draft form one change with one number, and each sees the previous ones', async () => {
    const { storage } = await openFresh(create);
    await insert(storage, record('first'));
    const whole: ChangeAuthor = { who: 'admin', what: 'publish the harbour' };

    const { result, change } = await storage.writeBuffered(async (draft) => {
      const acme = await insertIn(draft, record('acme'));
      const seen = await draft.find('workspace', null, 'acme');
      const roads = await insertIn(draft, record('roads', { kind: 'store', parent: seen?.id ?? null }));
      return kept({ acme, roads }, { author: whole });
    });

    expect(change).toBe(2);
    expect(storage.position()).toBe(2);
    expect(await storage.find('store', result.acme.id, 'roads')).toEqual({ ...result.roads, version: 2 });
    expect(await storage.listChanges(1, 5)).toMatchObject([
      { sequence: 2, what: 'publish the harbour', items: [{ id: result.acme.id }, { id: result.roads.id }] },
    ]);
  });

  test('a draft stores the last contents of a record that it writes several times, without what was rolled back', async () => {
    const { storage } = await openFresh(create);
    const old = await insert(storage, paint('old', 'red'));

    const { result: made } = await storage.writeBuffered(async (draft) => {
      const repaint = (id: string, name: string, color: string) =>
        draft.change(author, (transaction) => transaction.update(id, paint(name, color)));
      const created = await insertIn(draft, paint('made', 'red'));
      await repaint(created.id, 'made', 'green');
      await repaint(old.id, 'old', 'green');
      const failing = draft.attempt(async () => {
        await repaint(created.id, 'made', 'blue');
        await repaint(created.id, 'moved', 'blue');
        await repaint(old.id, 'old', 'blue');
        throw new Error('The attempt failed.');
      });
      await expect(failing).rejects.toThrow('The attempt failed.');
      // The name is free for another record in between.
      const other = await insertIn(draft, paint('other', 'yellow'));
      await repaint(other.id, 'another', 'yellow');
      await insertIn(draft, paint('other', 'white'));
      return kept(created);
    });

    const stored = await storage.list('workspace', null);
    expect(stored.map(({ name, body }) => [name, body['color']])).toEqual([
      ['another', 'yellow'],
      ['made', 'green'],
      ['old', 'green'],
      ['other', 'white'],
    ]);
    const namesOfColor = async (color: string) =>
      (await storage.findByKey('workspace', 'color', color, 9)).map(({ name }) => name);
    expect(await Promise.all(['red', 'green', 'blue'].map(namesOfColor))).toEqual([[], ['old', 'made'], []]);
    const [{ items = [] } = {}] = await storage.listChanges(1, 5);
    expect(items.filter(({ id }) => [made.id, old.id].includes(id))).toMatchObject([
      { id: made.id, before: null, after: { body: { color: 'green' } } },
      { id: old.id, before: { body: { color: 'red' } }, after: { body: { color: 'green' } } },
    ]);
  });

  test('a draft finds the children of a record, whether they are stored, created or restored by the draft', async () => {
    const { storage } = await openFresh(create);
    const acme = await insert(storage, record('acme'));
    const store = (parent: StoredRecord, name: string) => record(name, { kind: 'store', parent: parent.id });
    const roads = await insert(storage, store(acme, 'roads'));

    const { result } = await storage.writeBuffered(async (draft) => {
      const found = async (parent: StoredRecord) =>
        Promise.all(['roads', 'rivers'].map(async (name) => (await draft.find('store', parent.id, name))?.name));
      const made = await insertIn(draft, record('made'));
      await insertIn(draft, store(made, 'rivers'));
      await draft.change(author, (transaction) => transaction.update(acme.id, record('acme', { body: { a: 1 } })));
      const before = [await found(acme), await found(made)];
      await draft.change(author, async (transaction) => {
        await transaction.remove(roads.id);
        await transaction.remove(acme.id);
        await transaction.restore(record('acme'), acme);
      });
      await insertIn(draft, store(acme, 'rivers'));
      return kept([...before, await found(acme)]);
    });

    expect(result).toEqual([
      ['roads', undefined],
      [undefined, 'rivers'],
      [undefined, 'rivers'],
    ]);
    expect(namesOf(await storage.list('store', acme.id))).toEqual(['rivers']);
  });

  test('a draft is invisible before its commit, and leaves nothing if its work fails or is discarded', async () => {
    const { storage } = await openFresh(create);

    await storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('acme'));
      expect(await storage.find('workspace', null, 'acme')).toBeUndefined();
      return kept(undefined, { shouldCommit: false });
    });
    const failed = storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('acme'));
      throw new Error('no');
    });

    await expect(failed).rejects.toThrow('no');
    expect(await storage.count('workspace')).toBe(0);
    expect(storage.position()).toBe(0);
  });

  test('a draft without effective changes has no number', async () => {
    const { storage } = await openFresh(create);

    const { change } = await storage.writeBuffered(async (draft) => {
      const acme = await insertIn(draft, record('acme'));
      await draft.change(author, (transaction) => transaction.remove(acme.id));
      return kept(undefined);
    });

    expect(change).toBeNull();
    expect(storage.position()).toBe(0);
  });

  test('versions inside a draft are distinct from all others and become the number of its change', async () => {
    const { storage } = await openFresh(create);

    const { result, change } = await storage.writeBuffered(async (draft) => {
      const one = await insertIn(draft, record('one'));
      const { result: other } = await draft.change(author, (transaction) =>
        transaction.update(one.id, record('one', { body: { a: 1 } })),
      );
      return kept({ one, other });
    });

    const versions = [result.one.version, result.other.version];
    expect(new Set(versions).size).toBe(2);
    expect(versions.every((version) => version > FIRST_PROVISIONAL_VERSION)).toBe(true);
    expect(versions.map((version) => resolveProvisionalVersion(version, change))).toEqual([1, 1]);
    expect((await storage.get(result.one.id))?.version).toBe(1);
  });

  test('a failed change is rolled back alone, and so is a dry run', async () => {
    const { storage } = await openFresh(create);

    const { result } = await storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('kept'));
      const failed = draft.change(author, async (transaction) => {
        await transaction.insert(record('lost'));
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await draft.rehearse(author, (transaction) => transaction.insert(record('tried')));
      await expect(insertIn(draft, record('kept'))).rejects.toThrow("The name 'kept' is already used");
      return kept(await draft.listNames('workspace', null));
    });

    expect(result).toEqual(['kept']);
    expect(await storage.listNames('workspace', null)).toEqual(['kept']);
  });

  test('a failed attempt of several changes restores the state before it', async () => {
    const { storage } = await openFresh(create);

    await storage.writeBuffered(async (draft) => {
      const first = await insertIn(draft, record('first'));
      const attempt = draft.attempt(async () => {
        await draft.change(author, (transaction) => transaction.remove(first.id));
        await insertIn(draft, record('second'));
        throw new Error('no');
      });
      await expect(attempt).rejects.toThrow('no');
      await insertIn(draft, record('third'));
      return kept(undefined);
    });

    expect(await storage.listNames('workspace', null)).toEqual(['first', 'third']);
  });

  test('work is repeated after a conflicting change of its reads, and the discarded attempt is rolled back', async () => {
    const { storage } = await openFresh(create);
    const counter = await insert(storage, record('counter', { body: { value: 1 } }));
    let attempts = 0;
    let abandoned = 0;

    const { change } = await storage.writeBuffered(async (draft) => {
      attempts += 1;
      const value = Number((await draft.get(counter.id))?.body['value']);
      await draft.change(author, (transaction) =>
        transaction.update(counter.id, record('counter', { body: { value: value * 10 } })),
      );
      if (attempts === 1) {
        await storage.write(author, (transaction) =>
          transaction.update(counter.id, record('counter', { body: { value: 2 } })),
        );
      }
      return kept(undefined, {
        onRollback: async () => {
          abandoned += 1;
        },
      });
    });

    expect(change).toBe(3);
    expect((await storage.get(counter.id))?.body).toEqual({ value: 20 });
    expect([attempts, abandoned]).toEqual([2, 1]);
  });

  test.each<[string, (draft: BufferedTransaction) => Promise<unknown>]>([
    ['a lookup of an unused name', (draft) => draft.find('workspace', null, 'new')],
    ['a list', (draft) => draft.list('workspace', null)],
    ['a list of names', (draft) => draft.listNames('workspace', null)],
    ['a list of key values', (draft) => draft.listKeyValues('workspace', 'color')],
    ['a lookup by key', (draft) => draft.findByKey('workspace', 'color', 'red', 5)],
    ['a count', (draft) => draft.count('workspace')],
    ['the log', async (draft) => draft.noteLogRead()],
  ])('%s conflicts with a concurrent change', async (_what, read) => {
    const { storage } = await openFresh(create, { kinds: colored });
    let attempts = 0;

    await storage.writeBuffered(async (draft) => {
      attempts += 1;
      await read(draft);
      await insertIn(draft, record('other', { kind: 'store' }));
      if (attempts === 1) await insert(storage, paint('new', 'red'));
      return kept(undefined);
    });

    expect(attempts).toBe(2);
  });

  test('changes to records that were not read cause no conflict', async () => {
    const { storage } = await openFresh(create, { kinds: colored });
    const acme = await insert(storage, paint('acme', 'red'));
    let attempts = 0;

    const { change } = await storage.writeBuffered(async (draft) => {
      attempts += 1;
      await draft.find('workspace', null, 'acme');
      await draft.listChildren(acme.id, 5);
      await insertIn(draft, record('roads', { kind: 'store', parent: acme.id }));
      await insert(storage, paint('elsewhere', 'red'));
      return kept(undefined);
    });

    expect([attempts, change]).toEqual([1, 3]);
    expect(namesOf(await storage.listChildren(acme.id, 5))).toEqual(['roads']);
  });

  test('a draft with repeated conflicts finally runs alone while other writes wait', async () => {
    const { storage } = await openFresh(create);
    const counter = await insert(storage, record('counter', { body: { value: 0 } }));
    const add = (transaction: Parameters<Parameters<Storage['write']>[1]>[0]) =>
      transaction
        .get(counter.id)
        .then((now) =>
          transaction.update(counter.id, record('counter', { body: { value: Number(now?.body['value']) + 1 } })),
        );
    let attempts = 0;
    let waiting = 0;

    const { change } = await storage.writeBuffered(async (draft) => {
      attempts += 1;
      await draft.change(author, add);
      if (attempts < 5) await storage.write(author, add);
      else waiting = storage.countPendingWrites();
      return kept(undefined);
    });

    expect(attempts).toBe(5);
    expect((await storage.get(counter.id))?.body).toEqual({ value: 5 });
    expect([waiting, change]).toEqual([1, 6]);
  });

  test('the hook before the commit receives the number and can still reject the change', async () => {
    const { storage } = await openFresh(create);
    const sequences: (number | undefined)[] = [];
    let abandoned = 0;

    await storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('acme'));
      return kept(undefined, { beforeCommit: async (change) => void sequences.push(change?.sequence) });
    });
    const refused = storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('roads'));
      return kept(undefined, {
        beforeCommit: () => Promise.reject(new Error('the other database is gone')),
        onRollback: async () => {
          abandoned += 1;
        },
      });
    });

    await expect(refused).rejects.toThrow('the other database is gone');
    expect(sequences).toEqual([1]);
    expect(abandoned).toBe(1);
    expect(await storage.listNames('workspace', null)).toEqual(['acme']);
  });

  test('the outcome of its changes is reported once per record, without secrets', async () => {
    const { storage } = await openFresh(create, { kinds: colored });
    const old = await insert(storage, record('old', { body: { password: 'a' } }));

    const { result } = await storage.writeBuffered(async (draft) => {
      await draft.change(author, (transaction) =>
        transaction.update(old.id, record('older', { body: { password: 'b' } })),
      );
      await draft.change(author, (transaction) =>
        transaction.update(old.id, record('oldest', { body: { password: 'c' } })),
      );
      const gone = await insertIn(draft, record('gone'));
      await draft.change(author, (transaction) => transaction.remove(gone.id));
      return kept(draft.listItems());
    });

    expect(result).toMatchObject([
      { id: old.id, before: { name: 'old', body: { password: '(secret)' } }, after: { name: 'oldest' } },
    ]);
  });

  test('a reply is stored with its change and survives a restart until it is deleted', async () => {
    const { storage, reopen } = await openFresh(create);
    const reply = (key: string, body: string) => ({ who: 'admin', key, request: 'hash', reply: body });

    await storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('acme'));
      return kept(undefined, { reply: (change) => reply('one', `change ${change?.sequence}`) });
    });
    await storage.writeBuffered(async () => kept(undefined, { reply: (change) => reply('two', String(change)) }));
    const failed = storage.writeBuffered(async () =>
      kept(undefined, { reply: () => reply('three', 'never'), beforeCommit: () => Promise.reject(new Error('no')) }),
    );
    await expect(failed).rejects.toThrow('no');

    const again = await reopen();
    const found = await again.findReply('admin', 'one');
    expect(found).toMatchObject({ request: 'hash', reply: 'change 1' });
    expect(await again.findReply('admin', 'two')).toMatchObject({ reply: 'null' });
    expect(await again.findReply('admin', 'three')).toBeUndefined();
    expect(await again.findReply('another user', 'one')).toBeUndefined();
    expect(again.position()).toBe(1);
    expect(await again.deleteReplies((found?.atMs ?? 0) + 1, 5)).toBe(1);
    expect(await again.findReply('admin', 'one')).toBeUndefined();
    expect(await again.findReply('admin', 'two')).toBeDefined();
  });

  test('a record missing from a snapshot does not hide later records or writes', async () => {
    const { storage } = await openFresh(create, { kinds: colored });
    const there = ['b', 'd', '\uffdc', '😀'];
    for (const name of there) await insert(storage, paint(name, name));
    const asked = ['a', 'aa', 'b', 'bb', 'c', 'd', 'ca', 'dd', '\uffdc', '\uffdd', '😀', '😁', 'b', 'a', '😀'];

    await storage.writeBuffered(async (draft) => {
      for (const name of asked) {
        const found = there.includes(name) ? [name] : [];
        expect([await draft.find('workspace', null, name)].flatMap((each) => each?.name ?? [])).toEqual(found);
        expect(namesOf(await draft.findByKey('workspace', 'color', name, 2))).toEqual(found);
        expect(await draft.findByKey('store', 'color', name, 2)).toEqual([]);
      }
      const roads = await insertIn(draft, paint('roads', 'aa'));
      expect(await draft.find('workspace', null, 'roads')).toEqual(roads);
      expect(await draft.findByKey('workspace', 'color', 'aa', 2)).toEqual([roads]);
      return kept(undefined);
    });
  });

  test('other writes proceed while the work of a draft waits', async () => {
    const { storage } = await openFresh(create);
    const waiting = gate();

    const drafted = storage.writeBuffered(async (draft) => {
      await insertIn(draft, record('slow'));
      await waiting.passed;
      return kept(undefined);
    });
    await insert(storage, record('quick'));
    waiting.open();

    expect((await drafted).change).toBe(2);
    expect(await storage.listNames('workspace', null)).toEqual(['quick', 'slow']);
  });

  test('a draft reads the same as a storage with the same writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyWrite, { maxLength: 8 }),
        fc.array(anyWrite, { maxLength: 12 }),
        async (before, writes) => {
          const { storage } = await openFresh(create, { kinds: colored });
          const { storage: model } = await openFresh(create, { kinds: colored });
          for (const each of before) {
            await carryOut((work) => storage.write(author, work), each);
            await carryOut((work) => model.write(author, work), each);
          }

          await storage.writeBuffered(async (draft) => {
            for (const each of writes) {
              await carryOut((work) => draft.change(author, work), each);
              await carryOut((work) => model.write(author, work), each);
              expect(await allOf(draft)).toEqual(await allOf(model));
            }
            return kept(undefined);
          });

          expect(await allOf(storage)).toEqual(await allOf(model));
        },
      ),
      { numRuns: Math.ceil(Number(process.env['DRAFT_RUNS'] ?? 15) * share) },
    );
  }, 60_000);
}

interface Write {
  readonly verb: 'insert' | 'update' | 'remove';
  readonly kind: 'workspace' | 'store';
  readonly at: string;
  readonly name: string;
  readonly inside: string | null;
  readonly color: string;
}

const names = fc.constantFrom('a', 'b', 'c', '\ufffd', '\u{1f600}');

const anyWrite: fc.Arbitrary<Write> = fc.record({
  verb: fc.constantFrom('insert', 'insert', 'update', 'remove'),
  kind: fc.constantFrom('workspace', 'store'),
  at: names,
  name: names,
  inside: fc.option(names),
  color: fc.constantFrom('red', 'green', 'blue'),
});

/** A rejected step changes nothing. */
async function carryOut(
  change: (work: Parameters<Storage['write']>[1]) => Promise<unknown>,
  { verb, kind, at, name, inside, color }: Write,
): Promise<void> {
  const done = change(async (transaction) => {
    const parent = inside === null ? null : ((await transaction.find('workspace', null, inside))?.id ?? null);
    const next = paint(name, color, { kind, parent });
    if (verb === 'insert') return transaction.insert(next);
    const found = (await transaction.list(kind, null)).find((each) => each.name === at)?.id ?? 'missing';
    return verb === 'update' ? transaction.update(found, next) : transaction.remove(found);
  });
  await done.catch(() => undefined);
}

/** Everything that can be read, with names instead of ids, which differ. */
async function allOf(reader: RecordReader): Promise<unknown> {
  const results: unknown[] = [];
  const named = (each: StoredRecord) => [each.kind, each.name, each.body['color']];
  for (const kind of ['workspace', 'store']) {
    results.push(await reader.count(kind), await reader.listKeyValues(kind, 'color'));
    results.push(await reader.listKeyValues(kind, 'color', { from: 'c', before: 'h' }));
    results.push(new Set((await reader.listOfKind(kind, undefined, 50)).map((each) => named(each).join())));
    for (const color of ['red', 'green', 'blue']) {
      results.push((await reader.findByKey(kind, 'color', color, 3)).map(named));
    }
    const parents = [null, ...(await reader.list('workspace', null)).map(({ id }) => id)];
    for (const parent of parents) {
      results.push((await reader.list(kind, parent)).map(named), await reader.listNames(kind, parent));
      results.push((await reader.list(kind, parent, { after: 'a', limit: 2 })).map(named));
      for (const name of ['a', 'b', 'c']) results.push((await reader.find(kind, parent, name))?.body);
      if (parent === null) continue;
      results.push((await reader.listChildren(parent, 2)).map(named), await reader.countChildren(parent));
    }
  }
  return results;
}
