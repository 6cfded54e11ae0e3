/** The log of changes over rows, as one state has it: bodies as they would be written today, with or without secrets. */

import type { Pace } from '../lib/pace.ts';
import type { BodyVersions } from './adapt-kinds.ts';
import type {
  ChangedState,
  ChangeEntry,
  ChangeHead,
  ChangeItem,
  ChangeRange,
  JsonObject,
  KindRules,
  LogReader,
  OrderedItem,
  RecordedState,
} from './port.ts';
import { requireLimit } from './record-reader.ts';
import type { RowSnapshot, RowTransaction } from './rows.ts';
import { isStorable } from './storable-text.ts';

/** So many items of a change are read at a time. */
const ITEMS_AT_ONCE = 500;

/** What has to be known of kinds to tell of their records. */
export interface LogRules {
  readonly kinds: ReadonlyMap<string, KindRules>;
  readonly versions: BodyVersions;
  readonly pace: Pace;
}

export class RowLogReader implements LogReader {
  readonly #state: RowSnapshot;
  readonly #rules: LogRules;
  readonly #assertUsable: () => void;

  /** `assertUsable` throws once the state may no longer be asked. */
  constructor(rows: RowSnapshot, rules: LogRules, assertUsable: () => void) {
    this.#state = rows;
    this.#rules = rules;
    this.#assertUsable = assertUsable;
  }

