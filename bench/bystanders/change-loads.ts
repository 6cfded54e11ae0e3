/** Loads around one change with very many items: its event, its history, its undo. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, LARGE, thousands } from '../sections/section.ts';
import { seedLargeChange } from '../seed.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { serverOptions } from './catalog-loads.ts';
import type { LoadGroup, OpenGroup } from './group.ts';
import { describeReply, type LoadReply, sendLoad } from './load.ts';

const STREAMS = 10;
const UNDO_TIMEOUT_MS = 300_000;
const DELIVERY_TIMEOUT_MS = 60_000;

export const changeLoads: LoadGroup = {
  names: ['event-stream', 'event-page', 'event-webhook', 'history-pages', 'undo-objects'],
  open: openChangeLoads,
};

async function openChangeLoads(bench: Bench): Promise<OpenGroup> {
  const dataDir = await bench.directory();
  const count = bench.scaled(LARGE);
  const before = await seedLargeChange(dataDir, count);
  const change = before + 1;
  const server = await startServerChild(dataDir, {}, serverOptions(bench));
  const event = `an event of ${thousands(count)} items`;
  const get = async (path: string): Promise<string> =>
    describeReply(await sendLoad({ url: `${server.restUrl}${path}` }));
  let latest = change;
  const undo = async (): Promise<string> => {
    const url = `${server.restUrl}/history/${latest}/undo`;
    const reply = await sendLoad({ method: 'POST', url, timeoutMs: UNDO_TIMEOUT_MS });
    latest = await latestChange(server);
    return describeReply(reply);
  };
  const receiver = await startReceiver(server);
  const cases = [
    {
      name: 'event-stream',
      what: `${event} goes to ${STREAMS} streams`,
      run: async () => {
        const replies = await Promise.all(Array.from({ length: STREAMS }, () => readEvent(server, before)));
        return `${STREAMS} x ${describeReply(replies[0] as LoadReply)}`;
      },
    },
    {
      name: 'event-page',
      what: `${event} is read as a page, and with its fields`,
      run: async () => `${await get(`/events?after=${before}`)}; ${await get(`/events?after=${before}&expand=items`)}`,
    },
    {
      name: 'history-pages',
      what: `the history with a change of ${thousands(count)} items is read`,
      run: async () =>
        `${await get('/history')}; ${await get(`/history/${change}`)}; ${await get('/history?path=/workspaces/none')}`,
    },
    {
      name: 'undo-objects',
      what: `a change of ${thousands(count)} items is undone, and the undo undone`,
      run: async () => `${await undo()}; ${await undo()}`,
    },
    {
      name: 'event-webhook',
      what: `${event} goes to a webhook`,
      prepare: async () => {
        await receiver.createWebhook();
        await undo();
      },
      run: () => receiver.receive(),
    },
  ];
  return { server, cases, close: async () => receiver.close() };
}

async function latestChange({ restUrl }: ServerChild): Promise<number> {
  const reply = await fetch(`${restUrl}/history?limit=1`, { headers: { authorization } });
  const { changes } = (await reply.json()) as { readonly changes: readonly { readonly sequence: number }[] };
  return changes[0]?.sequence ?? 0;
}

/** A stream that ends with the first event. */
function readEvent({ restUrl }: ServerChild, after: number): Promise<LoadReply> {
  return sendLoad({
    url: `${restUrl}/events?after=${after}`,
    accept: 'text/event-stream',
    isEnough: (piece, bytes) => bytes > 1_000 && piece.subarray(-2).toString() === '\n\n',
  });
}

interface Receiver {
  /** A disabled webhook, so that later events are delivered once it is enabled. */
  createWebhook(): Promise<void>;
  /** Enables the webhook and waits for the largest delivery. */
  receive(): Promise<string>;
  close(): void;
}

async function startReceiver({ restUrl }: ServerChild): Promise<Receiver> {
  let largest = 0;
  const receiver = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    request.once('end', () => {
      largest = Math.max(largest, bytes);
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const reply = await fetch(`${restUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  };
  return {
    async createWebhook() {
      await send('POST', '/urlchecks', { regexUrlCheck: { name: 'receiver', enabled: true, regex: `^${url}.*$` } });
      // The first delivery after a start also loads the HTTP client.
      await send('POST', '/webhooks', { webhook: { name: 'bench', url } });
      await send('POST', '/workspaces', { workspace: { name: 'delivered' } });
      while (largest === 0) await wait(20);
      await send('PUT', '/webhooks/bench', { webhook: { enabled: false } });
    },
    async receive() {
      const startedAt = performance.now();
      largest = 0;
      await send('PUT', '/webhooks/bench', { webhook: { enabled: true } });
      while (largest < 100_000 && performance.now() - startedAt < DELIVERY_TIMEOUT_MS) await wait(20);
      return `${(largest / 1_000_000).toFixed(1)} MB in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    },
    close: () => closeReceiver(receiver),
  };
}

function closeReceiver(receiver: Server<typeof IncomingMessage>): void {
  receiver.closeAllConnections();
  receiver.close();
}
