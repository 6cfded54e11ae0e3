import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../test/support/test-server.ts';
import { AuditLog } from './audit-log.ts';

function openLog() {
  const lines: string[] = [];
  const log = new AuditLog({
    clock: () => Date.parse('2026-11-18T08:00:00Z'),
    append: async (text) => void lines.push(...text.trimEnd().split('\n')),
    onError: (reason) => {
      throw reason;
    },
  });
  const readLines = async () => {
    await log.close();
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { log, readLines };
}

const denied = {
  event: 'denied',
  user: '-',
  address: '192.0.2.1',
  method: 'GET',
  path: '/geoserver/rest/workspaces',
  status: 401,
  reason: 'credentials-required',
  requestId: '1',
} as const;

describe('audit log', () => {
  it('counts repeated denials of an address after the first twenty of a minute', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 1_000; count += 1) log.write(denied);
    log.write({ ...denied, address: '192.0.2.2' });

    const lines = await readLines();
    expect(lines).toHaveLength(22);
    expect(lines[0]).toEqual({ time: '2026-11-18T08:00:00.000Z', ...denied });
    expect(lines.at(-1)).toEqual({
      time: '2026-11-18T08:00:00.000Z',
      event: 'omitted',
      of: 'denied',
      result: '401',
      address: '192.0.2.1',
      count: 980,
    });
  });

  it('counts denials of very many addresses together', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 3_000; count += 1) log.write({ ...denied, address: `2001:db8::${count}` });

    const lines = await readLines();
    expect(lines).toHaveLength(1_000 + 20 + 1);
    expect(lines.at(-1)).toMatchObject({ event: 'omitted', address: 'other addresses', count: 1_980 });
  });

  it('writes every change and every successful sign-in, and cuts off long names', async () => {
    const { log, readLines } = openLog();
    for (let count = 0; count < 50; count += 1) {
      log.write({ event: 'sign-in', result: 'success', user: 'ann', address: '192.0.2.1' });
    }
    log.write({ event: 'sign-in', result: 'failure', user: 'x'.repeat(10_000), address: '192.0.2.1' });

    const lines = await readLines();
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)?.['user']).toHaveLength(501);
  });
});

describe('a server with an audit log', () => {
  it('reports sign-ins once, denied requests and changes, without secrets', async () => {
    const { log, readLines } = openLog();
    const server = await startTestServer({ logAudit: log.write });
    await server.get('/workspaces?token=hush', { as: null });
    await server.get('/workspaces', { as: 'admin:wrong-secret' });
    await server.get('/workspaces');
    await server.get('/workspaces');
    const made = await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const repeatable = await server.post('/workspaces', '<workspace><name>other</name></workspace>', {
      headers: { 'idempotency-key': 'k1' },
    });
    await server.post('/workspaces?dryRun=true', '<workspace><name>tried</name></workspace>');
    await server.close();

    const lines = await readLines();
    const number = (reply: typeof made) => Number(reply.headers['graticule-change']);
    expect(lines.map(({ time: _time, requestId: _id, address: _address, ...rest }) => rest)).toEqual([
      {
        event: 'denied',
        user: 'anonymous',
        method: 'GET',
        path: '/geoserver/rest/workspaces',
        status: 401,
        reason: 'credentials-required',
      },
      { event: 'sign-in', result: 'failure', user: 'admin' },
      {
        event: 'denied',
        user: '-',
        method: 'GET',
        path: '/geoserver/rest/workspaces',
        status: 401,
        reason: 'credentials-required',
      },
      { event: 'sign-in', result: 'success', user: 'admin' },
      {
        event: 'change',
        user: 'admin',
        method: 'POST',
        path: '/geoserver/rest/workspaces',
        status: 201,
        change: number(made),
      },
      {
        event: 'change',
        user: 'admin',
        method: 'POST',
        path: '/geoserver/rest/workspaces',
        status: 201,
        change: number(repeatable),
      },
    ]);
    const text = JSON.stringify(lines);
    expect(text).not.toContain('hush');
    expect(text).not.toContain('wrong-secret');
  });
});
