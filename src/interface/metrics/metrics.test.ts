import { describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';

async function numberOf(server: TestServer, line: string): Promise<number> {
  const reply = await server.get('//metrics');
  const found = reply.text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
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
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? (\d+(\.\d+)?(e[-+]\d+)?|\+Inf))$/,
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

describe('GET /metrics with --open-metrics', () => {
  const server = useTestServer({ flags: ['--open-metrics'] });

  it('is public, and no other resource is', async () => {
    expect((await server.get('//metrics', { as: null })).status).toBe(200);
    expect((await server.get('/about/version', { as: null })).status).toBe(401);
  });
});
