/** Brings records back to states that they once had, whatever their kinds, as part of a change. */
import { isDeepStrictEqual } from 'node:util';
import { turn } from '../lib/pace.ts';
import {
  type ChangedState,
  type KindRules,
  NameTaken,
  type RecordDraft,
  type StoredRecord,
  type WriteTransaction,
} from '../storage/port.ts';

/** A record and how it is to be; null if it is not to be there. */
export interface FormerState {
  readonly kind: string;
  readonly id: string;
  readonly state: ChangedState | null;
  /** When it was first made, for one that is gone. */
  readonly createdAtMs: number;
}

/** Records that are in the way: something lives in what is to go, or has a name that is wanted. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`Records are in the way: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

/** How many are named of those that live in one that is to go. */
const NAMED_CONTENTS = 10;

/** Throws `InTheWay`; nothing of the change may be kept then. */
export async function putBack(
  transaction: WriteTransaction,
  formers: readonly FormerState[],
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  const present = new Map<string, StoredRecord>();
  const differing: FormerState[] = [];
  for (const former of formers) {
    const others = turn();
    if (others !== undefined) await others;
    const record = await transaction.get(former.id);
    if (record !== undefined) present.set(former.id, record);
    if (!isInState(record, former.state)) differing.push(former);
  }
  const leaving = differing.filter(({ state }) => state === null);
  const coming = differing.filter(({ id, state }) => state !== null && !present.has(id));
  const staying = differing.filter(({ id, state }) => state !== null && present.has(id));
  const moving = staying.filter(({ id, state }) => !isAtSamePlace(present.get(id), state));

  // Out of each other's way first: one may have the name that another is to have.
  if (coming.length > 0 || moving.length > 0) {
    for (const { id } of [...leaving, ...moving]) await park(transaction, present.get(id), kinds);
  }
  for (const former of await parentsFirst(coming)) {
    if (former.state === null) continue;
    const { id, createdAtMs } = former;
    const draft = draftOf(former.kind, former.state, kinds);
    await unlessTaken(transaction, draft, () => transaction.restore(draft, { id, createdAtMs }));
  }
  for (const { id, kind, state } of staying) {
    const now = present.get(id);
    if (state === null || now === undefined) continue;
    const draft = draftOf(kind, { ...state, body: bodyFor(kind, state, now, kinds) }, kinds);
    await unlessTaken(transaction, draft, () => transaction.update(id, draft));
  }
  for (const { id } of await childrenFirst(leaving, present)) {
    const inside = await transaction.children(id, NAMED_CONTENTS);
    if (inside.length > 0) throw new InTheWay(inside.map((each) => each.id));
    await transaction.remove(id);
  }
}

export function isInState(record: StoredRecord | undefined, state: ChangedState | null): boolean {
  if (record === undefined || state === null) return record === undefined && state === null;
  return isAtSamePlace(record, state) && isDeepStrictEqual(record.body, state.body);
}

function isAtSamePlace(record: StoredRecord | undefined, state: ChangedState | null): boolean {
  return record?.parent === state?.parent && record?.name === state?.name;
}

/** What only counts goes on counting: whoever remembers something by its number must not see that number again. */
function bodyFor(kind: string, state: ChangedState, now: StoredRecord, kinds: ReadonlyMap<string, KindRules>) {
  return kinds.get(kind)?.countOn?.(now.body) ?? state.body;
}

function draftOf(
  kind: string,
  { parent, name, body }: ChangedState,
  kinds: ReadonlyMap<string, KindRules>,
): RecordDraft {
  const rules = kinds.get(kind);
  if (rules === undefined) throw new Error(`Nobody knows records of the kind '${kind}'.`);
  return { kind, parent, name, body, ...rules.index({ parent, name, body }) };
}

/** Under a name that nobody can have given. */
async function park(
  transaction: WriteTransaction,
  record: StoredRecord | undefined,
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  if (record === undefined) return;
  const { id, kind, parent, body } = record;
  await transaction.update(id, draftOf(kind, { parent, name: `\u0001${id}`, body }, kinds));
}

async function unlessTaken(
  transaction: WriteTransaction,
  { kind, parent, name }: RecordDraft,
  write: () => Promise<unknown>,
): Promise<void> {
  if (parent !== null && (await transaction.get(parent)) === undefined) throw new InTheWay([parent]);
  try {
    await write();
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    const holder = await transaction.find(kind, parent, name);
    throw new InTheWay(holder === undefined ? [] : [holder.id]);
  }
}

function parentsFirst(formers: readonly FormerState[]): Promise<readonly FormerState[]> {
  return inOrderOf(formers, ({ state }) => state?.parent ?? null);
}

async function childrenFirst(
  formers: readonly FormerState[],
  present: ReadonlyMap<string, StoredRecord>,
): Promise<readonly FormerState[]> {
  return (await inOrderOf(formers, ({ id }) => present.get(id)?.parent ?? null)).toReversed();
}

/** Each after the one that it lives in, if that is among them. */
async function inOrderOf(
  formers: readonly FormerState[],
  parentOf: (former: FormerState) => string | null,
): Promise<readonly FormerState[]> {
  const byId = new Map<string, FormerState>();
  for (const former of formers) {
    byId.set(former.id, former);
    const others = turn();
    if (others !== undefined) await others;
  }
  const ordered = new Set<FormerState>();
  const add = (former: FormerState): void => {
    if (ordered.has(former)) return;
    const parent = byId.get(parentOf(former) ?? '');
    if (parent !== undefined) add(parent);
    ordered.add(former);
  };
  for (const former of formers) {
    add(former);
    const others = turn();
    if (others !== undefined) await others;
  }
  return [...ordered];
}
