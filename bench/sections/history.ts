/** History: the cost of an undo after few and after many changes. */
import { startServerChild } from '../server-child.ts';
import { measureUndo, seedHistory } from '../undo.ts';
import { type Bench, thousands } from './section.ts';

const SHORT = 100;
const LONG = 100_000;
const ROUNDS = 200;

export async function benchHistory({ report, directory }: Bench): Promise<void> {
  const costs: number[] = [];
  for (const entries of [SHORT, LONG]) {
    const dataDir = await directory();
    await seedHistory(dataDir, entries);
    const server = await startServerChild(dataDir);
    costs.push(await measureUndo(server, ROUNDS));
    await server.stop();
  }
  const [short = Number.NaN, long = Number.NaN] = costs;
  report.add({
    what: `undo a change, after ${thousands(LONG)} changes, p50`,
    measured: `${long.toFixed(2)} ms`,
    baseline: `${short.toFixed(2)} ms after ${SHORT}`,
    ratio: (long / short).toFixed(2),
    aim: 'ratio at most 1.2',
    met: long / short <= 1.2,
  });
}
