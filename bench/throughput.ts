/** Reads per second of one workspace as JSON, as a ratio to a bare Fastify route of the same size. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { authorization, freePort, type ServerChild } from './server-child.ts';

const CONNECTIONS = 16;
const SECONDS = 2;
const ROUNDS = 9;

export interface Throughput {
  readonly requestsPerSecond: number;
  readonly baselinePerSecond: number;
  readonly ratio: number;
}

/**
 * Short rounds alternate with the baseline, so that both see the same machine load. Each round is compared with the
 * baseline rounds right before and after it, and the median of these ratios counts: the best rounds of each side would
 * come from different load.
 */
export async function measureThroughput(
  server: ServerChild,
  path: string,
  /** A file with the reply bytes for the baseline: the measuring client reads images slower than text. */
  file?: string,
): Promise<Throughput> {
  // Paths are below the REST root, unless they begin with two slashes.
  const url = path.startsWith('//') ? `${server.origin}${path.slice(1)}` : `${server.restUrl}${path}`;
  const reply = await fetch(url, { headers: { authorization } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (file !== undefined) await writeFile(file, bytes);
  const port = await freePort();
  const script = fileURLToPath(new URL('./bare-fastify.ts', import.meta.url));
  const args = [script, String(port), String(bytes.length), ...(file === undefined ? [] : [file])];
  const bare = await startChild(args, `http://127.0.0.1:${port}/constant`);
  const ours: number[] = [];
  const baseline: number[] = [];
  // Warm-up: both sides are compiled at runtime.
  await requestsPerSecond(bare.url, {});
  await requestsPerSecond(url, { authorization });
  baseline.push(await requestsPerSecond(bare.url, {}));
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await requestsPerSecond(url, { authorization }));
    baseline.push(await requestsPerSecond(bare.url, {}));
  }
  await bare.stop();
  const ratios = ours.map((each, round) => (2 * each) / ((baseline[round] ?? 0) + (baseline[round + 1] ?? 0)));
  return {
    requestsPerSecond: percentile(ours, 0.5),
    baselinePerSecond: percentile(baseline, 0.5),
    ratio: percentile(ratios, 0.5),
  };
}

export async function requestsPerSecond(
  url: string,
  headers: Readonly<Record<string, string>>,
  seconds = SECONDS,
  connections = CONNECTIONS,
): Promise<number> {
  const result = await autocannon({ url, connections, duration: seconds, headers: { ...headers } });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url} answered ${result.non2xx} times with an error`);
  }
  return result.requests.average;
}
