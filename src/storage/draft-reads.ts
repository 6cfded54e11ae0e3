/** What a draft has read, so that it can be told whether changes of others since would have had it read something else. */
import { PlaceMap } from './place-map.ts';
import type { ChangedState, ChangeItem, KindRules } from './port.ts';

/** Text that is stored holds no NUL: nothing reads like something else. */
function mark(what: string, of: string, within: string | null = ''): string {
  return `${what}\0${of}\0${within ?? ''}`;
}

export class DraftReads {
  readonly #kinds: ReadonlyMap<string, KindRules>;
  readonly #marks = new Set<string>();
  readonly #places = new PlaceMap<true>();
  /** By kind and key. */
  readonly #values = new PlaceMap<true>();
  #isEverything = false;

  constructor(kinds: ReadonlyMap<string, KindRules>) {
    this.#kinds = kinds;
  }

  /** Whoever reads the log, or the number of the last change, is concerned by every change. */
  noteEverything(): void {
    this.#isEverything = true;
  }

  noteRecord(id: string): void {
    this.#marks.add(mark('record', id));
  }

  notePlace(kind: string, parent: string | null, name: string): void {
    this.#places.set(kind, parent, name, true);
  }

  noteList(kind: string, parent: string | null): void {
    this.#marks.add(mark('list', kind, parent));
  }

  noteKey(kind: string, key: string): void {
    this.#marks.add(mark('key', kind, key));
  }

  noteValue(kind: string, key: string, value: string): void {
    this.#values.set(kind, key, value, true);
  }

  noteContents(parent: string): void {
    this.#marks.add(mark('contents', parent));
  }

  /** How many there are. */
  noteKind(kind: string): void {
    this.#marks.add(mark('kind', kind));
  }

  noteAllOfKind(kind: string): void {
    this.#marks.add(mark('all', kind));
  }

  /** Whether what became of a record concerns anything that was read. */
  isTouchedBy(item: ChangeItem): boolean {
    if (this.#isEverything) return true;
    const { kind, before, after } = item;
    for (const state of [before, after]) {
      if (state === null) continue;
      if (this.#places.get(kind, state.parent, state.name)) return true;
      for (const [key, values] of this.#keysOf(kind, state)) {
        if (values.some((value) => this.#values.get(kind, key, value))) return true;
      }
    }
    for (const touched of this.#marksOf(item)) if (this.#marks.has(touched)) return true;
    return false;
  }

  *#marksOf({ kind, id, before, after }: ChangeItem): Generator<string> {
    yield mark('record', id);
    yield mark('all', kind);
    if (before === null || after === null) yield mark('kind', kind);
    for (const state of [before, after]) {
      if (state === null) continue;
      const { parent } = state;
      yield mark('list', kind, parent);
      if (parent !== null) yield mark('contents', parent);
      for (const [key] of this.#keysOf(kind, state)) yield mark('key', kind, key);
    }
  }

  #keysOf(kind: string, state: ChangedState): readonly [string, readonly string[]][] {
    return Object.entries(this.#kinds.get(kind)?.index(state).keys ?? {});
  }
}
