/** Generates the Grafana dashboard: rows of panels, each with its queries. */

interface Panel {
  readonly title: string;
  readonly unit?: 'reqps' | 's' | 'bytes' | 'percentunit' | 'short';
  /** Queries by the name of their lines; `{{label}}` is replaced by a label. */
  readonly queries: Readonly<Record<string, string>>;
}

const here = 'instance=~"$instance"';

/** The rate of a counter or of a part of a histogram, summed by labels. */
function sumRate(metric: string, labels: readonly string[], conditions: readonly string[] = []): string {
  const selector = [here, ...conditions].join(',');
  const by = labels.length === 0 ? '' : ` by (${labels.join(', ')})`;
  return `sum${by} (rate(${metric}{${selector}}[$__rate_interval]))`;
}

function quantile(
  share: number,
  histogram: string,
  labels: readonly string[],
  conditions: readonly string[] = [],
): string {
  return `histogram_quantile(${share}, ${sumRate(`${histogram}_bucket`, [...labels, 'le'], conditions)})`;
}

function sum(metric: string, labels: readonly string[]): string {
  return `sum by (${labels.join(', ')}) (${metric}{${here}})`;
}

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Traffic: [
    {
      title: 'Requests by service',
      unit: 'reqps',
      queries: { '{{service}}': sumRate('graticule_requests_total', ['service']) },
    },
    {
      title: 'Requests by operation',
      unit: 'reqps',
      queries: {
        '{{service}} {{operation}}': `topk(10, ${sumRate('graticule_requests_total', ['service', 'operation'])})`,
      },
    },
    {
      title: 'Requests in progress',
      queries: { '{{instance}}': sum('graticule_http_requests_in_progress', ['instance']) },
    },
  ],
  Errors: [
    {
      title: 'Share of failed requests (5xx)',
      unit: 'percentunit',
      queries: {
        '{{instance}}': `${sumRate('graticule_http_requests_total', ['instance'], ['status=~"5.."'])} / ${sumRate('graticule_http_requests_total', ['instance'])}`,
      },
    },
    {
      title: 'Rejected requests by status (4xx)',
      unit: 'reqps',
      queries: { '{{status}}': sumRate('graticule_http_requests_total', ['status'], ['status=~"4.."']) },
    },
    {
      title: 'Sign-ins by result',
      unit: 'reqps',
      queries: { '{{result}}': sumRate('graticule_sign_ins_total', ['result']) },
    },
  ],
  Latency: [
    {
      title: 'Duration of requests, 50 % and 95 %',
      unit: 's',
      queries: {
        '{{service}} 50 %': quantile(0.5, 'graticule_request_duration_seconds', ['service']),
        '{{service}} 95 %': quantile(0.95, 'graticule_request_duration_seconds', ['service']),
      },
    },
    {
      title: 'Slowest operations, 95 %',
      unit: 's',
      queries: {
        '{{service}} {{operation}}': `topk(10, ${quantile(0.95, 'graticule_request_duration_seconds', ['service', 'operation'])})`,
      },
    },
    {
      title: 'Event loop delay',
      unit: 's',
      queries: { '{{instance}} {{statistic}}': `graticule_event_loop_delay_seconds{${here}}` },
    },
  ],
  Maps: [
    {
      title: 'Rendering, 95 %',
      unit: 's',
      queries: { '{{kind}}': quantile(0.95, 'graticule_render_duration_seconds', ['kind']) },
    },
    {
      title: 'Queries by type of store, 95 %',
      unit: 's',
      queries: { '{{driver}}': quantile(0.95, 'graticule_query_duration_seconds', ['driver']) },
    },
    {
      title: 'Encoding by format, 95 %',
      unit: 's',
      queries: { '{{format}}': quantile(0.95, 'graticule_encode_duration_seconds', ['format']) },
    },
    {
      title: 'Outgoing requests, 95 %',
      unit: 's',
      queries: { 'all servers': quantile(0.95, 'graticule_outgoing_request_duration_seconds', []) },
    },
  ],
  Tiles: [
    {
      title: 'Lookups by result',
      unit: 'reqps',
      queries: { '{{result}}': sumRate('graticule_tile_cache_lookups_total', ['result']) },
    },
    {
      title: 'Share of hits',
      unit: 'percentunit',
      queries: {
        hits: `${sumRate('graticule_tile_cache_lookups_total', [], ['result!="miss"'])} / ${sumRate('graticule_tile_cache_lookups_total', [])}`,
      },
    },
    {
      title: 'Fill level of the cache',
      unit: 'percentunit',
      queries: {
        '{{instance}} {{tier}}': `graticule_tile_cache_bytes{${here}} / graticule_tile_cache_limit_bytes{${here}}`,
      },
    },
  ],
  Queues: [
    { title: 'Waiting tasks', queries: { '{{pool}}': sum('graticule_worker_tasks_waiting', ['pool']) } },
    {
      title: 'Use of threads',
      unit: 'percentunit',
      queries: {
        '{{pool}}': `${sum('graticule_worker_tasks_running', ['pool'])} / ${sum('graticule_worker_threads_limit', ['pool'])}`,
      },
    },
    {
      title: 'Failed and rejected tasks',
      unit: 'reqps',
      queries: {
        '{{pool}} {{result}}': sumRate('graticule_worker_tasks_total', ['pool', 'result'], ['result!="done"']),
      },
    },
    {
      title: 'Busy threads, average',
      queries: { '{{pool}}': sumRate('graticule_worker_busy_seconds_total', ['pool']) },
    },
  ],
  Database: [
    {
      title: 'Connections of stores',
      queries: {
        open: `sum(graticule_store_connections_open{${here}})`,
        idle: `sum(graticule_store_connections_idle{${here}})`,
        waiting: `sum(graticule_store_connections_waiting{${here}})`,
      },
    },
    {
      title: 'Duration of changes, 95 %',
      unit: 's',
      queries: { '{{instance}}': quantile(0.95, 'graticule_commit_duration_seconds', ['instance']) },
    },
    { title: 'Pending changes', queries: { '{{instance}}': sum('graticule_write_queue_depth', ['instance']) } },
    { title: 'Unreachable stores', queries: { '{{instance}}': sum('graticule_stores_unreachable', ['instance']) } },
    {
      title: 'Connections of the catalog',
      queries: { '{{instance}} {{state}}': `graticule_storage_connections{${here}}` },
    },
  ],
  'Memory and disk': [
    {
      title: 'Memory',
      unit: 'bytes',
      queries: {
        '{{instance}} resident': `process_resident_memory_bytes{${here}}`,
        '{{instance}} budget': `graticule_memory_budget_bytes{${here}}`,
        '{{instance}} heap': `graticule_heap_used_bytes{${here}}`,
      },
    },
    { title: 'CPU cores in use', queries: { '{{instance}}': sumRate('process_cpu_seconds_total', ['instance']) } },
    {
      title: 'Free disk space',
      unit: 'bytes',
      queries: { '{{instance}} {{root}}': `graticule_disk_free_bytes{${here}}` },
    },
  ],
  'Nodes and backups': [
    {
      title: 'Version',
      queries: { '{{instance}} {{node}} {{version}}': `graticule_build_info{${here}}` },
    },
    {
      title: 'Missing changes',
      queries: { '{{instance}}': `graticule_node_lag_changes{${here}}` },
    },
    {
      title: 'Time since the last backup',
      unit: 's',
      queries: { '{{instance}}': `time() - graticule_backup_last_success_time_seconds{${here}}` },
    },
    {
      title: 'Size of the last backup',
      unit: 'bytes',
      queries: { '{{instance}}': `graticule_backup_last_bytes{${here}}` },
    },
  ],
};

const COLUMNS = 24;
const PANEL_HEIGHT = 8;
const datasource = { type: 'prometheus', uid: '${datasource}' };

export function monitoringDashboard(): string {
  const panels: object[] = [];
  let y = 0;
  for (const [title, content] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    });
    y += 1;
    const width = Math.floor(COLUMNS / content.length);
    for (const [index, panel] of content.entries()) {
      panels.push(createPanel(panel, panels.length + 1, { x: index * width, y, w: width, h: PANEL_HEIGHT }));
    }
    y += PANEL_HEIGHT;
  }
  const dashboard = {
    uid: 'graticule',
    title: 'Graticule',
    tags: ['graticule'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'instance',
          label: 'Node',
          type: 'query',
          datasource,
          query: 'label_values(graticule_build_info, instance)',
          refresh: 2,
          multi: true,
          includeAll: true,
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function createPanel({ title, unit = 'short', queries }: Panel, id: number, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
