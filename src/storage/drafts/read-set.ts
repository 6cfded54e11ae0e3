/** Records what a buffered transaction has read, to detect whether later changes would have affected it. */

import type { ChangedState, ChangeItem, KindRules } from '../port/port.ts';
import { RecordNameMap } from '../transactions/record-reader.ts';

/** Storable text contains no NUL, so marks are unambiguous. */
function formatMark(what: string, of: string, within: string | null = ''): string {
  return `${what}\0${of}\0${within ?? ''}`;
}

export class ReadSet {
  readonly #kinds: ReadonlyMap<string, KindRules>;
  readonly #marks = new Set<string>();
  readonly #names = new RecordNameMap<true>();
  /** Values by kind and key. */
  readonly #values = new RecordNameMap<true>();
  #isEverything = false;

  constructor(kinds: ReadonlyMap<string, KindRules>) {
    this.#kinds = kinds;
  }

  /** Reads of the log or of the last change number are affected by every change. */
  noteEverything(): void {
    this.#isEverything = true;
  }

  noteRecord(id: string): void {
    this.#marks.add(formatMark('record', id));
  }

  noteName(kind: string, parent: string | null, name: string): void {
    this.#names.set(kind, parent, name, true);
  }

  noteList(kind: string, parent: string | null): void {
    this.#marks.add(formatMark('list', kind, parent));
  }

  noteKey(kind: string, key: string): void {
    this.#marks.add(formatMark('key', kind, key));
  }

  noteValue(kind: string, key: string, value: string): void {
    this.#values.set(kind, key, value, true);
  }

  noteContents(parent: string): void {
    this.#marks.add(formatMark('contents', parent));
  }

  /** For counts. */
  noteKind(kind: string): void {
    this.#marks.add(formatMark('kind', kind));
  }

  noteAllOfKind(kind: string): void {
    this.#marks.add(formatMark('all', kind));
  }

  /** Returns whether a change of a record affects anything that was read. */
  isAffectedBy(item: ChangeItem): boolean {
    if (this.#isEverything) return true;
    const { kind, before, after } = item;
    for (const state of [before, after]) {
      if (state === null) continue;
      if (this.#names.get(kind, state.parent, state.name)) return true;
      for (const [key, values] of this.#computeKeys(kind, state)) {
        if (values.some((value) => this.#values.get(kind, key, value))) return true;
      }
    }
    for (const touched of this.#listMarks(item)) if (this.#marks.has(touched)) return true;
    return false;
  }

  *#listMarks({ kind, id, before, after }: ChangeItem): Generator<string> {
    yield formatMark('record', id);
    yield formatMark('all', kind);
    if (before === null || after === null) yield formatMark('kind', kind);
    for (const state of [before, after]) {
      if (state === null) continue;
      const { parent } = state;
      yield formatMark('list', kind, parent);
      if (parent !== null) yield formatMark('contents', parent);
      for (const [key] of this.#computeKeys(kind, state)) yield formatMark('key', kind, key);
    }
  }

  #computeKeys(kind: string, state: ChangedState): readonly [string, readonly string[]][] {
    return Object.entries(this.#kinds.get(kind)?.index(state).keys ?? {});
  }
}
