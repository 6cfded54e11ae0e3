/** Keeps as many of very many things as there is room for: the large ones, and of the others a sample that depends on their names alone. */

interface ThinnedItem<T> {
  readonly item: T;
  readonly hash: number;
  readonly isLarge: boolean;
}

/**
 * Which ones are kept does not depend on the order in which they come, so that neighbouring tiles show the same features and
 * a tile that is made again is the same.
 */
export class Thinning<T> {
  readonly #room: number;
  #kept: ThinnedItem<T>[] = [];
  /** Hashes whose lowest bits are not all 0 go, one bit more whenever there is no room; large things give way last. */
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
    // With none but large ones left the first of them have to do.
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
  // Its lowest bits are those of the names; the higher ones are mixed.
  return (hash ^ (hash >>> 15)) >>> 0;
}
