/**
 * A separate process that sends requests at a steady rate, unaffected by the bench itself. It also requests a bare
 * server: delays of that one are caused by the machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { percentile } from './percentile.ts';

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly count: number;
}

export interface Probe {
  /** The measurements since the last call: of the server, and of the bare one. */
  collect(): Promise<{ readonly server: Latencies; readonly bare: Latencies }>;
  stop(): void;
}

const EVERY_MS = 5;
/** One of this many requests uses a new connection instead of the persistent one. */
const NEW_CONNECTION_EVERY = 20;
/** A request without a response counts with this duration. */
const MAX_WAIT_MS = 120_000;
/** With this many pending requests, no more are sent: they already show that the server is stalled. */
const MAX_PENDING = 64;

export async function startProbe(serverUrl: string, bareUrl: string): Promise<Probe> {
  const child = fork(fileURLToPath(import.meta.url), [serverUrl, bareUrl]);
  await once(child, 'message');
  return {
    async collect() {
      child.send('collect');
      const [found] = (await once(child, 'message')) as [Awaited<ReturnType<Probe['collect']>>];
      return found;
    },
    stop: () => child.disconnect(),
  };
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const targets = process.argv.slice(2).map(startAsking);
  process.on('message', async () => {
    const [server, bare] = await Promise.all(targets.map((target) => target.collect()));
    process.send?.({ server, bare });
  });
  process.on('disconnect', () => process.exit());
  process.send('ready');
}

function startAsking(url: string): { collect(): Promise<Latencies> } {
  // One persistent connection is reused; others are added while the server does not answer.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_PENDING, scheduling: 'lifo' });
  const pending = new Set<Promise<void>>();
  let found: number[] = [];
  let sent = 0;
  setInterval(() => {
    if (pending.size >= MAX_PENDING) return;
    sent += 1;
    const pendingRequest = ask(url, sent % NEW_CONNECTION_EVERY === 0 ? false : agent).then((ms) => {
      found.push(ms);
      pending.delete(pendingRequest);
    });
    pending.add(pendingRequest);
  }, EVERY_MS);
  return {
    async collect() {
      // A stalled server shows in the pending requests.
      await Promise.all(pending);
      const values = found;
      found = [];
      const [p50Ms, p99Ms] = [percentile(values, 0.5), percentile(values, 0.99)];
      return { p50Ms, p99Ms, worstMs: values.reduce((one, other) => Math.max(one, other), 0), count: values.length };
    },
  };
}

function ask(url: string, agent: Agent | false): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (): void => resolve(performance.now() - startedAt);
    const out = request(url, { agent, timeout: MAX_WAIT_MS }, (reply) => reply.resume().once('end', end));
    out.once('timeout', () => out.destroy(new Error('timeout')));
    out.once('error', () => resolve(MAX_WAIT_MS)).end();
  });
}
