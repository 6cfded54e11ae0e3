/** Change events: the delay from reply to event, and the cost of listeners for writers. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { watchReads } from './configuration.ts';
import { writesPerSecond } from './parallel-writes.ts';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';
import { createWorkspace } from './writes.ts';

interface Listener {
  /** The arrival time of each event, by workspace name. */
  readonly receivedAt: ReadonlyMap<string, number>;
  close(): void;
}

/** A listener that records nothing adds minimal cost to writers in the same process. */
async function listen({ restUrl }: ServerChild, { isNoted }: { readonly isNoted: boolean }): Promise<Listener> {
  const receivedAt = new Map<string, number>();
  const headers = { accept: 'text/event-stream', authorization };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${restUrl}/events`, { headers, agent: false }).on('response', resolve).on('error', reject).end();
  });
  if (isNoted) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      for (const [, name = ''] of text.matchAll(/"subject":"\/workspaces\/([\w-]+)"/g)) {
        receivedAt.set(name, performance.now());
      }
    });
  } else {
    response.resume();
  }
  response.on('error', () => {});
  return { receivedAt, close: () => response.destroy() };
}

/** The 99th percentile of the time from the reply of a write to its event, in milliseconds. */
export async function measureEventDelay(server: ServerChild, writes: number): Promise<number> {
  const listener = await listen(server, { isNoted: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const repliedAt = new Map<string, number>();
  for (let count = 0; count < writes; count += 1) {
    const name = `received-${count}`;
    await createWorkspace(server, agent, name);
    repliedAt.set(name, performance.now());
  }
  while (listener.receivedAt.size < writes) await new Promise(setImmediate);
  agent.destroy();
  listener.close();
  const delays = [...repliedAt].map(([name, at]) => Math.max(0, (listener.receivedAt.get(name) ?? Number.NaN) - at));
  // The first ones are a warm-up.
  return percentile(delays.slice(Math.floor(writes / 5)), 0.99);
}

/** Writes per second without listeners and with this many, in alternation; the best of each counts. */
export async function measureListenedWrites(
  server: ServerChild,
  { streams, clients, count, rounds }: Readonly<Record<'streams' | 'clients' | 'count' | 'rounds', number>>,
): Promise<{ readonly alone: number; readonly listened: number }> {
  const alone: number[] = [];
  const listened: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await writesPerSecond(server, clients, count, `alone-${clients}-${round}`));
    const listeners = await Promise.all(Array.from({ length: streams }, () => listen(server, { isNoted: false })));
    listened.push(await writesPerSecond(server, clients, count, `listened-${clients}-${round}`));
    for (const listener of listeners) listener.close();
  }
  return { alone: Math.max(...alone), listened: Math.max(...listened) };
}

export interface LargeEvent {
  /** Until the last listener has received everything. */
  readonly ms: number;
  readonly megabytes: number;
  readonly peakMegabytes: number;
  /** The longest latency of a small read in the meantime. */
  readonly longestReadMs: number;
}

/** The event of one change with very many items, sent to streams that start right before it. */
export async function measureLargeEvent(server: ServerChild, after: number, streams: number): Promise<LargeEvent> {
  const agent = new Agent({ keepAlive: true });
  await server.forgetPeak();
  const bystander = watchReads(agent, server);
  const startedAt = performance.now();
  const sizes = await Promise.all(Array.from({ length: streams }, () => hearOne(server, after)));
  const ms = performance.now() - startedAt;
  const longestReadMs = await bystander.end();
  agent.destroy();
  return {
    ms,
    megabytes: (sizes[0] ?? 0) / 1_048_576,
    peakMegabytes: await server.peakRssMb(),
    longestReadMs,
  };
}

/** Listens until the first event is complete; returns its size. */
function hearOne({ restUrl }: ServerChild, after: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', authorization };
    const out = request(`${restUrl}/events?after=${after}`, { headers, agent: false }, (reply) => {
      let size = 0;
      reply.on('data', (piece: Buffer) => {
        const isEnd = size > 1_000 && piece.subarray(-2).toString() === '\n\n';
        size += piece.length;
        if (isEnd) {
          reply.destroy();
          resolve(size);
        }
      });
      reply.on('error', () => {});
    });
    out.on('error', reject).end();
  });
}
