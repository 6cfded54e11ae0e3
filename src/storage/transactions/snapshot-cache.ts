/**
 * Caches lookups of a buffered transaction in its snapshot, which is immutable: operations look up the same few
 * records.
 */

import { compareCodePoints } from '../../lib/text/code-point-order.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { StoredRecord } from '../port/port.ts';
import type { AgedRecord, AgePage, RowReader } from '../port/rows.ts';
import { RecordNameMap } from './record-reader.ts';

/** Bounded, because bodies may be large. */
const MAX_CACHED = 256;

export class SnapshotCache {
  readonly #state: RowReader;
  readonly #gaps: StateGaps;
  readonly #byName = new RecordNameMap<StoredRecord | null>();
  readonly #byId = new Map<string, StoredRecord | null>();

  constructor(state: RowReader) {
    this.#state = state;
    this.#gaps = new StateGaps(state);
  }

  async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    const known = this.#byName.get(kind, parent, name);
    if (known !== undefined) return known ?? undefined;
    if (this.#gaps.isNameMissing(kind, parent, name) || !(await this.#gaps.hasKind(kind))) return undefined;
    const found = deepFreeze(await this.#state.find(kind, parent, name));
    if (found === undefined) await this.#gaps.noteMissingName(kind, parent, name);
    if (this.#byName.size >= MAX_CACHED) this.#byName.clear();
    this.#byName.set(kind, parent, name, found ?? null);
    return found;
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    const known = this.#byId.get(id);
    if (known !== undefined) return known ?? undefined;
    const found = deepFreeze(await this.#state.get(id));
    if (this.#byId.size >= MAX_CACHED) this.#byId.clear();
    this.#byId.set(id, found ?? null);
    return found;
  }

  async listByKey(kind: string, key: string, value: string, { after, limit }: AgePage): Promise<AgedRecord[]> {
    if (this.#gaps.isValueMissing(kind, key, value) || !(await this.#gaps.hasKind(kind))) return [];
    const found = await this.#state.listByKey(kind, key, value, { after, limit });
    if (found.length === 0 && after === 0 && limit > 0) await this.#gaps.noteMissingValue(kind, key, value);
    return found;
  }
}

/** Nothing exists from the first text up to the second; undefined means unbounded. */
interface Gap {
  readonly from: string;
  readonly before: string | undefined;
}

/**
 * Caches absent names of a snapshot: an import of many records checks whether each name is used, mostly in order. If
 * the next existing name is known, the names before it need no lookup.
 */
class StateGaps {
  readonly #state: RowReader;
  /** Most kinds have no records at all. */
  readonly #hasKind = new Map<string, boolean>();
  /** The last gap of each list: of names by kind and parent, of values by kind and key. */
  readonly #names = new Map<string, Map<string | null, Gap>>();
  readonly #values = new Map<string, Map<string, Gap>>();

  constructor(state: RowReader) {
    this.#state = state;
  }

  /** Returns whether the snapshot has any records of a kind. */
  async hasKind(kind: string): Promise<boolean> {
    const known = this.#hasKind.get(kind);
    if (known !== undefined) return known;
    const isThere = (await this.#state.listOfKind(kind, undefined, 1)).length > 0;
    this.#hasKind.set(kind, isThere);
    return isThere;
  }

  isNameMissing(kind: string, parent: string | null, name: string): boolean {
    return isWithin(this.#names.get(kind)?.get(parent), name);
  }

  /** Must be called with a name that the snapshot does not have. */
  async noteMissingName(kind: string, parent: string | null, name: string): Promise<void> {
    const [before] = await this.#state.listNames(kind, parent, name, 1);
    setGap(this.#names, kind, parent, { from: name, before });
  }

  isValueMissing(kind: string, key: string, value: string): boolean {
    return isWithin(this.#values.get(kind)?.get(key), value);
  }

  /** Must be called with a value that no record has. */
  async noteMissingValue(kind: string, key: string, value: string): Promise<void> {
    const [before] = await this.#state.listKeyValues(kind, key, { after: value, limit: 1 });
    setGap(this.#values, kind, key, { from: value, before });
  }
}

function isWithin(gap: Gap | undefined, text: string): boolean {
  return (
    gap !== undefined &&
    compareCodePoints(text, gap.from) >= 0 &&
    (gap.before === undefined || compareCodePoints(text, gap.before) < 0)
  );
}

function setGap<K>(gaps: Map<string, Map<K, Gap>>, kind: string, list: K, gap: Gap): void {
  const ofKind = gaps.get(kind) ?? new Map<K, Gap>();
  gaps.set(kind, ofKind.set(list, gap));
}
