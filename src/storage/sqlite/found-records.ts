/** Remembers what was found by name until the next commit: every request looks for the same few records again. */
import { deepFreeze } from '../../lib/deep-freeze.ts';
import type { StoredRecord } from '../port.ts';

/** Remembered at most; a full memory starts over. */
const MAX_FOUND = 10_000;

/** Longer names are not worth their place. */
const MAX_KEY_LENGTH = 500;

/** Only one process writes to a database (the data directory is locked), so a commit of ours is all there is to know of. */
export class FoundRecords {
  readonly #found = new Map<string, StoredRecord | undefined>();

  /** The record, or that there is none, as remembered or else as `look` finds it. */
  find(
    kind: string,
    parent: string | null,
    name: string,
    look: () => StoredRecord | undefined,
  ): StoredRecord | undefined {
    const key = `${kind}\0${parent ?? ''}\0${name}`;
    const known = this.#found.get(key);
    if (known !== undefined || this.#found.has(key)) {
      return known;
    }
    const record = look();
    if (key.length <= MAX_KEY_LENGTH) {
      if (this.#found.size >= MAX_FOUND) {
        this.#found.clear();
      }
      // Many callers will share it.
      this.#found.set(key, record && deepFreeze(record));
    }
    return record;
  }

  forget(): void {
    this.#found.clear();
  }
}
