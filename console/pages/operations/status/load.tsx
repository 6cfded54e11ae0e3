/** The load of the machine and the server as numbers with lines, and the worker threads as a table. */
import { Sparkline } from '../../../parts/sparkline/sparkline.tsx';
import { formatNumber, t } from '../../../words/words.ts';
import { formatSize } from '../format-size.ts';
import { type Sample, sumMetrics } from './read-samples.ts';

/** The first samples fill the width soon. */
const SHOWN_SAMPLES = 12;

interface Measure {
  readonly id: keyof ReturnType<typeof t>['status']['metrics'];
  readonly read: (sample: Sample) => number | undefined;
  readonly format: (value: number) => string;
  readonly hint?: (sample: Sample) => string | undefined;
  readonly max?: number;
  /** From this value on, the card is marked. */
  readonly warnAt?: number;
}

const percent = (value: number) => `${formatNumber(value, { maximumFractionDigits: value < 10 ? 1 : 0 })} %`;
const perSecond = (value: number) => formatNumber(value, { maximumFractionDigits: value < 10 ? 1 : 0 });
const readNumber = (name: string) => (sample: Sample) => toNumber(sample.system.get(name));
const readMetric = (name: string) => (sample: Sample) => sample.metrics?.get(name);

const measures: readonly Measure[] = [
  { id: 'requests', read: (sample) => sample.requestsPerSecond, format: perSecond },
  { id: 'errors', read: (sample) => sample.errorsPerSecond, format: perSecond, warnAt: 0.01 },
  { id: 'cpu', read: readNumber('CPU_LOAD'), format: percent, max: 100 },
  { id: 'process', read: readNumber('GEOSERVER_CPU_USAGE'), format: percent, max: 100 },
  {
    id: 'memory',
    read: readNumber('MEMORY_USED'),
    format: percent,
    hint: (sample) => formatFree(sample, 'MEMORY_FREE'),
    max: 100,
    warnAt: 95,
  },
  { id: 'resident', read: readMetric('process_resident_memory_bytes'), format: formatSize, hint: formatBudget },
  {
    id: 'disk',
    read: readNumber('FILE_SYSTEM_TOTAL_USAGE'),
    format: percent,
    hint: (sample) => formatFree(sample, 'PARTITION_FREE'),
    max: 100,
    warnAt: 90,
  },
  {
    id: 'waiting',
    read: ({ metrics }) => metrics && sumMetrics(metrics, /^graticule_worker_tasks_waiting/),
    format: perSecond,
  },
  {
    id: 'loop',
    read: readMetric('graticule_event_loop_delay_seconds{statistic="p99"}'),
    format: (seconds) =>
      formatNumber(seconds * 1_000, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }),
  },
  { id: 'commits', read: readMetric('graticule_write_queue_depth'), format: perSecond },
];

export function LoadCards({ samples }: { readonly samples: readonly Sample[] }) {
  const { status: words } = t();
  return (
    <section>
      <h2 class="unseen">{words.load}</h2>
      <ul class="status-cards">
        {measures.map(({ id, read, format, hint, max, warnAt = Number.POSITIVE_INFINITY }) => {
          const values = samples.flatMap((sample) => read(sample) ?? []);
          const value = values.at(-1);
          const last = samples.at(-1);
          if (value === undefined || last === undefined) return null;
          return (
            <li key={id} class={`status-card ${value >= warnAt ? 'status-warn' : ''}`}>
              <span class="muted">{words.metrics[id]}</span>
              <span class="status-value">
                <strong>{format(value)}</strong>
                <span class="muted">{hint?.(last)}</span>
              </span>
              <Sparkline
                values={values}
                max={max}
                length={Math.max(SHOWN_SAMPLES, values.length)}
                label={`${words.metrics[id]}: ${format(value)}`}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function PoolTable({ metrics }: { readonly metrics: ReadonlyMap<string, number> }) {
  const { status: words } = t();
  const pools = [...metrics.keys()].flatMap(
    (name) => /^graticule_worker_threads\{pool="(\w+)"\}/.exec(name)?.[1] ?? [],
  );
  const read = (name: string, pool: string) => formatNumber(metrics.get(`${name}{pool="${pool}"}`) ?? 0);
  if (pools.length === 0) return null;
  return (
    <section class="operations-card">
      <h2>{words.pools}</h2>
      <table class="operations-table" aria-label={words.pools}>
        <thead>
          <tr>
            <th scope="col">{words.pool}</th>
            <th scope="col">{words.running}</th>
            <th scope="col">{words.queued}</th>
            <th scope="col">{words.threads}</th>
          </tr>
        </thead>
        <tbody>
          {pools.toSorted().map((pool) => (
            <tr key={pool}>
              <th scope="row">{pool}</th>
              <td>{read('graticule_worker_tasks_running', pool)}</td>
              <td>{read('graticule_worker_tasks_waiting', pool)}</td>
              <td>
                {read('graticule_worker_threads', pool)}{' '}
                <span class="muted">{words.of(read('graticule_worker_threads_limit', pool))}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function toNumber(value: number | string | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function formatFree({ system }: Sample, name: string): string | undefined {
  const bytes = toNumber(system.get(name));
  return bytes === undefined ? undefined : t().status.free(formatSize(bytes));
}

function formatBudget({ metrics }: Sample): string | undefined {
  const bytes = metrics?.get('graticule_memory_budget_bytes');
  return bytes === undefined ? undefined : t().status.of(formatSize(bytes));
}
