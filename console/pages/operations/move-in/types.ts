/** The documents of a move. */

export interface ReportEntry {
  readonly outcome: string;
  readonly source: string;
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
  readonly path?: string | null;
}

export interface MoveReport {
  readonly summary: {
    readonly imported: Readonly<Record<string, number>>;
    readonly adapted: number;
    readonly skipped: number;
    readonly ignored: number;
  };
  readonly entries: readonly ReportEntry[];
}

export interface ConfigurationResource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ConfigurationDocument {
  readonly format: string;
  readonly message?: string;
  readonly resources: readonly ConfigurationResource[];
}

export interface Translation {
  readonly report: MoveReport;
  readonly configuration: ConfigurationDocument;
}

/** What the server does not accept: a field, or the whole resource. */
export interface Rejection {
  readonly path: string;
  readonly field: string | undefined;
  readonly message: string;
}
