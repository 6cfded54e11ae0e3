/** The response time of a long list, compared with a bare Fastify route that sends as many bytes. */
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { call } from './call.ts';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { freePort, type ServerChild } from './server-child.ts';

const ROUNDS = 60;
const WARM_UP = 10;

export interface ListCost {
  readonly p50Ms: number;
  readonly bareP50Ms: number;
}

export async function measureList(server: ServerChild, path: string): Promise<ListCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${server.restUrl}${path}`;
  const first = await call(agent, 'GET', url);
  const port = await freePort();
  const script = fileURLToPath(new URL('./bare-fastify.ts', import.meta.url));
  const bare = await startChild([script, String(port), String(first.body.length)], `http://127.0.0.1:${port}/constant`);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push((await call(agent, 'GET', bare.url)).ms);
    ours.push((await call(agent, 'GET', url)).ms);
  }
  agent.destroy();
  await bare.stop();
  return { p50Ms: percentile(ours.slice(WARM_UP), 0.5), bareP50Ms: percentile(theirs.slice(WARM_UP), 0.5) };
}
