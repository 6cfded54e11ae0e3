/** The report of a move as JSON and as text. */
import type { Outcome } from './codes.ts';
import type { Report, ReportEntry } from './report.ts';

const FORMAT = 'graticule-move-in-report/1';

export interface SourceFacts {
  readonly kind: 'directory' | 'zip' | 'rest';
  /** The version of the source server, if a running source returns it. */
  readonly version: string | null;
  readonly files: number;
}

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
}

export interface ReportFacts {
  readonly source: SourceFacts | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null if no plan was made. */
  readonly plan: PlanSummary | null;
  /** The number of the change; null if nothing was applied. */
  readonly change: number | null;
}

export function toReportDocument(report: Report, { source, error, plan, change }: ReportFacts): object {
  const { entries, imported } = report;
  const count = (outcome: Outcome) => entries.filter((entry) => entry.outcome === outcome).length;
  const summary = { imported, adapted: count('adapted'), skipped: count('skipped'), ignored: count('ignored') };
  return { format: FORMAT, source, error, summary, entries, plan, change };
}

/** The text before the plan: what is imported, and one line for each adapted or skipped entry. */
export function formatEntries({ entries, imported }: Report): string {
  const kinds = Object.entries(imported).map(([kind, count]) => `${kind} ${count}`);
  const shown = entries.filter(({ outcome }) => outcome !== 'ignored');
  return [`imported  ${kinds.join(', ') || 'nothing'}`, ...shown.map(formatEntry)].map((line) => `${line}\n`).join('');
}

export function formatEntry({ outcome, source, code, message, remedy }: ReportEntry): string {
  return `${outcome.padEnd(9)} ${source}  ${code}  ${message}${remedy === null ? '' : ` ${remedy}`}`;
}

export function formatPlanLine({ create, update, delete: removed }: PlanSummary): string {
  return `plan      ${create} to create, ${update} to change, ${removed} to delete\n`;
}

/** The files that are sent before the apply; nothing if the target has them all. */
export function formatFilesLine(files: readonly { readonly bytes: number }[]): string {
  if (files.length === 0) return '';
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `files     ${files.length} to copy, ${bytes} bytes\n`;
}

export function formatChangeLine(change: number | null): string {
  return change === null ? '' : `change    ${change}\n`;
}
