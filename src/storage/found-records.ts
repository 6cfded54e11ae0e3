/** Remembers what was found by name until that place is written to: every request looks for the same few records again. */
import { deepFreeze } from '../lib/deep-freeze.ts';
import { PlaceMap } from './place-map.ts';
import type { StoredRecord } from './port.ts';
import type { TouchedPlace } from './rows.ts';

/** Remembered at most; a full memory starts over. */
const MAX_FOUND = 10_000;

/** Longer names are not worth their place. */
const MAX_KEY_LENGTH = 500;

/** Whoever owns it tells it of every change, before anybody may see that change. */
export class FoundRecords {
  readonly #found = new PlaceMap<StoredRecord | null>();

  /** What is remembered of a place: a record, that there is none (null), or nothing (undefined). */
  recall(kind: string, parent: string | null, name: string): StoredRecord | null | undefined {
    return this.#found.get(kind, parent, name);
  }

  /** Remembers what is at a place (undefined: nothing), and gives it back. */
  remember(
    kind: string,
    parent: string | null,
    name: string,
    record: StoredRecord | undefined,
  ): StoredRecord | undefined {
    if (name.length + (parent?.length ?? 0) > MAX_KEY_LENGTH) return record;
    if (this.#found.size >= MAX_FOUND) this.forgetAll();
    // Many callers will share it.
    this.#found.set(kind, parent, name, record === undefined ? null : deepFreeze(record));
    return record;
  }

  forget(places: readonly TouchedPlace[]): void {
    for (const { kind, parent, name } of places) this.#found.delete(kind, parent, name);
  }

  forgetAll(): void {
    this.#found.clear();
  }
}
