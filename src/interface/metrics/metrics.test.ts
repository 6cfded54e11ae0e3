import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declaredMetrics, expectDeclaredMetrics } from '../../../test/support/exposition.ts';
import { askMap, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { isOnPostgres } from '../../../test/support/shared-storage.ts';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';

async function numberOf(server: TestServer, line: string): Promise<number> {
  const reply = await server.get('//metrics');
  const found = reply.text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}

/** Returns the labels of each metric in `docs/metrics.md`. */
function readDocumentedLabels(): ReadonlyMap<string, readonly (string | undefined)[]> {
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
  return new Map(
    page
      .split('\n### ')
      .slice(1)
      .map((section) => {
        const [name = '', ...lines] = section.split('\n');
        return [name, lines.flatMap((line) => /^- `([^`]+)`: ./.exec(line)?.[1] ?? [])];
      }),
  );
}

describe('GET /metrics', () => {
  const server = useTestServer();
  const workspaces = 'route="/geoserver/rest/workspaces",method="GET"';

  it('returns text in the Prometheus format', async () => {
    const reply = await server.get('//metrics');

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of reply.text.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? (-?\d+(\.\d+)?(e[-+]\d+)?|\+Inf))$/,
      );
    }
  });

  it('requires administrator rights', async () => {
    expect((await server.get('//metrics', { as: null })).status).toBe(401);
    expect((await server.get('//metrics/', { as: null })).status).toBe(401);
    expect((await server.get('//metrics', { as: 'admin:wrong' })).status).toBe(401);
  });

  it('counts requests by route and status with their durations', async () => {
    const before = await numberOf(server, `graticule_http_requests_total{${workspaces},status="200"}`);
    const timedBefore = await numberOf(server, `graticule_http_request_duration_seconds_count{${workspaces}}`);

    await server.get('/workspaces.json');
    await server.get('/workspaces');
    await server.get('/workspaces/nowhere.xml');

    expect(await numberOf(server, `graticule_http_requests_total{${workspaces},status="200"}`)).toBe(before + 2);
    expect(await numberOf(server, `graticule_http_request_duration_seconds_count{${workspaces}}`)).toBe(
      timedBefore + 2,
    );
    expect(
      await numberOf(
        server,
        'graticule_http_requests_total{route="/geoserver/rest/workspaces/:workspace",method="GET",status="404"}',
      ),
    ).toBe(1);
  });

  it('counts unknown paths together, without their names', async () => {
    const line = 'graticule_http_requests_total{route="unmatched",method="GET",status="404"}';
    const before = await numberOf(server, line);

    await server.get('/my-secret-path');
    await server.get('/another');

    expect(await numberOf(server, line)).toBe(before + 2);
    expect((await server.get('//metrics')).text).not.toContain('my-secret-path');
  });

  it('counts the records of the catalog and the changes', async () => {
    const sizeBefore = await numberOf(server, 'graticule_catalog_records{kind="workspace"}');
    const positionBefore = await numberOf(server, 'graticule_change_log_position');

    await server.post('/workspaces', '<workspace><name>counted</name></workspace>');

    expect(await numberOf(server, 'graticule_catalog_records{kind="workspace"}')).toBe(sizeBefore + 1);
    expect(await numberOf(server, 'graticule_change_log_position')).toBe(positionBefore + 1);
    expect(await numberOf(server, 'graticule_write_queue_depth')).toBe(0);
    expect(await numberOf(server, 'graticule_store_connections_waiting')).toBe(0);
  });

  it('reports the pending changes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const writes = [1, 2, 3].map(() =>
      server.server.storage.write({ who: 'test', what: 'take a while' }, () => promise),
    );

    expect(await numberOf(server, 'graticule_write_queue_depth')).toBe(3);

    resolve();
    await Promise.all(writes);
    expect(await numberOf(server, 'graticule_write_queue_depth')).toBe(0);
  });

  it('reports the process metrics', async () => {
    const startedAt = await numberOf(server, 'process_start_time_seconds');

    expect(await numberOf(server, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(await numberOf(server, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(Math.abs(startedAt + process.uptime() - Date.now() / 1_000)).toBeLessThan(2);
    expect((await server.get('//metrics')).text).toContain('graticule_event_loop_delay_seconds{statistic="p99"} ');
  });
});

describe('GET /metrics of a server with maps and scheduled backups', () => {
  const server = useTestServer({ flags: ['--backup-schedule', '24h'] });

  it('contains exactly the declared metrics', async () => {
    const found = expectDeclaredMetrics((await server.get('//metrics')).text);

    const present = new Set(['scheduled backups', ...(isOnPostgres ? ['several nodes'] : [])]);
    const expected = declaredMetrics.filter(({ presence }) => presence === undefined || present.has(presence));
    expect([...found].toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
  });

  it('has the labels that its documentation lists', async () => {
    const page = readDocumentedLabels();
    const samples = (await server.get('//metrics')).text.split('\n').filter((line) => /^[a-z]/.test(line));

    for (const sample of samples) {
      const [, line = '', pairs = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(sample) ?? [];
      const name = page.has(line) ? line : line.replace(/_(?:bucket|sum|count)$/, '');
      const labels = [...pairs.matchAll(/(?:^|,)([^=,]+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label);
      expect(
        labels.filter((label) => label !== 'le' || name === line),
        sample,
      ).toEqual(page.get(name));
    }
    expect(page.get('graticule_sign_ins_total')).toEqual(['result']);
    expect(declaredMetrics.map(({ name, labels }) => [name, Object.keys(labels)])).toEqual([...page]);
  });

  it('measures services, maps, queries, pictures, tiles, threads, changes and sign-ins', async () => {
    const tile =
      '//gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=topo:west&style=&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=0&format=image/png';
    const lines = {
      map: 'graticule_requests_total{service="WMS",operation="GetMap",status="200"}',
      duration: 'graticule_request_duration_seconds_count{service="WMS",operation="GetMap"}',
      invented: 'graticule_requests_total{service="WMS",operation="other",status="200"}',
      feature: 'graticule_requests_total{service="WFS",operation="GetFeature",status="200"}',
      tile: 'graticule_requests_total{service="Tiles",operation="GetTile",status="200"}',
      rest: 'graticule_requests_total{service="REST",operation="Workspaces",status="200"}',
      render: 'graticule_render_duration_seconds_count{kind="picture"}',
      encode: 'graticule_encode_duration_seconds_count{format="jpeg"}',
      commit: 'graticule_commit_duration_seconds_count',
      drawn: 'graticule_worker_tasks_total{pool="maps",result="done"}',
      miss: 'graticule_tile_cache_lookups_total{result="miss"}',
      memory: 'graticule_tile_cache_lookups_total{result="memory"}',
      wrong: 'graticule_sign_ins_total{result="failure"}',
    };
    const readAll = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(lines).map(async ([name, line]) => [name, await numberOf(server, line)] as const),
        ),
      );
    await publishSquares(server);
    const before = await readAll();

    expect((await askMap(server, `${SMALL_MAP.replace('png', 'jpeg')}&layers=topo:west`)).status).toBe(200);
    await server.get('//geoserver/wms?service=WMS&version=1.3.0&request=MadeUp', { as: null });
    await server.get('//geoserver/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=topo:west');
    expect((await server.get(tile.replace('//', '//geoserver/'))).status).toBe(200);
    expect((await server.get(tile.replace('//', '//geoserver/'))).status).toBe(200);
    await server.get('/workspaces');
    await server.post('/workspaces', '<workspace><name>measured</name></workspace>');
    await server.get('/workspaces', { as: 'admin:wrong' });

    const after = await readAll();
    const grown = Object.fromEntries(
      Object.keys(lines).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
    );
    expect(grown).toMatchObject({ map: 1, duration: 1, invented: 1, feature: 1, tile: 2, rest: 1, encode: 1 });
    expect(grown).toMatchObject({ miss: 1, memory: 1, wrong: 1 });
    for (const name of ['render', 'commit', 'drawn']) expect(grown[name], name).toBeGreaterThan(0);
    const text = (await server.get('//metrics')).text;
    expect(text).toMatch(/graticule_query_duration_seconds_count\{driver="[A-Za-z ]+"\} [1-9]/);
    expect(text).not.toContain('MadeUp');
    expect(await numberOf(server, 'graticule_http_requests_in_progress')).toBe(1);
  });
});

describe('GET /metrics with --open-metrics', () => {
  const server = useTestServer({ flags: ['--open-metrics'] });

  it('is public, and no other resource is', async () => {
    expect((await server.get('//metrics', { as: null })).status).toBe(200);
    expect((await server.get('/about/version', { as: null })).status).toBe(401);
  });
});
