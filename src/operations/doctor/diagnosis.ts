/** The result of an examination of the server. */

/** The kind and name of a record, preceded by those of its ancestors. */
export type RecordPath = readonly { readonly kind: string; readonly name: string }[];

export interface Finding {
  /** The affected record; null if the problem belongs to none. */
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
  | 'backup-failed'
  | 'backup-damaged'
  | 'backup-overdue'
  | 'file-on-one-node'
  | 'file-missing-on-node'
  | 'glyphs-missing'
  | 'data-rule-unusable'
  | 'data-rule-layer-unknown'
  | 'data-rule-role-unknown'
  | 'data-rule-attribute-missing'
  /** Of a store that cannot be had: the code of the problem that says why. */
  | (string & {});

/** One check. */
export interface Check {
  readonly check:
    | 'storage'
    | 'files'
    | 'keystore'
    | 'references'
    | 'data-rules'
    | 'unverified'
    | 'stores'
    | 'nodes'
    | 'locks'
    | 'disk'
    | 'fonts'
    | 'backup';
  readonly ok: boolean;
  readonly message: string;
}

export interface Diagnosis {
  readonly checks: readonly Check[];
  /** Limited to the first ones. */
  readonly findings: readonly Finding[];
}

/** Maximum number of findings in a report. */
const MAX_FINDINGS = 1_000;

/** Returns whether a record is examined. */
export type Selection = (place: RecordPath) => boolean;

/** Collects the findings and counts them for each check. */
export class Findings {
  readonly entries: Finding[] = [];
  /** Undefined for the whole server. */
  readonly selects: Selection | undefined;
  readonly #counts = new Map<Check['check'], number>();

  constructor(selects?: Selection) {
    this.selects = selects;
  }

  add(check: Check['check'], finding: Finding): void {
    if (this.selects !== undefined && (finding.place === null || !this.selects(finding.place))) return;
    this.#counts.set(check, this.count(check) + 1);
    if (this.entries.length < MAX_FINDINGS) this.entries.push(finding);
  }

  count(check: Check['check']): number {
    return this.#counts.get(check) ?? 0;
  }

  /** `sound` is the message without problems, and follows the count otherwise. */
  summarize(check: Check['check'], sound: string): Check {
    const count = this.count(check);
    return {
      check,
      ok: count === 0,
      message: count === 0 ? sound : `${count} ${count === 1 ? 'problem' : 'problems'}. ${sound}`,
    };
  }
}
