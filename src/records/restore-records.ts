/** Restores records of any kind to earlier states as part of a change. */
import { isDeepStrictEqual } from 'node:util';
import { yieldIfDue } from '../lib/async/yield-if-due.ts';
import {
  type ChangedState,
  type KindRules,
  NameTaken,
  type RecordDraft,
  type StoredRecord,
  type WriteTransaction,
} from '../storage/port/port.ts';

/** A record and its target state; null if it must not exist. */
export interface TargetState {
  readonly kind: string;
  readonly id: string;
  readonly state: ChangedState | null;
  /** The creation time for a deleted record. */
  readonly createdAtMs: number;
}

/** Records that block the restore: they are inside a record that must be deleted, or have a required name. */
export class RestoreConflict extends Error {
  override readonly name = 'RestoreConflict';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`Existing records block the restore: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

/** The number of contents that an error lists. */
const MAX_REPORTED_CONTENTS = 10;

/** Throws `RestoreConflict`; the change must be rolled back then. */
export async function restoreRecords(
  transaction: WriteTransaction,
  formers: readonly TargetState[],
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  const present = new Map<string, StoredRecord>();
  const differing: TargetState[] = [];
  for (const former of formers) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    const record = await transaction.get(former.id);
    if (record !== undefined) present.set(former.id, record);
    if (!isInState(record, former.state)) differing.push(former);
  }
  const leaving = differing.filter(({ state }) => state === null);
  const coming = differing.filter(({ id, state }) => state !== null && !present.has(id));
  const staying = differing.filter(({ id, state }) => state !== null && present.has(id));
  const moving = staying.filter(({ id, state }) => !hasSameName(present.get(id), state));

  // Move records aside first: one may have the name that another needs.
  if (coming.length > 0 || moving.length > 0) {
    for (const { id } of [...leaving, ...moving]) await moveAside(transaction, present.get(id), kinds);
  }
  for (const former of await sortParentsFirst(coming)) {
    if (former.state === null) continue;
    const { id, createdAtMs } = former;
    const draft = createDraft(former.kind, former.state, kinds);
    await writeUnlessTaken(transaction, draft, () => transaction.restore(draft, { id, createdAtMs }));
  }
  for (const { id, kind, state } of staying) {
    const now = present.get(id);
    if (state === null || now === undefined) continue;
    const draft = createDraft(kind, { ...state, body: computeBody(kind, state, now, kinds) }, kinds);
    await writeUnlessTaken(transaction, draft, () => transaction.update(id, draft));
  }
  for (const { id } of await sortChildrenFirst(leaving, present)) {
    const inside = await transaction.listChildren(id, MAX_REPORTED_CONTENTS);
    if (inside.length > 0) throw new RestoreConflict(inside.map((each) => each.id));
    await transaction.remove(id);
  }
}

export function isInState(record: StoredRecord | undefined, state: ChangedState | null): boolean {
  if (record === undefined || state === null) return record === undefined && state === null;
  return hasSameName(record, state) && isDeepStrictEqual(record.body, state.body);
}

function hasSameName(record: StoredRecord | undefined, state: ChangedState | null): boolean {
  return record?.parent === state?.parent && record?.name === state?.name;
}

/** Counters continue: a client that cached a value by its number must not see that number again. */
function computeBody(kind: string, state: ChangedState, now: StoredRecord, kinds: ReadonlyMap<string, KindRules>) {
  return kinds.get(kind)?.countOn?.(now.body) ?? state.body;
}

function createDraft(
  kind: string,
  { parent, name, body }: ChangedState,
  kinds: ReadonlyMap<string, KindRules>,
): RecordDraft {
  const rules = kinds.get(kind);
  if (rules === undefined) throw new Error(`Unknown record kind '${kind}'.`);
  return { kind, parent, name, body, ...rules.index({ parent, name, body }) };
}

/** The temporary name cannot be chosen by a client. */
async function moveAside(
  transaction: WriteTransaction,
  record: StoredRecord | undefined,
  kinds: ReadonlyMap<string, KindRules>,
): Promise<void> {
  if (record === undefined) return;
  const { id, kind, parent, body } = record;
  await transaction.update(id, createDraft(kind, { parent, name: `\u0001${id}`, body }, kinds));
}

async function writeUnlessTaken(
  transaction: WriteTransaction,
  { kind, parent, name }: RecordDraft,
  write: () => Promise<unknown>,
): Promise<void> {
  if (parent !== null && (await transaction.get(parent)) === undefined) throw new RestoreConflict([parent]);
  try {
    await write();
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    const holder = await transaction.find(kind, parent, name);
    throw new RestoreConflict(holder === undefined ? [] : [holder.id]);
  }
}

function sortParentsFirst(formers: readonly TargetState[]): Promise<readonly TargetState[]> {
  return sortByParent(formers, ({ state }) => state?.parent ?? null);
}

async function sortChildrenFirst(
  formers: readonly TargetState[],
  present: ReadonlyMap<string, StoredRecord>,
): Promise<readonly TargetState[]> {
  return (await sortByParent(formers, ({ id }) => present.get(id)?.parent ?? null)).toReversed();
}

/** Sorts each record after its parent, if that is among them. */
async function sortByParent(
  formers: readonly TargetState[],
  getParent: (former: TargetState) => string | null,
): Promise<readonly TargetState[]> {
  const byId = new Map<string, TargetState>();
  for (const former of formers) {
    byId.set(former.id, former);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  const ordered = new Set<TargetState>();
  const add = (former: TargetState): void => {
    if (ordered.has(former)) return;
    const parent = byId.get(getParent(former) ?? '');
    if (parent !== undefined) add(parent);
    ordered.add(former);
  };
  for (const former of formers) {
    add(former);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return [...ordered];
}
