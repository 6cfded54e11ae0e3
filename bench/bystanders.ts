/** What others feel while the server does something heavy: the p99 of small reads, with it and without. */
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { call } from './call.ts';
import { percentile } from './percentile.ts';
import type { ServerChild } from './server-child.ts';

/** Enough that one held up read in a hundred shows. */
const READS_WITHOUT = 1_000;
const PAUSE_MS = 2;

export interface Disturbance {
  readonly p99WithoutMs: number;
  readonly p99DuringMs: number;
  readonly worstDuringMs: number;
  /** How long the heavy work itself took. */
  readonly workMs: number;
}

/** `work` is done as often as the rounds say, each with its number. */
export async function measureBystanders(
  server: ServerChild,
  work: (round: number) => Promise<void>,
  rounds = 3,
): Promise<Disturbance> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = async (): Promise<number> => {
    const { status, ms } = await call(agent, 'GET', `${server.restUrl}/workspaces/seed.json`);
    if (status !== 200) {
      throw new Error(`Reading the workspace answered ${status}`);
    }
    await wait(PAUSE_MS);
    return ms;
  };
  const without: number[] = [];
  for (let index = 0; index < READS_WITHOUT; index += 1) {
    without.push(await read());
  }
  const during: number[] = [];
  let workMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    let isDone = false;
    const startedAt = performance.now();
    const working = work(round).finally(() => {
      isDone = true;
      workMs += performance.now() - startedAt;
    });
    // At least one: the work may hold up the very first.
    do {
      during.push(await read());
    } while (!isDone);
    await working;
  }
  agent.destroy();
  return {
    p99WithoutMs: percentile(without, 0.99),
    p99DuringMs: percentile(during, 0.99),
    worstDuringMs: Math.max(...during),
    workMs: workMs / rounds,
  };
}
