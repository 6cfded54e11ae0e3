/** Traces of the started server: nothing without a collector, spans until the end, and no harm without an answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { launchServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a server sends spans to the collector that the environment names', async () => {
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void collector.close());
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const server = await startServer({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '10' },
  });

  await server.request('GET', '/workspaces.json');
  await expect.poll(() => bodies.join()).toContain('"name":"GET /geoserver/rest/workspaces"');
  const { code } = await server.stop();

  expect(code).toBe(0);
  const line = server.log().find(({ path }) => path === '/geoserver/rest/workspaces.json');
  expect(bodies.join()).toContain(`"traceId":"${line?.['traceId']}","spanId":"${line?.['spanId']}"`);
});

test('a server without a collector serves requests, warns once and stops', async () => {
  const server = await startServer({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hush@127.0.0.1:9', OTEL_BSP_SCHEDULE_DELAY: '10' },
    expectedLog: [/traces could not be sent to the collector/],
  });

  for (let count = 0; count < 20; count += 1) {
    expect((await server.request('GET', '/workspaces.json')).status).toBe(200);
  }
  const { code } = await server.stop();

  expect(code).toBe(0);
  const warnings = server.process.stderr().match(/traces could not be sent/g);
  expect(warnings).toHaveLength(1);
  expect(server.process.stderr()).not.toContain('hush');
});

test('an invalid address of the collector is one clear sentence', async () => {
  const server = launchServer({
    dataDir: await temporaryFolder(),
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    expectedLog: [/OTEL_EXPORTER_OTLP_ENDPOINT is invalid/],
  });

  expect((await server.ended()).code).toBe(1);
  expect(server.stderr()).toBe(
    'graticule: OTEL_EXPORTER_OTLP_ENDPOINT is invalid. Use an http or https URL, for example http://127.0.0.1:4318.\n',
  );
});
