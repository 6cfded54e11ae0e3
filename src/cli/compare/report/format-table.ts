/** Formats a report as text: a table of layers and checks, and one line per detail. */
import { type CheckStatus, type ComparisonReport, checkNames, type Detail } from '../model/report.ts';

const cells: Readonly<Record<CheckStatus, string>> = {
  equal: 'equal',
  different: 'DIFFERENT',
  'both-failed': 'failed',
  skipped: '-',
};

/** Longer names do not widen the first column. */
const MAX_NAME_CHARACTERS = 50;

export function formatTable(report: ComparisonReport): string {
  const { services, layers, checks } = report;
  const columns = checkNames.filter(
    (check) => checks.includes(check) || layers.some((each) => each.checks[check] !== 'skipped'),
  );
  const rows = [
    ['LAYER', ...columns.map((check) => check.toUpperCase())],
    ...layers.map((layer) => [toOneLine(layer.name), ...columns.map((check) => cells[layer.checks[check]])]),
  ];
  const details = [
    ...services.flatMap(({ name, details }) => details.map((detail) => formatDetail(name, detail))),
    ...layers.flatMap(({ name, details }) => details.map((detail) => formatDetail(name, detail))),
  ];
  const table = layers.length === 0 ? [] : alignColumns(rows);
  return [...table, ...(details.length === 0 ? [] : ['', ...details]), '', formatSummary(report)]
    .map((line) => `${line}\n`)
    .join('');
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => Math.min(row[column]?.length ?? 0, MAX_NAME_CHARACTERS))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function formatDetail(name: string, { service, check, code, message }: Detail): string {
  const subject = name === service ? name : `${name}  ${service ?? check}`;
  return toOneLine(`${subject}  ${code}  ${message}`);
}

export function formatSummary({ summary, services }: ComparisonReport): string {
  const { layers, equal, different, failed } = summary;
  const parts = [`${equal} equal`, `${different} different`, ...(failed === 0 ? [] : [`${failed} failed on both`])];
  const changed = services.filter(({ status }) => status === 'different').map(({ name }) => name);
  const ofServices = changed.length === 0 ? '' : ` Services with differences: ${changed.join(', ')}.`;
  return `${layers} ${layers === 1 ? 'layer' : 'layers'}: ${parts.join(', ')}.${ofServices}`;
}

/** Names and messages come from the servers; control characters could change the terminal. */
function toOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
