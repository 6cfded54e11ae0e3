/** Collects what a move imports, adapts, skips and ignores. */
import { type EntryCode, entryCodes, type Outcome } from './codes.ts';

export interface ReportEntry {
  readonly outcome: Outcome;
  /** The file or directory, relative to the source; an item inside a file follows `#`. */
  readonly source: string;
  readonly kind: string | null;
  /** The configuration path; null if it has none. */
  readonly path: string | null;
  readonly code: EntryCode;
  readonly message: string;
  readonly remedy: string | null;
}

/** What an entry is about. */
export interface Subject {
  readonly source: string;
  readonly kind?: string;
  readonly path?: string;
}

export class Report {
  readonly #entries = new Map<string, ReportEntry>();
  readonly #imported = new Map<string, number>();

  /** Adds an entry; the same entry twice is one. */
  add(code: EntryCode, { source, kind, path }: Subject, message: string, remedy?: string): void {
    const entry: ReportEntry = {
      outcome: entryCodes[code],
      source,
      kind: kind ?? null,
      path: path ?? null,
      code,
      message: toSentence(message),
      remedy: remedy === undefined ? null : toOneLine(remedy),
    };
    this.#entries.set([source, code, entry.path ?? '', entry.message].join('\0'), entry);
  }

  countImported(kind: string): void {
    this.#imported.set(kind, (this.#imported.get(kind) ?? 0) + 1);
  }

  /** By source, then code. */
  get entries(): readonly ReportEntry[] {
    return [...this.#entries.values()].sort(
      (one, other) =>
        compareTexts(one.source, other.source) ||
        compareTexts(one.code, other.code) ||
        compareTexts(one.message, other.message),
    );
  }

  /** The number of imported resources by kind. */
  get imported(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#imported].sort(([one], [other]) => compareTexts(one, other)));
  }
}

/** Complaints of the target have no full stop. */
function toSentence(text: string): string {
  const line = toOneLine(text);
  return /[.!?)…]$/.test(line) ? line : `${line}.`;
}

/** Names and messages come from files of strangers. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
