/**
 * Caches lookups of a buffered transaction in its snapshot, which is immutable: operations look up the same few
 * records.
 */
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { StoredRecord } from '../port/port.ts';
import type { AgedRecord, AgePage, RowReader } from '../port/rows.ts';
import { RecordNameMap } from './record-reader.ts';
import { StateGaps } from './state-gaps.ts';

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
