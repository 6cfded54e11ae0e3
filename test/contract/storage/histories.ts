/** Compares random histories with a model that is a plain map. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, RecordDraft, Storage, WriteTransaction } from '../../../src/storage/port/port.ts';
import { codePoint } from '../../support/code-points.ts';
import { author, type CreatePlace, openFresh } from './place.ts';

/** Targets and parents are indexes into the records that exist when the step runs; -1 is the root. */
interface Step {
  readonly verb: 'insert' | 'update' | 'remove';
  readonly target: number;
  readonly parent: number;
  readonly kind: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly tag: string;
}

interface Change {
  readonly steps: readonly Step[];
  readonly fails: boolean;
}

type Model = ReadonlyMap<string, RecordDraft>;

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'é', '\u{1F30D}', '\uFF5E', "o'"),
  fc.string({ unit: codePoint, maxLength: 4 }).filter((text) => !text.includes('\0')),
);
const body = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 3,
});
const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom('insert' as const, 'insert' as const, 'update' as const, 'remove' as const),
  target: fc.nat(9),
  parent: fc.integer({ min: -1, max: 9 }),
  kind: fc.constantFrom('workspace', 'store'),
  name,
  body,
  tag: fc.constantFrom('x', 'y'),
});
const history: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({ steps: fc.array(step, { maxLength: 6 }), fails: fc.boolean() }),
  { maxLength: 12 },
);

export function historyContract(create: CreatePlace, share: number): void {
  test('after any history the records, the log and the rules match a plain map', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (changes) => {
        const { storage, reopen } = await openFresh(create);
        let model: Model = new Map();

        for (const change of changes) model = await play(storage, model, change);

        await expectState(storage, model);
        expect(await replay(storage)).toEqual(plain(model));
        const again = await reopen();
        await expectState(again, model);
        expect(await again.findIntegrityProblems()).toEqual([]);
        await again.close();
      }),
      { numRuns: Math.ceil(Number(process.env['HISTORY_RUNS'] ?? 30) * share) },
    );
  });
}

/** Applies a change to the storage and returns the new model, or the old one when the change fails. */
async function play(storage: Storage, before: Model, change: Change): Promise<Model> {
  const after = new Map(before);
  const write = storage.write(author, async (transaction) => {
    for (const one of change.steps) await playStep(transaction, after, one);
    if (change.fails) throw new Error('given up');
  });
  if (!change.fails) {
    await write;
    return after;
  }
  await expect(write).rejects.toThrow('given up');
  return before;
}

async function playStep(transaction: WriteTransaction, model: Map<string, RecordDraft>, one: Step): Promise<void> {
  const ids = [...model.keys()];
  const target = ids[one.target];
  const parent = ids[one.parent] ?? null;
  if (one.verb === 'insert') {
    const draft: RecordDraft = { ...draftOf(one), kind: one.kind, parent };
    const insertion = transaction.insert(draft);
    if (isTaken(model, draft, undefined)) await expect(insertion).rejects.toThrow('already used');
    else model.set((await insertion).id, draft);
    return;
  }
  const current = target === undefined ? undefined : model.get(target);
  if (target === undefined || current === undefined) return;
  if (one.verb === 'remove') {
    const removal = transaction.remove(target);
    const isParent = [...model.values()].some((record) => record.parent === target);
    if (isParent) await expect(removal).rejects.toThrow('contains other records');
    else await removal.then(() => model.delete(target));
    return;
  }
  const draft: RecordDraft = { ...draftOf(one), kind: current.kind, parent };
  const update = transaction.update(target, draft);
  if (isInside(model, parent, target)) await expect(update).rejects.toThrow('into itself');
  else if (isTaken(model, draft, target)) await expect(update).rejects.toThrow('already used');
  else await update.then(() => model.set(target, draft));
}

function draftOf(one: Step): Pick<RecordDraft, 'name' | 'body' | 'keys'> {
  return { name: one.name, body: one.body, keys: { tag: [one.tag] } };
}

function isTaken(model: Model, wanted: RecordDraft, own: string | undefined): boolean {
  return [...model].some(
    ([id, record]) =>
      id !== own && record.kind === wanted.kind && record.parent === wanted.parent && record.name === wanted.name,
  );
}

function isInside(model: Model, place: string | null, id: string): boolean {
  for (let at = place; at !== null; at = model.get(at)?.parent ?? null) if (at === id) return true;
  return false;
}

async function expectState(storage: Storage, model: Model): Promise<void> {
  for (const kind of ['workspace', 'store']) {
    const ofKind = [...model].filter(([, record]) => record.kind === kind);
    expect(await storage.count(kind)).toBe(ofKind.length);
    for (const parent of [null, ...model.keys()]) {
      const here = ofKind.filter(([, record]) => record.parent === parent);
      const ordered = here.toSorted(([, one], [, other]) => compareCodePoints(one.name, other.name));
      const listed = await storage.list(kind, parent);
      expect(listed.map((record) => record.id)).toEqual(ordered.map(([id]) => id));
    }
    for (const tag of ['x', 'y']) {
      const tagged = ofKind.filter(([, record]) => record.keys['tag']?.includes(tag));
      const found = await storage.findByKey(kind, 'tag', tag, 1_000);
      // Like every map, the model keeps insertion order.
      expect(found.map((record) => record.id)).toEqual(tagged.map(([id]) => id));
    }
  }
  for (const [id, record] of model) {
    const found = await storage.find(record.kind, record.parent, record.name);
    expect([found?.id, found?.body]).toEqual([id, record.body]);
    expect(await storage.get(id)).toEqual(found);
    const childCount = [...model.values()].filter((other) => other.parent === id).length;
    expect(await storage.countChildren(id)).toBe(childCount);
    expect(await storage.listChildren(id, 1_000)).toHaveLength(childCount);
  }
}

/** Rebuilds the state from the log alone, and checks that each `before` matches the previous state. */
async function replay(storage: Storage): Promise<ReadonlyMap<string, unknown>> {
  const state = new Map<string, unknown>();
  const position = await storage.position();
  for (let sequence = 0; sequence < position; sequence++) {
    const [entry] = await storage.listChanges(sequence, 1);
    expect(entry?.sequence).toBe(sequence + 1);
    for (const item of entry?.items ?? []) {
      expect(item.before).toEqual(state.get(item.id) ?? null);
      if (item.after === null) state.delete(item.id);
      else state.set(item.id, item.after);
    }
  }
  return state;
}

function plain(model: Model): ReadonlyMap<string, unknown> {
  return new Map(
    [...model].map(([id, record]) => [id, { parent: record.parent, name: record.name, body: record.body }]),
  );
}

function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
