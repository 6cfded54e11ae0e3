/** The change log over the rows of one snapshot: bodies are upgraded to the current format, with or without secrets. */

import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { requireLimit } from '../port/limit.ts';
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
} from '../port/port.ts';
import type { RowSnapshot, RowTransaction } from '../port/rows.ts';
import { isStorable } from '../port/storable-text.ts';
import type { BodyVersions } from './adapt-kinds.ts';

/** The number of items of a change that are read at a time. */
const ITEMS_AT_ONCE = 500;

/** The rules of kinds that reading the log requires. */
export interface LogRules {
  readonly kinds: ReadonlyMap<string, KindRules>;
  readonly versions: BodyVersions;
  readonly pace: YieldIfDue;
}

export class RowLogReader implements LogReader {
  readonly #state: RowSnapshot;
  readonly #rules: LogRules;
  readonly #assertUsable: () => void;

  /** `assertUsable` throws once the snapshot is released. */
  constructor(rows: RowSnapshot, rules: LogRules, assertUsable: () => void) {
    this.#state = rows;
    this.#rules = rules;
    this.#assertUsable = assertUsable;
  }

  get #rows(): RowSnapshot {
    this.#assertUsable();
    return this.#state;
  }

  async listEntries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]> {
    return this.#rows.listChanges(range, requireLimit(limit));
  }

  async *readItems(sequence: number): AsyncGenerator<ChangeItem> {
    for await (const item of this.#readSealedItems(sequence)) yield maskItem(item, this.#rules.kinds);
  }

  async listItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]> {
    const items = await this.#rows.listChangeItems(sequence, after, requireLimit(limit));
    return items.map(({ ordinal, item }) => ({
      ordinal,
      item: maskItem(this.#upgradeItem(item, sequence), this.#rules.kinds),
    }));
  }

  async findStateAt(id: string, sequence: number): Promise<RecordedState | undefined> {
    if (!isStorable(id)) return undefined;
    const before = await this.#rows.findItem(id, sequence, 'up to');
    if (before !== undefined) return this.#readState(before.item, before.sequence, 'after');
    // The log does not reach back so far, or the record was created later.
    const next = await this.#rows.findItem(id, sequence, 'after');
    if (next !== undefined) return this.#readState(next.item, next.sequence, 'before');
    const stored = await this.#rows.get(id);
    return stored && { kind: stored.kind, parent: stored.parent, name: stored.name, body: stored.body };
  }

  async findLastChange(id: string): Promise<number | undefined> {
    if (!isStorable(id)) return undefined;
    return (await this.#rows.findItem(id, Number.MAX_SAFE_INTEGER, 'up to'))?.sequence;
  }

  async findCreatingChange(id: string): Promise<number | undefined> {
    const first = isStorable(id) ? await this.#rows.findItem(id, 0, 'after') : undefined;
    return first?.item.before === null ? first.sequence : undefined;
  }

  async findCreationTime(id: string): Promise<number | undefined> {
    const number = await this.findCreatingChange(id);
    return number === undefined ? undefined : (await this.#rows.listChanges({ after: number - 1 }, 1))[0]?.atMs;
  }

  /** Returns the entry with sealed secrets. */
  async readSealed(entry: ChangeHead): Promise<ChangeEntry> {
    const items: ChangeItem[] = [];
    for await (const item of this.#readSealedItems(entry.sequence)) items.push(item);
    return { ...entry, items };
  }

  async *#readSealedItems(sequence: number): AsyncGenerator<ChangeItem> {
    const rows = {
      listChangeItems: (...args: Parameters<RowSnapshot['listChangeItems']>) => this.#rows.listChangeItems(...args),
    };
    for await (const item of readChangeItems(rows, sequence, this.#rules.pace)) yield this.#upgradeItem(item, sequence);
  }

  #readState(item: ChangeItem, sequence: number, side: 'before' | 'after'): RecordedState | undefined {
    const state = this.#upgradeItem(item, sequence)[side];
    return state === null ? undefined : { kind: item.kind, ...state };
  }

  /** Items have the body version of their time. */
  #upgradeItem(item: ChangeItem, sequence: number): ChangeItem {
    const { kinds, versions } = this.#rules;
    const rules = kinds.get(item.kind);
    const written = versions.get(item.kind)?.findLast(({ since }) => since <= sequence)?.bodyVersion ?? 1;
    return rules === undefined || written === rules.bodyVersion
      ? item
      : mapBodies(item, (body) => rules.upgrade(body, written));
  }
}

/** The current log at each call. */
export class LatestLogReader implements LogReader {
  readonly #withLog: <T>(read: (log: LogReader) => Promise<T>) => Promise<T>;
  readonly #pace: YieldIfDue;

  /** `reading` runs a read with the log of the last state. */
  constructor(reading: <T>(read: (log: LogReader) => Promise<T>) => Promise<T>, pace: YieldIfDue) {
    this.#withLog = reading;
    this.#pace = pace;
  }

  listEntries(range: ChangeRange, limit: number): Promise<readonly ChangeHead[]> {
    return this.#withLog((log) => log.listEntries(range, limit));
  }

  /** A slow reader holds no snapshot, because items are immutable. */
  async *readItems(sequence: number): AsyncGenerator<ChangeItem> {
    for (let last = -1; ; ) {
      const piece = await this.listItems(sequence, last, ITEMS_AT_ONCE);
      for (const { item } of piece) yield item;
      if (piece.length < ITEMS_AT_ONCE) {
        if (last >= 0) await this.#assertExists(sequence);
        return;
      }
      last = piece.at(-1)?.ordinal ?? last;
      await this.#pace();
    }
  }

  listItems(sequence: number, after: number, limit: number): Promise<readonly OrderedItem[]> {
    return this.#withLog((log) => log.listItems(sequence, after, limit));
  }

  findStateAt(id: string, sequence: number): Promise<RecordedState | undefined> {
    return this.#withLog((log) => log.findStateAt(id, sequence));
  }

  findLastChange(id: string): Promise<number | undefined> {
    return this.#withLog((log) => log.findLastChange(id));
  }

  findCreatingChange(id: string): Promise<number | undefined> {
    return this.#withLog((log) => log.findCreatingChange(id));
  }

  findCreationTime(id: string): Promise<number | undefined> {
    return this.#withLog((log) => log.findCreationTime(id));
  }

  /** A partial list of items must not be mistaken for a complete one. */
  async #assertExists(sequence: number): Promise<void> {
    const [entry] = await this.listEntries({ after: sequence - 1 }, 1);
    if (entry?.sequence !== sequence) throw new Error(`Change ${sequence} was deleted from the log while it was read.`);
  }
}

/** Reads the stored items of a change in batches. */
export async function* readChangeItems(
  rows: Pick<RowSnapshot | RowTransaction, 'listChangeItems'>,
  sequence: number,
  pace: YieldIfDue,
): AsyncGenerator<ChangeItem> {
  for (let last = -1; ; ) {
    const piece = await rows.listChangeItems(sequence, last, ITEMS_AT_ONCE);
    for (const { item } of piece) yield item;
    if (piece.length < ITEMS_AT_ONCE) return;
    last = piece.at(-1)?.ordinal ?? last;
    await pace();
  }
}

/** The secrets of an unknown kind are unknown, so everything is masked. */
export function maskItem(item: ChangeItem, kinds: ReadonlyMap<string, KindRules>): ChangeItem {
  const rules = kinds.get(item.kind);
  return mapBodies(item, (body) => rules?.mask(body) ?? {});
}

function mapBodies(item: ChangeItem, change: (body: JsonObject) => JsonObject): ChangeItem {
  const mapState = (state: ChangedState | null) => state && { ...state, body: change(state.body) };
  return { ...item, before: mapState(item.before), after: mapState(item.after) };
}
