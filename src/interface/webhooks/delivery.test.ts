import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../test/support/test-server.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/support/webhook-receiver.ts';

const soon = { timeoutMs: 10_000, firstRetryMs: 5, longestRetryMs: 20 };
const workspace = (name: string) => JSON.stringify({ workspace: { name } });

interface WebhookStatus {
  readonly position: number;
  readonly failure: {
    readonly since: string;
    readonly attempts: number;
    readonly status: number | null;
    readonly message: string;
  } | null;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

async function receiver(...how: Parameters<typeof startReceiver>): Promise<WebhookReceiver> {
  const started = await startReceiver(...how);
  opened.push(started);
  return started;
}

async function serverFor(receivers: readonly WebhookReceiver[], options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ webhookTimes: soon, ...options });
  opened.push(server);
  for (const [index, { url }] of receivers.entries()) {
    const regex = `^${url.replaceAll('.', '[.]')}/.*$`;
    await server.post('/urlchecks', JSON.stringify({ regexUrlCheck: { name: `r${index}`, regex, enabled: true } }));
  }
  return server;
}

async function add(server: TestServer, name: string, url: string, more: object = {}): Promise<number> {
  const reply = await server.post('/webhooks', JSON.stringify({ webhook: { name, url, ...more } }));
  expect(reply.status).toBe(201);
  return Number(reply.headers['graticule-change']);
}

const read = async (server: TestServer, name: string) =>
  ((await server.get(`/webhooks/${name}`)).json() as { webhook: WebhookStatus }).webhook;

const write = async (server: TestServer, name: string) =>
  Number((await server.post('/workspaces', workspace(name))).headers['graticule-change']);

const untilPosition = (server: TestServer, name: string, position: number) =>
  expect.poll(async () => (await read(server, name)).position, { timeout: 10_000 }).toBe(position);

describe('webhook delivery', () => {
  it('posts each change after the creation of the webhook, signed, as a CloudEvents document', async () => {
    const ci = await receiver();
    const server = await serverFor([ci]);
    const made = await add(server, 'ci', `${ci.url}/hook?a=b`, { secret: 'open sesame' });
    const number = await write(server, 'harbour');

    const [delivery] = await ci.until(1);
    await untilPosition(server, 'ci', number);

    expect(number).toBe(made + 1);
    expect(delivery?.path).toBe('/hook?a=b');
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json',
      'graticule-delivery': expect.stringMatching(/^[\w.-]+$/),
      'content-length': String(Buffer.byteLength(delivery?.body ?? '')),
    });
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(delivery?.headers['graticule-signature'])) ?? [];
    const expected = createHmac('sha256', 'open sesame').update(`${seconds}.${delivery?.body}`).digest('hex');
    expect(signature).toBe(expected);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
      specversion: '1.0',
      id: String(number),
      source: '/geoserver/rest',
      type: 'org.graticule.change',
      subject: '/workspaces/harbour',
      data: { sequence: number, who: 'admin', items: expect.any(Array) },
    });
    expect(delivery?.body).not.toContain('"after"');
    expect((await server.get('/webhooks/ci/deliveries')).json()).toEqual({
      deliveries: [{ event: number, at: expect.stringMatching(/Z$/), attempt: 1, status: 204, ms: expect.any(Number) }],
    });
  });

  it('sends only the selected kinds and paths, with fields on request, and never secrets', async () => {
    const ci = await receiver();
    const server = await serverFor([ci]);
    await add(server, 'ci', `${ci.url}/`, { paths: ['/workspaces/near', '/webhooks'], expand: true });
    await write(server, 'near2');
    const near = await write(server, 'near');
    await add(server, 'other', `${ci.url}/other`, { secret: 'open sesame', enabled: false });

    const deliveries = await ci.until(2);

    expect(deliveries.map(({ body }) => (JSON.parse(body) as { subject: string }).subject)).toEqual([
      '/workspaces/near',
      '/webhooks/other',
    ]);
    expect(deliveries[0]?.id).toBe(near);
    expect(deliveries[1]?.body).toContain('"sealedSecret":"(secret)"');
    expect(deliveries[1]?.body).not.toMatch(/open sesame|sealed:1/);
    expect(deliveries[0]?.headers['graticule-signature']).toBeUndefined();
  });

  it('retries with the same delivery id until the event is accepted, and reports the failure meanwhile', async () => {
    const ci = await receiver((_delivery, response, count) => response.writeHead(count < 4 ? 503 : 200).end());
    const server = await serverFor([ci]);
    await add(server, 'ci', `${ci.url}/`);
    const first = await write(server, 'first');
    const second = await write(server, 'second');
    await untilPosition(server, 'ci', second);

    expect(ci.ids()).toEqual([first, first, first, first, second]);
    expect(new Set(ci.received.slice(0, 4).map(({ headers }) => headers['graticule-delivery'])).size).toBe(1);
    expect(ci.received[4]?.headers['graticule-delivery']).not.toBe(ci.received[0]?.headers['graticule-delivery']);
    expect((await read(server, 'ci')).failure).toBeNull();
    expect((await server.get('/webhooks/ci/deliveries')).json()).toMatchObject({
      deliveries: [
        { event: second, attempt: 1, status: 200 },
        { event: first, attempt: 4, status: 200 },
        { event: first, attempt: 3, status: 503, message: 'The receiver responded with status 503.' },
        { event: first, attempt: 2 },
        { event: first, attempt: 1 },
      ],
    });
  });

  it('keeps its position while the webhook is disabled, and continues from there', async () => {
    const ci = await receiver();
    const server = await serverFor([ci]);
    await add(server, 'ci', `${ci.url}/`, { kinds: ['workspace'] });
    const before = await write(server, 'before');
    await untilPosition(server, 'ci', before);
    await server.put('/webhooks/ci', '{"webhook":{"enabled":false}}');
    const meanwhile = await write(server, 'meanwhile');

    expect((await read(server, 'ci')).position).toBe(before);
    await server.put('/webhooks/ci', '{"webhook":{"enabled":true}}');
    await untilPosition(server, 'ci', meanwhile);

    expect(ci.ids()).toEqual([before, meanwhile]);
  });

  it('continues after a restart, including failures, and after deletion and undo', async () => {
    let isOpen = false;
    const ci = await receiver((_delivery, response) => response.writeHead(isOpen ? 200 : 500).end());
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-test-'));
    opened.push({ close: () => rm(dataDir, { recursive: true, force: true }) });
    const before = await serverFor([ci], { dataDir });
    await add(before, 'ci', `${ci.url}/`, { kinds: ['workspace'] });
    const number = await write(before, 'kept');
    await ci.until(2);
    await before.close();
    opened.pop();
    isOpen = true;

    const after = await startTestServer({ webhookTimes: soon, dataDir });
    opened.push(after);
    await untilPosition(after, 'ci', number);
    const deleted = (await after.delete('/webhooks/ci')).headers['graticule-change'];
    const meanwhile = await write(after, 'meanwhile');
    await after.request('POST', `/history/${deleted}/undo`);
    await untilPosition(after, 'ci', meanwhile);

    expect(new Set(ci.ids())).toEqual(new Set([number, meanwhile]));
  });
});

