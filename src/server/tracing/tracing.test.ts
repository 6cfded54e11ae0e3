/** Traces, as a collector receives them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askMap, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { startTestServer } from '../../../test/support/test-server.ts';
import { RequestTracer } from './request-tracer.ts';
import { type FinishedSpan, SpanExporter } from './span-exporter.ts';
import { startTracing } from './start-tracing.ts';
import { readTraceSettings } from './trace-settings.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
}
interface SentDocument {
  readonly resourceSpans: readonly {
    readonly resource: Pick<SentSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** Only ends a failing test. */
const PATIENCE_MS = 120_000;

const identity = { version: '9.9.9' };
const span: FinishedSpan = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: undefined,
  name: 'x',
  kind: 'server',
  startMs: 1,
  endMs: 2,
  attributes: {},
  isFailed: false,
};

/** A stand-in for a collector; it answers with the given status. */
class Collector {
  readonly received: {
    readonly path: string;
    readonly headers: Record<string, unknown>;
    readonly body: SentDocument;
  }[] = [];
  status = 200;
  #server: Server | undefined;
  url = '';

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const body = (await json(request)) as SentDocument;
      this.received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(this.status).end('{}');
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  listSpans(): readonly SentSpan[] {
    return this.received.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }
}

const quiet = { info: () => undefined, warn: () => undefined };

describe('traces', () => {
  const collector = new Collector();
  beforeAll(() => collector.start());
  afterAll(() => collector.stop());

  it('contain requests, queries, drawing, encoding and commits, continue the trace of the client, and have no secrets', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());
    await publishSquares(server);
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20ours',
      OTEL_SERVICE_NAME: 'maps',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=other',
    };
    const settings = readTraceSettings(variables, identity);
    if (settings === undefined) throw new Error('Expected settings');
    const stop = startTracing(settings, quiet);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

    const map = await server.get(`//geoserver/wms?${SMALL_MAP.replace('png', 'jpeg')}&layers=topo:west&vendor=hush`, {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    await server.post('/workspaces', '<workspace><name>traced</name></workspace>');
    await stop(PATIENCE_MS);

    expect(map.status).toBe(200);
    const [first] = collector.received;
    expect(first?.path).toBe('/v1/traces');
    expect(first?.headers['api-key']).toBe('of ours');
    expect(first?.body.resourceSpans[0]?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'maps' } },
        { key: 'service.version', value: { stringValue: '9.9.9' } },
        { key: 'deployment.environment', value: { stringValue: 'test' } },
      ]),
    );
    const ofMap = collector.listSpans().filter((each) => each.traceId === traceId);
    const root = ofMap.find(({ name }) => name === 'WMS GetMap');
    expect(root).toMatchObject({ kind: 2, parentSpanId: '00f067aa0ba902b7' });
    expect(root?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } });
    const render = ofMap.find(({ name }) => name === 'render');
    expect(render?.parentSpanId).toBe(root?.spanId);
    expect(new Set(ofMap.map(({ name }) => name))).toEqual(new Set(['WMS GetMap', 'render', 'query', 'encode']));
    for (const each of ofMap)
      expect(BigInt(each.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(each.startTimeUnixNano));
    const post = collector.listSpans().find(({ name }) => name === 'POST /geoserver/rest/workspaces');
    expect(collector.listSpans()).toContainEqual(
      expect.objectContaining({ name: 'commit', traceId: post?.traceId, parentSpanId: post?.spanId }),
    );
    const text = JSON.stringify(collector.received.map(({ body }) => body));
    expect(text).not.toContain('hush');
    expect(text).not.toContain('a password for tests');
    const line = server.log.find((each) => each.includes('GetMap'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ traceId, spanId: root?.spanId });
    // Without a tracer, lines have no ids.
    await askMap(server, `${SMALL_MAP}&layers=topo:east`);
    expect(server.log.find((each) => each.includes('topo:east'))).not.toContain('traceId');
  });
});

