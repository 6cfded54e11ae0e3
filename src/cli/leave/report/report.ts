/** What an export as a GeoServer data directory contains, changes and leaves out. */

export const REPORT_FORMAT = 'graticule-export-report/1';

export type Outcome = 'skipped' | 'adapted';

/** Stable; new ones may be added. */
const outcomes = {
  // Not exported.
  'kind-unsupported': 'skipped',
  'provider-type-unsupported': 'skipped',
  'file-missing': 'skipped',
  'reference-dangling': 'skipped',
  'name-taken': 'skipped',
  // Exported with a difference.
  'password-omitted': 'adapted',
  'password-unreadable': 'adapted',
  'data-not-copied': 'adapted',
  'extension-required': 'adapted',
  'style-builtin': 'adapted',
  'style-missing': 'adapted',
  'security-incomplete': 'adapted',
  'setting-ignored': 'adapted',
  'tile-defaults-written': 'adapted',
} as const satisfies Readonly<Record<string, Outcome>>;

export type EntryCode = keyof typeof outcomes;

export interface ReportEntry {
  readonly outcome: Outcome;
  /** The configuration path. */
  readonly source: string;
  readonly kind: string;
  /** The file in the data directory; null if there is none. */
  readonly path: string | null;
  readonly code: EntryCode;
  readonly message: string;
  readonly remedy: string | null;
}

export interface ExportReport {
  readonly format: typeof REPORT_FORMAT;
  readonly source: { readonly kind: 'server'; readonly hash: string };
  readonly summary: {
    readonly exported: Readonly<Record<string, number>>;
    readonly adapted: number;
    readonly skipped: number;
    readonly files: number;
  };
  readonly entries: readonly ReportEntry[];
}

interface Subject {
  readonly kind: string;
  readonly path: string;
}

export class ReportCollector {
  readonly #entries: ReportEntry[] = [];
  readonly #exported = new Map<string, number>();

  add(
    code: EntryCode,
    { kind, path: source }: Subject,
    message: string,
    more: { path?: string; remedy?: string } = {},
  ) {
    const { path = null, remedy = null } = more;
    this.#entries.push({ outcome: outcomes[code], source, kind, path, code, message, remedy });
  }

  countExported(kind: string): void {
    this.#exported.set(kind, (this.#exported.get(kind) ?? 0) + 1);
  }

  createReport(hash: string, files: number): ExportReport {
    const entries = this.#entries.toSorted(
      (one, other) => compareTexts(one.source, other.source) || compareTexts(one.code, other.code),
    );
    const count = (outcome: Outcome) => entries.filter((entry) => entry.outcome === outcome).length;
    const exported = Object.fromEntries([...this.#exported].sort(([one], [other]) => compareTexts(one, other)));
    return {
      format: REPORT_FORMAT,
      source: { kind: 'server', hash },
      summary: { exported, adapted: count('adapted'), skipped: count('skipped'), files },
      entries,
    };
  }
}

export function formatReport({ entries, summary }: ExportReport): string {
  const exported = Object.entries(summary.exported).map(([kind, count]) => `${kind} ${count}`);
  const lines = [
    `exported  ${exported.join(', ')}`,
    ...entries.map(({ outcome, source, code, message, remedy }) =>
      [`${outcome.padEnd(9)} ${source}`, code, remedy === null ? message : `${message} ${remedy}`].join('  '),
    ),
    `files     ${summary.files}`,
  ];
  // Names come from the configuration; control characters could change the terminal.
  return lines.map((line) => `${line.replaceAll(/\p{Cc}/gu, '\ufffd')}\n`).join('');
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
