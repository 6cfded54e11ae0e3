/** The memory that the server retains after much work, and its peak in the meantime. */
import { measureParallelClients } from '../parallel-clients.ts';
import { writesPerSecond } from '../parallel-writes.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const CLIENTS = 16;
const MAX_MB = 250;

/** With large maps and exports, and without a separate memory budget for the run. */
const PARALLEL_CLIENTS = 12;
const DEFAULT_BUDGET_MB = 512;

export async function benchMemory(bench: Bench): Promise<void> {
  if (bench.isChosen('writes')) await benchWrites(bench);
  if (bench.isChosen('parallel-clients')) await benchParallelClients(bench);
}

async function benchParallelClients(bench: Bench): Promise<void> {
  const { report, memory } = bench;
  const budgetMb = memory === undefined ? DEFAULT_BUDGET_MB : megabytesIn(memory);
  const { idleMb, peakMb, afterMb, hasSurvived, answers } = await measureParallelClients(bench, PARALLEL_CLIENTS);
  const counts = Object.entries(answers).map(([answer, count]) => `${count} x ${answer}`);
  report.add({
    what: `peak memory of ${PARALLEL_CLIENTS} clients at once with large maps and exports`,
    measured: `${hasSurvived ? `${peakMb.toFixed(0)} MB (${afterMb.toFixed(0)} MB in the end)` : 'the server was killed'}; ${counts.join(', ')}`,
    baseline: `${idleMb.toFixed(0)} MB (idle)`,
    ratio: (peakMb / idleMb).toFixed(2),
    aim: `at most ${budgetMb} MB${memory === undefined ? '' : `, as --memory ${memory} says`}`,
    met: hasSurvived && peakMb <= budgetMb,
  });
}

/** `512MB`, `1GB` and so on; bytes without a unit. */
function megabytesIn(written: string): number {
  const [, number, unit = ''] = /^([\d.]+)\s*([kmg]?)i?b?$/i.exec(written.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { '': 1 / 1_048_576, k: 1 / 1_024, m: 1, g: 1_024 };
  return Number(number) * (factors[unit.toLowerCase()] ?? Number.NaN);
}

async function benchWrites({ report, directory }: Bench): Promise<void> {
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
