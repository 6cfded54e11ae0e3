/** Subscribers receive every change once and in order, with many concurrent writers and across kills. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEventClient } from '../support/event-client.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { seededRandom } from './seeded-random.ts';
import { ADMIN_PASSWORD, type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 4);
const WRITERS = 64;
const WRITES_EACH = 4;
const STREAMS = 4;
const WEBHOOKS = 2;

test(`${WRITERS} concurrent writers reach ${STREAMS} streams and ${WEBHOOKS} webhooks, each change once and in order`, async () => {
  const server = await startServer();
  const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, () => startReceiver()));
  for (const [index, receiver] of receivers.entries()) await addWebhook(server, `hook${index}`, receiver);
  const { port, pathname } = new URL(server.url);
  const first = await positionOf(server);
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, () =>
      openEventClient({
        port: Number(port),
        path: `${pathname}/events?after=${first}`,
        as: `admin:${ADMIN_PASSWORD}`,
      }),
    ),
  );

  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; count < WRITES_EACH; count += 1) await write(server, `w${writer}-${count}`);
  });
  await Promise.all(writers);

  const numbers = Array.from({ length: WRITERS * WRITES_EACH }, (_, index) => first + 1 + index);
  for (const stream of streams) {
    await stream.until(numbers.length);
    expect(stream.events.map(({ id }) => id)).toEqual(numbers);
    stream.close();
  }
  for (const receiver of receivers) {
    await receiver.untilId(first + numbers.length);
    expect(receiver.ids().filter((id) => id > first)).toEqual(numbers);
  }
  expect((await server.stop()).code).toBe(0);
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

test(`a webhook receives every change across ${KILLS} kills, and only the last one again`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  const receiver = await startReceiver();
  let server = await startServer({ dataDir });
  const made = await addWebhook(server, 'hook', receiver);

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const heard = receiver.received.length + 1 + Math.floor(random() * 10);
    let isKilled = false;
    const writing = (async () => {
      for (let count = 0; !isKilled; count += 1) await write(server, `k${kill}-${count}`).catch(() => {});
    })();
    await receiver.until(heard);
    isKilled = true;
    await server.kill();
    await writing;
    server = await startServer({ dataDir });
  }
  const last = await write(server, 'last');
  await receiver.untilId(last);

  const ids = receiver.ids();
  expect([...new Set(ids)]).toEqual(Array.from({ length: last - made }, (_, index) => made + 1 + index));
  // A repeated event follows its original directly, before any later event.
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(KILLS);
  expect((await server.stop()).code).toBe(0);
  await receiver.close();
});

async function addWebhook(server: StartedServer, name: string, { url }: WebhookReceiver): Promise<number> {
  const regex = `^${url.replaceAll('.', '[.]')}/.*$`;
  await send(server, '/urlchecks', { regexUrlCheck: { name, regex, enabled: true } });
  return send(server, '/webhooks', { webhook: { name, url: `${url}/`, secret: 'hush' } });
}

const write = (server: StartedServer, name: string) => send(server, '/workspaces', { workspace: { name } });

async function send(server: StartedServer, path: string, body: object): Promise<number> {
  const reply = await server.request('POST', path, { body: JSON.stringify(body) });
  expect(reply.status, reply.text).toBe(201);
  return Number(reply.headers['graticule-change']);
}

async function positionOf(server: StartedServer): Promise<number> {
  return Number((await server.request('GET', '/events?after=0&limit=1')).headers['graticule-position']);
}
