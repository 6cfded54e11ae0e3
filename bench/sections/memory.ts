/** What the server still holds after a lot of work. */
import { writesPerSecond } from '../parallel-writes.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const CLIENTS = 16;
const MAX_MB = 250;

export async function benchMemory({ report, directory }: Bench): Promise<void> {
  const server = await startServerChild(await directory());
  const idleMb = await server.rssMb();
  await writesPerSecond(server, CLIENTS, LARGE, 'memory');
  const grownMb = await server.rssMb();
  const peakMb = await server.peakRssMb();
  await server.stop();
  report.add({
    what: `memory after creating ${thousands(LARGE)} workspaces`,
    measured: `${grownMb.toFixed(0)} MB (peak ${peakMb.toFixed(0)} MB)`,
    baseline: `${idleMb.toFixed(0)} MB (idle)`,
    ratio: (grownMb / idleMb).toFixed(2),
    aim: `at most ${MAX_MB} MB`,
    met: grownMb <= MAX_MB,
  });
}
