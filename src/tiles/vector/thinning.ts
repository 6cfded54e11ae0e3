/** Reduces many items to a limit: keeps large ones, and a sample of the others that depends on their names only. */

interface ThinnedItem<T> {
  readonly item: T;
  readonly hash: number;
  readonly isLarge: boolean;
}

/**
 * The selection does not depend on the order of items, so that neighbouring tiles show the same features and a tile
 * is reproducible.
 */
export class Thinning<T> {
  readonly #room: number;
  #kept: ThinnedItem<T>[] = [];
  /**
   * Items are kept if this many low bits of their hash are 0; the number grows whenever the limit is exceeded. Large
   * items are always kept.
   */
  #bits = 0;

  constructor(room: number) {
    this.#room = room;
  }

  add(name: string, isLarge: boolean, item: T): void {
    const kept = { item, isLarge, hash: computeHash(name) };
    if (!this.#isKept(kept)) return;
    this.#kept.push(kept);
    while (this.#kept.length > this.#room) this.#thin();
  }

  listItems(): readonly T[] {
    return this.#kept.map(({ item }) => item);
  }

  #thin(): void {
    this.#bits += 1;
    // Only large items or equal hashes are left: the first ones are kept.
    if (this.#bits > MOST_BITS) this.#kept.length = this.#room;
    else this.#kept = this.#kept.filter((each) => this.#isKept(each));
  }

  #isKept({ hash, isLarge }: ThinnedItem<T>): boolean {
    return isLarge || hash % 2 ** this.#bits === 0;
  }
}

const MOST_BITS = 31;

/** FNV-1a: spreads names that differ in their last digit. */
function computeHash(name: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x0100_0193);
  // The low bits of FNV-1a depend on few bits of the name; mix in the higher ones.
  return (hash ^ (hash >>> 15)) >>> 0;
}
