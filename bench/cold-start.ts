/** Cold start: from the spawn to the first good /readyz, beside a bare Fastify doing the same. */
import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import { percentile } from './percentile.ts';
import { freePort, startServerChild } from './server-child.ts';

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
