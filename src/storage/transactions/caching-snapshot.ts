/** A snapshot that caches records found by name, as long as it is the last state. */

import type { LogReader, Snapshot, StoredRecord } from '../port/port.ts';
import type { RowSnapshot } from '../port/rows.ts';
import { type LogRules, RowLogReader } from './log-reader.ts';
import type { RecordNameCache } from './record-name-cache.ts';
import { RowRecordReader } from './record-reader.ts';

export class CachingSnapshot extends RowRecordReader implements Snapshot {
  readonly position: number;
  readonly log: LogReader;
  readonly #rows: RowSnapshot;
  readonly #cache: RecordNameCache;
  readonly #lastPosition: () => number;
  #isReleased = false;

  constructor(rows: RowSnapshot, found: RecordNameCache, rules: LogRules, lastPosition: () => number) {
    const assertUsable = () => {
      if (this.#isReleased) throw new Error('This snapshot has been released.');
    };
    super(rows, rules.pace, assertUsable);
    this.position = rows.position;
    this.log = new RowLogReader(rows, rules, assertUsable);
    this.#rows = rows;
    this.#cache = found;
    this.#lastPosition = lastPosition;
  }

  override async find(kind: string, parent: string | null, name: string): Promise<StoredRecord | undefined> {
    if (this.position !== this.#lastPosition()) return super.find(kind, parent, name);
    const known = this.#cache.get(kind, parent, name);
    if (known !== undefined) return known ?? undefined;
    const record = await super.find(kind, parent, name);
    // A write may have completed while a slow database responded.
    return this.position === this.#lastPosition() ? this.#cache.set(kind, parent, name, record) : record;
  }

  release(): void {
    if (!this.#isReleased) {
      this.#isReleased = true;
      this.#rows.release();
    }
  }
}
