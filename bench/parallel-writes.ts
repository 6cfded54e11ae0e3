/** Creates workspaces from many parallel clients: waiting writes can be committed together. */
import { Agent } from 'node:http';
import type { ServerChild } from './server-child.ts';
import { createWorkspace } from './writes.ts';

export interface ParallelWrites {
  readonly alonePerSecond: number;
  readonly togetherPerSecond: number;
}

/** In alternation, so that both see the same machine load; the best of each counts. */
export async function measureParallelWrites(
  server: ServerChild,
  clients: number,
  count = 2_000,
  rounds = 3,
): Promise<ParallelWrites> {
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await writesPerSecond(server, 1, Math.ceil(count / 4), `alone-${round}`));
    together.push(await writesPerSecond(server, clients, count, `together-${round}`));
  }
  return { alonePerSecond: Math.max(...alone), togetherPerSecond: Math.max(...together) };
}

/** Creates workspaces from several clients, each with a separate connection and sequential requests. */
export async function writesPerSecond(
  server: ServerChild,
  clients: number,
  count: number,
  prefix: string,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let next = 0;
  const startedAt = performance.now();
  const client = async (): Promise<void> => {
    while (next < count) {
      const name = `${prefix}-${next}`;
      next += 1;
      const status = await createWorkspace(server, agent, name);
      if (status !== 201) {
        throw new Error(`Creating the workspace ${name} answered ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (count / (performance.now() - startedAt)) * 1_000;
  agent.destroy();
  return perSecond;
}
