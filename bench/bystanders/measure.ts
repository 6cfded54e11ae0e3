/** The latency of `/livez` during a load, compared with the idle server in the same run. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../child.ts';
import { type Latencies, type Probe, startProbe } from '../probe.ts';
import { freePort, type ServerChild } from '../server-child.ts';
import type { LongestTurn } from '../turn-watch.ts';

const BASELINE_MS = 3_000;
/** Before the baseline: wait for leftover work of the start or of the previous load. */
const SETTLING_MS = 1_500;
/** The minimum duration, so that one percent of the requests is more than one. */
const AT_LEAST_MS = 1_000;

export interface Disturbance {
  readonly without: Latencies;
  readonly during: Latencies;
  /** The latency of a bare server during the load: the effect of the machine alone. */
  readonly bare: Latencies;
  readonly turn: LongestTurn;
  readonly answer: string;
}

export interface Bystander {
  measure(work: () => Promise<string>): Promise<Disturbance>;
  stop(): Promise<void>;
}

export async function startBystander(server: ServerChild): Promise<Bystander> {
  const bare = await startBare();
  const probe = await startProbe(`${server.origin}/livez`, bare.url);
  return {
    measure: (work) => measureBeside(server, probe, work),
    async stop() {
      probe.stop();
      await bare.stop();
    },
  };
}

async function startBare(): Promise<Child> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../bare-fastify.ts', import.meta.url));
  return startChild([script, String(port), '20'], `http://127.0.0.1:${port}/constant`);
}

async function measureBeside(server: ServerChild, probe: Probe, work: () => Promise<string>): Promise<Disturbance> {
  await wait(SETTLING_MS);
  await probe.collect();
  await wait(BASELINE_MS);
  const { server: without } = await probe.collect();
  await server.longestTurn();
  const [answer] = await Promise.all([work(), wait(AT_LEAST_MS)]);
  const { server: during, bare } = await probe.collect();
  return { without, during, bare, turn: await server.longestTurn(), answer };
}
