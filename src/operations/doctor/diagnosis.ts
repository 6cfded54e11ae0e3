/** What an examination of the server comes to. */

/** Where a record stands: its kind and name, after those of what it lives in. */
export type RecordPath = readonly { readonly kind: string; readonly name: string }[];

export interface Finding {
  /** The record that is not as it should be; null for what belongs to none. */
  readonly place: RecordPath | null;
  readonly code: FindingCode;
  readonly message: string;
}

export type FindingCode =
  | 'storage-damaged'
  | 'storage-read-only'
  | 'files-missing'
  | 'files-damaged'
  | 'keystore-unusable'
  | 'secret-unreadable'
  | 'reference-dangling'
  | 'node-clock'
  | 'node-version'
  | 'node-behind'
  | 'standby-not-awaited'
  | 'node-copies'
  | 'disk-nearly-full'
  | 'file-on-one-node'
  | 'file-missing-on-node'
  /** Of a store that cannot be had: the code of the problem that says why. */
  | (string & {});

/** One thing that was looked at. */
export interface Check {
  readonly check: 'storage' | 'files' | 'keystore' | 'references' | 'stores' | 'nodes' | 'disk';
  readonly ok: boolean;
  readonly message: string;
}

export interface Diagnosis {
  readonly checks: readonly Check[];
  /** The first ones, if there are very many. */
  readonly findings: readonly Finding[];
}

/** So many are told: who has more has to begin somewhere. */
const MAX_FINDINGS = 1_000;

/** Gathers what is found, and how much there was of each check. */
export class Findings {
  readonly entries: Finding[] = [];
  readonly #counts = new Map<Check['check'], number>();

  add(check: Check['check'], finding: Finding): void {
    this.#counts.set(check, this.count(check) + 1);
    if (this.entries.length < MAX_FINDINGS) this.entries.push(finding);
  }

  count(check: Check['check']): number {
    return this.#counts.get(check) ?? 0;
  }

  /** `sound` is said where nothing was found. */
  summarize(check: Check['check'], sound: string): Check {
    const count = this.count(check);
    return {
      check,
      ok: count === 0,
      message: count === 0 ? sound : `${count} ${count === 1 ? 'problem' : 'problems'}. ${sound}`,
    };
  }
}