describe('a collector', () => {
  const settings = readTraceSettings(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    },
    identity,
  );
  if (settings === undefined) throw new Error('Expected settings');

  it('that does not answer costs a limited number of spans, and one warning without its address', async () => {
    const warnings: string[] = [];
    const exporter = new SpanExporter({ ...settings, maxBatchSize: 10, onError: (reason) => warnings.push(reason) });
    for (let count = 0; count < 10_000; count += 1) exporter.add(span);
    expect(exporter.size).toBe(100);
    await exporter.close(PATIENCE_MS);

    expect(exporter.size).toBe(100);
    expect(warnings).toEqual([expect.stringMatching(/^the connection failed/)]);
    expect(warnings.join()).not.toContain('127.0.0.1');
  });

  it('that hangs delays the stop of a server only for the given time', async () => {
    const server = createServer(() => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    onTestFinished(() => server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const warnings: string[] = [];
    const exporter = new SpanExporter({
      ...settings,
      ...{ endpoint: `http://127.0.0.1:${port}`, timeoutMs: 600_000, maxBatchSize: 1 },
      onError: (reason) => warnings.push(reason),
    });
    const requested = once(server, 'request');
    exporter.add(span);
    await requested;

    await exporter.close(50);

    expect(warnings).toEqual(['it did not answer in time']);
    expect(exporter.size).toBe(1);
  });

  it('gets spans again after an outage, but not a batch that it rejected', async () => {
    const collector = new Collector();
    await collector.start();
    onTestFinished(() => collector.stop());
    const exporter = new SpanExporter({ ...settings, endpoint: collector.url, onError: () => undefined });
    collector.status = 503;
    exporter.add(span);
    await exporter.close(PATIENCE_MS);
    expect(exporter.size).toBe(1);
    collector.status = 400;
    await exporter.close(PATIENCE_MS);

    expect(exporter.size).toBe(0);
    expect(collector.listSpans()).toHaveLength(2);
  });
});

describe('trace settings', () => {
  it.each([
    ['no collector', {}],
    ['OTEL_SDK_DISABLED', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example', OTEL_SDK_DISABLED: 'true' }],
    ['no exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example', OTEL_TRACES_EXPORTER: 'none' }],
  ])('disable traces: %s', (_, variables) => {
    expect(readTraceSettings(variables, identity)).toBeUndefined();
  });

  it('send the credentials of an address as a header', () => {
    const settings = readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:a%20b@a.example:4318' }, identity);

    expect(settings?.endpoint).toBe('http://a.example:4318/v1/traces');
    expect(settings?.headers).toEqual({ authorization: `Basic ${Buffer.from('ann:a b').toString('base64')}` });
  });

  it('prefer the variables of traces, and name the values that are ignored', () => {
    const settings = readTraceSettings(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b.example/traces',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: 'soon',
        OTEL_TRACES_SAMPLER: 'made_up',
        OTEL_BSP_MAX_QUEUE_SIZE: '-1',
      },
      identity,
    );

    expect(settings).toMatchObject({ endpoint: 'https://b.example/traces', maxQueueSize: 2_048 });
    expect(settings?.sampler).toEqual({ followsParent: true, share: 1 });
    expect(settings?.warnings.map((warning) => warning.split(' ')[0])).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
      'OTEL_TRACES_SAMPLER',
      'OTEL_BSP_MAX_QUEUE_SIZE',
    ]);
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
      expect(() => readTraceSettings({ [name]: 'a.example' }, identity)).toThrow(
        `${name} is invalid. Use an http or https URL`,
      );
    }
  });

  it.each([
    ['always_on', undefined, [true, true, true]],
    ['always_off', undefined, [false, false, false]],
    ['traceidratio', '0', [false, false, false]],
    ['parentbased_always_off', undefined, [false, true, false]],
    ['parentbased_traceidratio', '1', [true, true, false]],
    [undefined, undefined, [true, true, false]],
  ])('sample new requests, those with a sampled parent and those with another one: %s', (name, argument, expected) => {
    const settings = readTraceSettings(
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example', OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument },
      identity,
    );
    const exported: FinishedSpan[] = [];
    const tracer = new RequestTracer(settings?.sampler ?? { followsParent: true, share: 1 }, (each) =>
      exported.push(each),
    );
    const parent = `00-${'c'.repeat(32)}-${'d'.repeat(16)}`;
    const isSampled = (traceparent: string | undefined) => {
      const before = exported.length;
      tracer.startRequest(traceparent).end();
      return exported.length > before;
    };

    expect([undefined, `${parent}-01`, `${parent}-00`].map(isSampled)).toEqual(expected);
  });

  it.each(['', 'garbage', `00-${'0'.repeat(32)}-${'d'.repeat(16)}-01`, `ff-${'c'.repeat(32)}-${'d'.repeat(16)}-01`])(
    'an invalid traceparent starts a new trace: %s',
    (traceparent) => {
      const exported: FinishedSpan[] = [];
      new RequestTracer({ followsParent: true, share: 1 }, (each) => exported.push(each))
        .startRequest(traceparent)
        .end();

      expect(exported[0]?.parentSpanId).toBeUndefined();
      expect(exported[0]?.traceId).toMatch(/^[\da-f]{32}$/);
    },
  );
});
