/** Formats metrics in the Prometheus text format. */
import { bucketsSeconds, type Histogram } from '../../lib/measure/histogram.ts';
import type { CatalogSize } from '../../records/catalog.ts';
import type { Metric } from './metric-table.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** The suffix of the family name: `_bucket`, `_sum` and the like. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** The current values of a declared metric. */
export interface MetricFamily {
  readonly metric: Metric;
  readonly samples: readonly Sample[];
}

/** A source of metrics that is evaluated on each read; catalog metrics use the given state. */
export type Collector = (catalog: CatalogSize) => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;

export const expositionMediaType = 'text/plain; version=0.0.4';

export function formatExposition(families: readonly MetricFamily[]): string {
  const lines: string[] = [];
  for (const { metric, samples } of families) {
    const { name, type, help } = metric;
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels, value } of samples) {
      lines.push(`${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A metric without labels. */
export function createFamily(metric: Metric, value: number): MetricFamily {
  return { metric, samples: [{ value }] };
}

/** A metric with one label and one sample for each of its values. */
export function createLabelledFamily(
  metric: Metric,
  label: string,
  values: Iterable<readonly [string, number]>,
): MetricFamily {
  return { metric, samples: [...values].map(([text, value]) => ({ labels: { [label]: text }, value })) };
}

/** Converts a histogram to its cumulative buckets, its sum and its count. */
export function createHistogramSamples(labels: Labels, { counts, sumSeconds }: Histogram): readonly Sample[] {
  let count = 0;
  const buckets = counts.map((inBucket, index): Sample => {
    count += inBucket;
    const limit = bucketsSeconds[index];
    return { suffix: '_bucket', labels: { ...labels, le: limit === undefined ? '+Inf' : String(limit) }, value: count };
  });
  return [...buckets, { suffix: '_sum', labels, value: sumSeconds }, { suffix: '_count', labels, value: count }];
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
