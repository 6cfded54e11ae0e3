import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { metricKinds } from '../../operations/system/metric-kinds.ts';

interface Metric {
  readonly name: string;
  readonly identifier: string;
  readonly available: boolean;
  readonly value: number | string;
}

describe('GET /about/system-status', () => {
  const server = useTestServer();

  async function metrics(): Promise<readonly Metric[]> {
    const reply = await server.get('/about/system-status.json');
    return (reply.json() as { metrics: { metric: readonly Metric[] } }).metrics.metric;
  }

  async function shownFor(name: string, identifier = name): Promise<number> {
    const found = (await metrics()).find((metric) => metric.name === name && metric.identifier === identifier);
    return Number(found?.value);
  }

  beforeAll(() =>
    vi.waitUntil(
      async () => (await metrics()).some(({ name, available }) => name === 'OPERATING_SYSTEM' && available),
      120_000,
    ),
  );

  it('returns every metric, in XML by default', async () => {
    const reply = await server.get('/about/system-status');

    expect(reply.headers['content-type']).toBe('application/xml');
    expect(reply.text).toMatch(
      /^<metrics>\n {2}<metric>\n {4}<available>true<\/available>\n {4}<description>Operating system<\/description>\n {4}<name>OPERATING_SYSTEM<\/name>\n {4}<unit><\/unit>\n {4}<category>SYSTEM<\/category>\n {4}<identifier>OPERATING_SYSTEM<\/identifier>\n {4}<priority>1<\/priority>\n {4}<value>.+<\/value>\n {2}<\/metric>\n/,
    );
    const names = new Set((await metrics()).map(({ name }) => name.replace(/^(FAN_SPEED)_\d+$/, '$1')));
    expect([...names]).toEqual(Object.keys(metricKinds));
  });

  it('returns eight fields per metric, with a numeric value where one is available', async () => {
    for (const metric of await metrics()) {
      expect(Object.keys(metric)).toEqual([
        'available',
        'description',
        'name',
        'unit',
        'category',
        'identifier',
        'priority',
        'value',
      ]);
      const expected = metric.name === 'OPERATING_SYSTEM' ? 'string' : metric.available ? 'number' : 'string';
      expect(typeof metric.value, metric.name).toBe(expected);
    }
  });

  it('returns a load for every CPU', async () => {
    const loads = (await metrics()).filter(({ name }) => name === 'PER_CPU_LOAD');

    expect(loads.map(({ identifier }) => identifier)).toEqual(cpus().map((_cpu, index) => `CPU ${index + 1}`));
    expect(await shownFor('LOGICAL_CPUS')).toBe(cpus().length);
  });

  it.runIf(process.platform === 'linux')('reports the values of df, /proc/meminfo and /proc/net/dev', async () => {
    const { stdout } = await promisify(execFile)('df', ['-P', '-B1', '/']);
    const [, totalBytes, , freeBytes, percent = ''] = stdout.trim().split('\n').at(-1)?.split(/\s+/) ?? [];
    const meminfo = await readFile('/proc/meminfo', 'utf8');
    const memoryBytes = Number(/^MemTotal:\s+(\d+) kB$/m.exec(meminfo)?.[1]) * 1_024;
    const interfaces = [...(await readFile('/proc/net/dev', 'utf8')).matchAll(/^\s*([^\s:]+):/gm)].map(
      ([, name]) => name,
    );

    expect(await shownFor('PARTITION_TOTAL', '/')).toBe(Number(totalBytes));
    expect((await shownFor('PARTITION_FREE', '/')) / Number(freeBytes)).toBeCloseTo(1, 1);
    expect(Math.abs((await shownFor('PARTITION_USED', '/')) - Number.parseFloat(percent))).toBeLessThan(2);
    expect(await shownFor('MEMORY_TOTAL')).toBe(memoryBytes);
    const shown = (await metrics()).filter(({ name }) => name === 'NETWORK_INTERFACE_SEND');
    expect(shown.filter(({ available }) => available).map(({ identifier }) => identifier)).toEqual(
      interfaces.filter((name) => name !== 'lo'),
    );
  });

  it('returns a page that reloads itself at the requested interval', async () => {
    const live = await server.get('/about/system-status.html');
    const slow = await server.get('/about/system-status.html?refresh=60');
    const still = await server.get('/about/system-status.html?refresh=0');

    expect(live.text).toContain('<meta http-equiv="refresh" content="5">');
    expect(slow.text).toContain('<meta http-equiv="refresh" content="60">');
    expect(still.text).not.toContain('http-equiv="refresh"');
    expect(still.text).toContain('/rest/about/system-status.html?refresh=5">every 5 seconds</a>');
    expect((await server.get('/about/system-status.html?refresh=often')).status).toBe(400);
  });

  it('returns a page with groups and bars and without scripts', async () => {
    const reply = await server.get('/about/system-status.html');

    for (const heading of ['This server', 'CPU', 'Memory', 'File systems', 'Network', 'Swap', 'System', 'Sensors']) {
      expect(reply.text).toContain(`<h2>${heading}</h2>`);
    }
    expect(reply.text).toMatch(/<dt>Memory in use<\/dt><dd>[\d.]+ %<\/dd><dd class="bar"><meter min="0" max="100"/);
    expect(reply.text).toMatch(/<dt>Total memory<\/dt><dd>[\d.]+ [KMGT]iB<\/dd>/);
    expect(reply.text).not.toMatch(/<script|style=|onload/);
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('GET /about/system-status with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('answers in JSON by default', async () => {
    const reply = await server.get('/about/system-status');

    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.json()).toMatchObject({ metrics: { metric: expect.any(Array) } });
  });
});