  get #rows(): RowSnapshot {
    this.#assertUsable();
    return this.#state;
  }

  async entries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]> {
    return this.#rows.changes(range, requireLimit(limit));
  }

  async *items(sequence: number): AsyncGenerator<ChangeItem> {
    for await (const item of this.#sealedItems(sequence)) yield masked(item, this.#rules.kinds);
  }

  async someItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]> {
    const items = await this.#rows.itemsOf(sequence, after, requireLimit(limit));
    return items.map(({ ordinal, item }) => ({
      ordinal,
      item: masked(this.#upToDate(item, sequence), this.#rules.kinds),
    }));
  }

  async stateAt(id: string, sequence: number): Promise<RecordedState | undefined> {
    if (!isStorable(id)) return undefined;
    const before = await this.#rows.itemOf(id, sequence, 'up to');
    if (before !== undefined) return this.#stateIn(before.item, before.sequence, 'after');
    // The log does not reach back so far, or the record was made later.
    const next = await this.#rows.itemOf(id, sequence, 'after');
    if (next !== undefined) return this.#stateIn(next.item, next.sequence, 'before');
    const stored = await this.#rows.get(id);
    return stored && { kind: stored.kind, parent: stored.parent, name: stored.name, body: stored.body };
  }

  async lastChangeOf(id: string): Promise<number | undefined> {
    if (!isStorable(id)) return undefined;
    return (await this.#rows.itemOf(id, Number.MAX_SAFE_INTEGER, 'up to'))?.sequence;
  }

  async createdBy(id: string): Promise<number | undefined> {
    const first = isStorable(id) ? await this.#rows.itemOf(id, 0, 'after') : undefined;
    return first?.item.before === null ? first.sequence : undefined;
  }

  async creationOf(id: string): Promise<number | undefined> {
    const number = await this.createdBy(id);
    return number === undefined ? undefined : (await this.#rows.changes({ after: number - 1 }, 1))[0]?.atMs;
  }

  /** With secrets as they are kept. */
  async sealed(entry: ChangeHead): Promise<ChangeEntry> {
    const items: ChangeItem[] = [];
    for await (const item of this.#sealedItems(entry.sequence)) items.push(item);
    return { ...entry, items };
  }

  async *#sealedItems(sequence: number): AsyncGenerator<ChangeItem> {
    const rows = { itemsOf: (...asked: Parameters<RowSnapshot['itemsOf']>) => this.#rows.itemsOf(...asked) };
    for await (const item of itemsOf(rows, sequence, this.#rules.pace)) yield this.#upToDate(item, sequence);
  }

  #stateIn(item: ChangeItem, sequence: number, side: 'before' | 'after'): RecordedState | undefined {
    const state = this.#upToDate(item, sequence)[side];
    return state === null ? undefined : { kind: item.kind, ...state };
  }

  /** What the log tells is as old as its entries are. */
  #upToDate(item: ChangeItem, sequence: number): ChangeItem {
    const { kinds, versions } = this.#rules;
    const rules = kinds.get(item.kind);
    const written = versions.get(item.kind)?.findLast(({ since }) => since <= sequence)?.bodyVersion ?? 1;
    return rules === undefined || written === rules.bodyVersion
      ? item
      : withBodies(item, (body) => rules.upgrade(body, written));
  }
}

/** The log as it is at each question. */
export class LogOfEachState implements LogReader {
  readonly #reading: <T>(read: (log: LogReader) => Promise<T>) => Promise<T>;
  readonly #pace: Pace;

  /** `reading` runs a read with the log of the last state. */
  constructor(reading: <T>(read: (log: LogReader) => Promise<T>) => Promise<T>, pace: Pace) {
    this.#reading = reading;
    this.#pace = pace;
  }

  entries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]> {
    return this.#reading((log) => log.entries(range, limit));
  }

  /** Whoever takes long to go through them keeps no state alive meanwhile: what was written down once stays as it is. */
  async *items(sequence: number): AsyncGenerator<ChangeItem> {
    for (let last = -1; ; ) {
      const piece = await this.someItems(sequence, last, ITEMS_AT_ONCE);
      for (const { item } of piece) yield item;
      if (piece.length < ITEMS_AT_ONCE) {
        if (last >= 0) await this.#assertKept(sequence);
        return;
      }
      last = piece.at(-1)?.ordinal ?? last;
      await this.#pace();
    }
  }

  someItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]> {
    return this.#reading((log) => log.someItems(sequence, after, limit));
  }

  stateAt(id: string, sequence: number): Promise<RecordedState | undefined> {
    return this.#reading((log) => log.stateAt(id, sequence));
  }

  lastChangeOf(id: string): Promise<number | undefined> {
    return this.#reading((log) => log.lastChangeOf(id));
  }

  createdBy(id: string): Promise<number | undefined> {
    return this.#reading((log) => log.createdBy(id));
  }

  creationOf(id: string): Promise<number | undefined> {
    return this.#reading((log) => log.creationOf(id));
  }

  /** Some of its items must not pass for all of them. */
  async #assertKept(sequence: number): Promise<void> {
    const [entry] = await this.entries({ after: sequence - 1 }, 1);
    if (entry?.sequence !== sequence) throw new Error(`The change ${sequence} was forgotten while it was read.`);
  }
}

/** The items of a change as they were written down; there may be very many. */
export async function* itemsOf(
  rows: Pick<RowSnapshot | RowTransaction, 'itemsOf'>,
  sequence: number,
  pace: Pace,
): AsyncGenerator<ChangeItem> {
  for (let last = -1; ; ) {
    const piece = await rows.itemsOf(sequence, last, ITEMS_AT_ONCE);
    for (const { item } of piece) yield item;
    if (piece.length < ITEMS_AT_ONCE) return;
    last = piece.at(-1)?.ordinal ?? last;
    await pace();
  }
}

/** Of a kind that nobody knows any more, nobody knows what is secret. */
export function masked(item: ChangeItem, kinds: ReadonlyMap<string, KindRules>): ChangeItem {
  const rules = kinds.get(item.kind);
  return withBodies(item, (body) => rules?.mask(body) ?? {});
}

function withBodies(item: ChangeItem, change: (body: JsonObject) => JsonObject): ChangeItem {
  const changed = (state: ChangedState | null) => state && { ...state, body: change(state.body) };
  return { ...item, before: changed(item.before), after: changed(item.after) };
}
