/** Reads per second of one workspace as JSON, as a ratio to a bare Fastify route of the same size. */
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { startChild } from './child.ts';
import { authorization, freePort, type ServerChild } from './server-child.ts';

const CONNECTIONS = 16;
const SECONDS = 5;
const ROUNDS = 3;

export interface Throughput {
  readonly requestsPerSecond: number;
  readonly baselinePerSecond: number;
}

/** Takes turns with the baseline, so that both see the same moods of the machine; the best round of each counts. */
export async function measureThroughput(server: ServerChild, path: string): Promise<Throughput> {
  const url = `${server.restUrl}${path}`;
  const reply = await fetch(url, { headers: { authorization } });
  const sizeBytes = (await reply.arrayBuffer()).byteLength;
  const port = await freePort();
  const script = fileURLToPath(new URL('./bare-fastify.ts', import.meta.url));
  const bare = await startChild([script, String(port), String(sizeBytes)], `http://127.0.0.1:${port}/constant`);
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baseline.push(await requestsPerSecond(bare.url, {}));
    ours.push(await requestsPerSecond(url, { authorization }));
  }
  await bare.stop();
  return { requestsPerSecond: Math.max(...ours), baselinePerSecond: Math.max(...baseline) };
}

export async function requestsPerSecond(
  url: string,
  headers: Readonly<Record<string, string>>,
  seconds = SECONDS,
): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers: { ...headers } });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url} answered ${result.non2xx} times with an error`);
  }
  return result.requests.average;
}
