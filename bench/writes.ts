/** The cost of one write: workspaces created over one connection, each durable before its reply. */
import { Agent, request } from 'node:http';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

export interface WriteCost {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function measureWrites(server: ServerChild, count: number, prefix: string): Promise<WriteCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const status = await createWorkspace(server, agent, `${prefix}-${index}`);
    costs.push(performance.now() - startedAt);
    if (status !== 201) {
      throw new Error(`Creating a workspace answered ${status}`);
    }
  }
  agent.destroy();
  const warm = costs.slice(Math.floor(count / 10));
  return { p50Ms: percentile(warm, 0.5), p99Ms: percentile(warm, 0.99) };
}

export function createWorkspace(server: ServerChild, agent: Agent, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const call = request(`${server.restUrl}/workspaces`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    call.once('error', reject);
    call.end(JSON.stringify({ workspace: { name } }));
  });
}
