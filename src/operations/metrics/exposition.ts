/** Formats metrics in the Prometheus text format. */
import type { CatalogSize } from '../../records/catalog.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** The suffix of the family name: `_bucket`, `_sum` and the like. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A source of metrics that is evaluated on each read; catalog metrics use the given state. */
export type Collector = (catalog: CatalogSize) => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;

export const expositionMediaType = 'text/plain; version=0.0.4';

export function formatExposition(families: readonly MetricFamily[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of families) {
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels, value } of samples) {
      lines.push(`${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

export function createGauge(name: string, help: string, value: number): MetricFamily {
  return { name, type: 'gauge', help, samples: [{ value }] };
}

export function createCounter(name: string, help: string, value: number): MetricFamily {
  return { name, type: 'counter', help, samples: [{ value }] };
}

function formatLabels(labels: Labels | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function formatNumber(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
