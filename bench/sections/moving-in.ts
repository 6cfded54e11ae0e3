/** The move of a data directory with very many layers: into an archive, and into a server as one change. */
import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMemoryMb, readProcessorMs } from '../child.ts';
import { writeLargeDirectory } from '../moved-directory.ts';
import { PASSWORD, startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const START = fileURLToPath(new URL('../../src/start.cjs', import.meta.url));

const MAX_SECONDS = 60;
const MAX_MB = 300;
const MAX_TURN_MS = 50;

/** The interval at which memory and processor time of the command are read. */
const SAMPLE_MS = 50;

interface CommandCosts {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
}

export async function benchMovingIn(bench: Bench): Promise<void> {
  const count = bench.scaled(LARGE);
  const source = await bench.directory();
  await writeLargeDirectory(source, count);
  const what = `a data directory of ${thousands(count)} layers`;
  const archive = join(await bench.directory(), 'archive.zip');
  reportCommand(bench, `move ${what} into an archive`, await runMoveIn([source, '--output', archive]));

  const dataDir = await bench.directory();
  await cp(join(source, 'data'), join(dataDir, 'data'), { recursive: true });
  const server = await startServerChild(dataDir, {}, { isWatched: true });
  try {
    const idleMb = await server.rssMb();
    await server.longestTurn();
    const costs = await runMoveIn([source, '--yes'], { GRATICULE_URL: server.restUrl });
    reportCommand(bench, `move ${what} into a server, the command`, costs);
    const [turn, peakMb] = [await server.longestTurn(), await server.peakRssMb()];
    bench.report.add({
      what: `move ${what} into a server, the server`,
      measured: `${((await server.processorMs()) / 1_000).toFixed(1)} s of processor time, ${peakMb.toFixed(0)} MB, longest turn ${turn.cpuMs.toFixed(1)} ms of processor time`,
      baseline: `${idleMb.toFixed(0)} MB (idle)`,
      ratio: (peakMb / idleMb).toFixed(2),
      aim: `turns below ${MAX_TURN_MS} ms`,
      met: turn.cpuMs < MAX_TURN_MS,
    });
  } finally {
    await server.stop();
  }
}

function reportCommand(bench: Bench, what: string, { seconds, processorSeconds, peakMb }: CommandCosts): void {
  bench.report.add({
    what,
    measured: `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time, ${peakMb.toFixed(0)} MB`,
    baseline: '-',
    ratio: '-',
    aim: `at most ${MAX_SECONDS} s and ${MAX_MB} MB`,
    met: seconds <= MAX_SECONDS && peakMb <= MAX_MB,
  });
}

async function runMoveIn(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandCosts> {
  const startedAt = performance.now();
  const command = spawn(process.execPath, [START, 'move-in', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GRATICULE_USER: 'admin', GRATICULE_PASSWORD: PASSWORD, ...environment },
  });
  let errors = '';
  command.stderr.on('data', (text) => {
    errors += String(text);
  });
  let [peakMb, processorMs] = [0, 0];
  while (command.exitCode === null && command.signalCode === null) {
    peakMb = (await readMemoryMb(command.pid, 'VmHWM').catch(() => 0)) || peakMb;
    processorMs = (await readProcessorMs(command.pid ?? 0).catch(() => 0)) || processorMs;
    await wait(SAMPLE_MS);
  }
  if (command.exitCode !== 0) throw new Error(`graticule move-in ended with ${command.exitCode}: ${errors}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, processorSeconds: processorMs / 1_000, peakMb };
}
