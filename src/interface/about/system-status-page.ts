/** The system status as a page that reloads itself: grouped metrics, with a bar for each percentage. */
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import type { MetricCategory, MetricName } from '../../operations/system/metric-kinds.ts';
import type { Metric } from '../../operations/system/metrics.ts';
import type { SystemStatus } from '../../operations/system/system-monitor.ts';
import { formatMetricValue } from './format-values.ts';

export interface SystemStatusView extends SystemStatus {
  /** Reload interval in seconds; 0 disables reloading. */
  readonly refreshSeconds: number;
}

const headings: Readonly<Record<MetricCategory, string>> = {
  GEOSERVER: 'This server',
  CPU: 'CPU',
  MEMORY: 'Memory',
  FILE_SYSTEM: 'File systems',
  NETWORK: 'Network',
  SWAP: 'Swap',
  SYSTEM: 'System',
  SENSORS: 'Sensors',
};

/** Short labels for the metrics of one device. */
const shortNames: Readonly<Partial<Record<MetricName, string>>> = {
  PARTITION_TOTAL: 'total',
  PARTITION_FREE: 'available',
  NETWORK_INTERFACE_SEND: 'sent',
  NETWORK_INTERFACE_RECEIVED: 'received',
};

/** The reload intervals offered on the page; 0 disables reloading. */
const refreshChoices: readonly (readonly [seconds: number, label: string])[] = [
  [5, 'every 5 seconds'],
  [60, 'every minute'],
  [0, 'never'],
];

export function buildSystemStatusPage(view: SystemStatusView, context: WriteContext): Html {
  const byCategory = Map.groupBy(view.metrics, (metric) => metric.category);
  const groups = Object.entries(headings).map(([category, heading]) =>
    buildGroup(heading, byCategory.get(category as MetricCategory) ?? []),
  );
  return html`${buildLead(view, context)}<div class="groups">${groups}</div>`;
}

function buildLead({ sampledAtMs, refreshSeconds }: SystemStatusView, context: WriteContext): Html {
  const moment = new Date(sampledAtMs).toISOString();
  const page = `${context.buildUrl(['about', 'system-status'])}.html`;
  const choices = refreshChoices.map(([seconds, label], index) => {
    const comma = text(index === 0 ? '' : ' · ');
    return seconds === refreshSeconds
      ? html`${comma}<strong aria-current="true">${text(label)}</strong>`
      : html`${comma}<a href="${text(`${page}?refresh=${seconds}`)}">${text(label)}</a>`;
  });
  return html`<p>As of <time datetime="${text(moment)}">${text(moment.slice(11, 19))} UTC</time>.
<span class="empty">Reload: ${choices}</span></p>`;
}

function buildGroup(heading: string, metrics: readonly Metric[]): Html {
  const ordered = metrics.toSorted((a, b) => a.priority - b.priority);
  const byDevice = Map.groupBy(ordered, (metric) => metric.identifier);
  const lines = [...byDevice.values()].map(([first, ...rest]) =>
    first === undefined ? html`` : buildLine(first, rest),
  );
  return html`<section><h2>${text(heading)}</h2><dl>${lines}</dl></section>`;
}

/** One metric, or all metrics of one device: the used share first, the others below. */
function buildLine(first: Metric, rest: readonly Metric[]): Html {
  const isDevice = first.identifier !== first.name;
  const label = text(isDevice ? first.identifier : first.description);
  if (isDevice && rest.length > 0 && first.unit !== '%') {
    return html`<div><dt>${label}</dt><dd>${text(formatSummary([first, ...rest]))}</dd></div>`;
  }
  const details = rest.length === 0 ? html`` : html`<dd class="rest">${text(formatSummary(rest))}</dd>`;
  return html`<div><dt>${label}</dt>${buildValue(first)}${buildBar(first)}${details}</div>`;
}

function buildValue(metric: Metric): Html {
  return metric.available
    ? html`<dd>${text(formatMetricValue(metric))}</dd>`
    : html`<dd class="empty">${text(formatMetricValue(metric))}</dd>`;
}

function buildBar({ unit, value: share }: Metric): Html {
  return unit === '%' && typeof share === 'number'
    ? html`<dd class="bar"><meter min="0" max="100" low="75" high="90" optimum="0" value="${text(share)}">${text(share)} %</meter></dd>`
    : html``;
}

function formatSummary(metrics: readonly Metric[]): string {
  const words = metrics.map(
    (metric) => `${formatMetricValue(metric)} ${shortNames[metric.name as MetricName] ?? metric.unit}`,
  );
  return words.join(' · ');
}