describe('webhook receiver', () => {
  it('is not followed when it redirects, and not called when its URL is no longer allowed', async () => {
    const elsewhere = await receiver();
    const ci = await receiver((_delivery, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/hook` }).end(),
    );
    const server = await serverFor([ci, elsewhere]);
    await add(server, 'ci', `${ci.url}/`);
    await write(server, 'a');
    await ci.until(2);
    expect((await read(server, 'ci')).failure).toMatchObject({ status: 307, message: expect.stringContaining('307') });
    expect(elsewhere.received).toEqual([]);

    await server.delete('/urlchecks/r0');

    await expect
      .poll(async () => (await read(server, 'ci')).failure)
      .toMatchObject({ status: null, message: expect.stringContaining('no enabled URL check matches it') });
    const asked = ci.received.length;
    await expect.poll(async () => (await read(server, 'ci')).failure?.attempts).toBeGreaterThan(asked + 1);
    expect(ci.received.length).toBe(asked);
  });

  it('is retried when it never answers, and delays neither other receivers nor the shutdown', async () => {
    const silent = await receiver(() => {});
    const ci = await receiver();
    const server = await serverFor([silent, ci], { webhookTimes: { ...soon, timeoutMs: 50 } });
    await add(server, 'silent', `${silent.url}/`, { kinds: ['workspace'] });
    await add(server, 'ci', `${ci.url}/`, { kinds: ['workspace'] });
    const number = await write(server, 'a');

    await untilPosition(server, 'ci', number);
    await silent.until(2);

    expect((await read(server, 'silent')).failure).toMatchObject({
      status: null,
      message: expect.stringContaining('50 ms'),
    });
  });

  it('has accepted the event even if its response never ends', async () => {
    const chatty = await receiver((_delivery, response) => {
      response.writeHead(200);
      const talk = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', talk);
      };
      talk();
    });
    const server = await serverFor([chatty]);
    await add(server, 'ci', `${chatty.url}/`);
    await write(server, 'a');
    const last = await write(server, 'b');

    await untilPosition(server, 'ci', last);

    expect(chatty.ids()).toEqual([last - 1, last]);
  });

  it('receives the oldest retained change and a notice of the gap after a long absence', async () => {
    let isOpen = false;
    let now = Date.parse('2026-11-15T10:00:00Z');
    const ci = await receiver((_delivery, response) => response.writeHead(isOpen ? 200 : 500).end());
    const server = await serverFor([ci], { clock: () => now });
    await add(server, 'ci', `${ci.url}/`);
    const lost = await write(server, 'lost');
    await ci.until(1);
    now += 1_000;
    const kept = await write(server, 'kept');
    await server.server.storage.deleteChanges(now, 1_000);
    const last = await write(server, 'last');
    // Deliveries in progress may have been read before the history was truncated.
    await expect.poll(() => ci.ids()).toContain(kept);
    isOpen = true;

    await untilPosition(server, 'ci', last);

    expect(new Set(ci.ids())).toEqual(new Set([lost, kept, last]));
    expect((await server.get('/webhooks/ci/deliveries')).text).toContain(
      `The changes from ${lost} to ${lost} expired before they could be delivered.`,
    );
  });

  it('receives a change with very many resources in one request', async () => {
    const ci = await receiver();
    const server = await serverFor([ci]);
    await add(server, 'ci', `${ci.url}/`, { secret: 's', expand: true });
    await server.server.storage.write({ who: 'ann', what: 'a lot' }, async (transaction) => {
      for (let index = 0; index < 3_000; index += 1) {
        await transaction.insert({ kind: 'role', parent: null, name: `n${index}`, body: { a: 'é' }, keys: {} });
      }
    });

    const [delivery] = await ci.until(1);

    const { data } = JSON.parse(delivery?.body ?? '') as { data: { items: readonly unknown[] } };
    expect(data.items.length).toBe(3_000);
    const [, seconds] = /^t=(\d+)/.exec(String(delivery?.headers['graticule-signature'])) ?? [];
    const expected = createHmac('sha256', 's').update(`${seconds}.${delivery?.body}`).digest('hex');
    expect(delivery?.headers['graticule-signature']).toBe(`t=${seconds},v1=${expected}`);
  });
});
