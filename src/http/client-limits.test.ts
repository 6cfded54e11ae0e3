/** The limits for each client address, of a complete server. */
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { openEventClient } from '../../test/support/event-client.ts';
import { ADMIN_PASSWORD, useTestServer } from '../../test/support/test-server.ts';

const server = useTestServer({
  flags: [
    ...['--rate-limit', '2', '--concurrent-limit', '1'],
    ...['--trust-proxy', 'loopback', '--limit-exempt', '10.0.0.0/8'],
  ],
});
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

it('returns 429 with Retry-After beyond the rate, before it checks the password', async () => {
  await server.get('/workspaces', from('192.0.2.1'));
  await server.get('//wms', { ...from('192.0.2.1'), as: null });
  const rejected = await server.get('/workspaces.json', { ...from('192.0.2.1'), as: 'admin:wrong' });
  const service = await server.get('//geoserver/wms?service=WMS&request=GetCapabilities', from('192.0.2.1'));
  const other = await server.get('/workspaces', from('192.0.2.2'));

  // The seconds depend on the duration of the first requests.
  const seconds = Number(rejected.headers['retry-after']);
  expect(rejected.status).toBe(429);
  expect(seconds > 0 && seconds <= 30).toBe(true);
  expect(rejected.json()).toEqual({
    status: 429,
    message: `Too many requests from this address: the limit is 2 per minute. Retry in ${seconds} seconds.`,
  });
  expect(service).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
  expect(service.text).toContain('<ServiceException');
  expect(other.status).toBe(200);
});

it('does not limit health checks and exempt addresses', async () => {
  const requests = [1, 2, 3].flatMap(() => [
    server.get('/livez', from('192.0.2.3')),
    server.get('/readyz', from('192.0.2.3')),
    server.get('/workspaces', from('10.1.2.3')),
  ]);

  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('counts an event stream as a request in progress until the client disconnects', async () => {
  const { app } = server.server;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const stream = await openEventClient({
    ...{ port, path: '/geoserver/rest/events', as: `admin:${ADMIN_PASSWORD}` },
    ...from('192.0.2.4'),
  });

  const during = await server.get('/workspaces', from('192.0.2.4'));
  stream.close();

  expect(during).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(during.text).toContain('Too many concurrent requests from this address: the limit is 1.');
  // The rejected request above did not use up the rate: two are admitted.
  await vi.waitUntil(async () => (await server.get('/workspaces', from('192.0.2.4'))).status === 200);
});

it('reports rejected requests as metrics', async () => {
  const { text } = await server.get('//metrics', from('10.1.2.3'));

  expect(text).toMatch(/^graticule_requests_rejected_total\{limit="rate"\} 2$/m);
  expect(text).toMatch(/^graticule_requests_rejected_total\{limit="concurrent"\} [1-9]\d*$/m);
  expect(text).toMatch(/^graticule_limited_addresses [1-9]\d*$/m);
});
