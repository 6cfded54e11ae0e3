/** The response time of the system status for an administrator page: one persistent connection, as in a browser. */
import { Agent, request } from 'node:http';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

export interface SystemStatusCost {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The first tenth is a warm-up; enough requests to include several refreshes of the machine status. */
export async function measureSystemStatus(server: ServerChild, count = 20_000): Promise<SystemStatusCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const status = await readStatus(server, agent);
    costs.push(performance.now() - startedAt);
    if (status !== 200) {
      throw new Error(`Reading the system status answered ${status}`);
    }
  }
  agent.destroy();
  const warm = costs.slice(Math.floor(count / 10));
  return { p50Ms: percentile(warm, 0.5), p99Ms: percentile(warm, 0.99) };
}

function readStatus(server: ServerChild, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = `${server.restUrl}/about/system-status.json`;
    const call = request(url, { agent, headers: { authorization } }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    call.once('error', reject);
    call.end();
  });
}
