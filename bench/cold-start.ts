/** Cold start: from the spawn to the first successful /readyz, compared with a bare Fastify. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { freePort, PASSWORD, type ServerChild, startServerChild } from './server-child.ts';

const ROUNDS = 7;

export async function measureColdStart(dataDir: string): Promise<{ startMs: number; idleRssMb: number }> {
  const starts: number[] = [];
  let idleRssMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServerChild(dataDir);
    starts.push(server.readyAfterMs);
    idleRssMb = await server.rssMb();
    await server.stop();
  }
  return { startMs: percentile(starts, 0.5), idleRssMb };
}

export async function measureBareStart(): Promise<{ startMs: number; idleRssMb: number }> {
  const starts: number[] = [];
  let idleRssMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const port = await freePort();
    const script = fileURLToPath(new URL('./bare-fastify.ts', import.meta.url));
    const bare = await startChild([script, String(port), '400'], `http://127.0.0.1:${port}/constant`);
    starts.push(bare.readyAfterMs);
    idleRssMb = await bare.rssMb();
    await bare.stop();
  }
  return { startMs: percentile(starts, 0.5), idleRssMb };
}

const COMMANDS = 15;

/** From the spawn of a command to its end, against a running server; median of several runs. */
export async function measureCommandStart(server: ServerChild): Promise<number> {
  const start = fileURLToPath(new URL('../src/start.cjs', import.meta.url));
  const env = { ...process.env, GRATICULE_URL: server.restUrl, GRATICULE_PASSWORD: PASSWORD };
  const costs: number[] = [];
  for (let round = 0; round < COMMANDS; round += 1) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [start, 'history', '--limit', '1'], { stdio: 'ignore', env });
    const [code] = (await once(child, 'exit')) as [number];
    costs.push(performance.now() - startedAt);
    if (code !== 0) throw new Error(`A command ended with ${code}`);
  }
  return percentile(costs, 0.5);
}
