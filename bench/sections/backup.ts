/** Backups of a large catalog with many files, compared with a copy of the data directory, and writes meanwhile. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGeotiff } from '../../test/support/tiff-bytes.ts';
import { percentile } from '../percentile.ts';
import { authorization, PASSWORD, type ServerChild, startServerChild } from '../server-child.ts';
import { createWorkspace } from '../writes.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const run = promisify(execFile);

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The size of all uploaded files in megabytes. */
const FILES_MB = Number(process.env['BENCH_BACKUP_MB'] ?? 1_024);
const FILE_MB = 8;

const MAX_RATIO = 1.5;
const MAX_MORE_MS = 50;
const MAX_TURN_MS = 50;

/** Writes of one client without a backup. */
const WRITES = 500;

/** Later backups and copies, in alternation; the median of each counts. */
const ROUNDS = 3;

/** Elapsed time, and processor time of all programs that took part. */
interface Duration {
  readonly ms: number;
  readonly processorMs: number;
}

export async function benchBackup(bench: Bench): Promise<void> {
  const count = bench.scaled(LARGE);
  const files = Math.max(1, Math.round(bench.scaled(FILES_MB) / FILE_MB));
  const dataDir = await bench.seeded(count);
  const target = await bench.directory();
  const server = await startServerChild(dataDir, {}, { isWatched: true });
  try {
    await uploadFiles(server, files);
    const what = `of ${thousands(count)} objects and ${files * FILE_MB} MB of files`;
    const before = await measureCopy(dataDir, join(target, 'copy'));
    const first = await saveBackup(server, join(target, 'backup'));
    const after = await measureCopy(dataDir, join(target, 'copy'));
    reportBackup(bench, `first backup ${what}`, [first], [before, after]);
    const [backups, copies]: [Duration[], Duration[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      backups.push(await saveBackup(server, join(target, 'backup')));
      copies.push(await measureCopy(dataDir, join(target, 'copy')));
    }
    const { size } = await stat(join(target, 'backup'));
    reportBackup(bench, `later backup, ${(size / 1_048_576).toFixed(0)} MB`, backups, copies);
    await benchWrites(bench, server, join(target, 'backup'));
  } finally {
    await server.stop();
  }
}

function reportBackup(bench: Bench, what: string, backups: readonly Duration[], copies: readonly Duration[]): void {
  const [backup, copy] = [findMedian(backups), findMedian(copies)];
  bench.report.add({
    what,
    measured: formatDuration(backup),
    baseline: `cp -r: ${formatDuration(copy)}`,
    ratio: (backup.ms / copy.ms).toFixed(2),
    aim: `at most ${MAX_RATIO} times cp -r`,
    met: backup.ms <= MAX_RATIO * copy.ms,
  });
}

function findMedian(durations: readonly Duration[]): Duration {
  const pick = (name: keyof Duration) =>
    percentile(
      durations.map((each) => each[name]),
      0.5,
    );
  return { ms: pick('ms'), processorMs: pick('processorMs') };
}

function formatDuration({ ms, processorMs }: Duration): string {
  return `${(ms / 1_000).toFixed(2)} s, ${(processorMs / 1_000).toFixed(2)} s of processor time`;
}

async function benchWrites(bench: Bench, server: ServerChild, file: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const without = await measureWrites(server, agent, 'before', (written) => written >= WRITES);
  await server.longestTurn();
  let isOver = false;
  const saving = saveBackup(server, file).finally(() => {
    isOver = true;
  });
  const during = await measureWrites(server, agent, 'during', () => isOver);
  await saving;
  const turn = await server.longestTurn();
  const [p99, calm] = [percentile(during, 0.99), percentile(without, 0.99)];
  bench.report.add({
    what: 'writes of one client during that backup',
    measured: `p99 ${p99.toFixed(1)} ms of ${during.length}; longest turn ${turn.cpuMs.toFixed(1)} ms of processor time`,
    baseline: `p99 ${calm.toFixed(1)} ms without a backup`,
    ratio: (p99 / calm).toFixed(2),
    aim: `p99 at most ${MAX_MORE_MS} ms more, turns below ${MAX_TURN_MS} ms`,
    met: p99 - calm <= MAX_MORE_MS && turn.cpuMs < MAX_TURN_MS,
  });
}

/** The width of a picture of `FILE_MB` with one byte for each pixel. */
const PIXELS = Math.round(Math.sqrt(FILE_MB * 1_048_576));

async function uploadFiles(server: ServerChild, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const reply = await fetch(`${server.restUrl}/workspaces/seed/coveragestores/picture-${number}/file.geotiff`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'image/tiff' },
      body: new Uint8Array(createGeotiff(PIXELS, randomBytes(PIXELS * PIXELS))),
    });
    if (!reply.ok) throw new Error(`The upload answered ${reply.status} ${await reply.text()}`);
  }
}

async function measureCopy(from: string, to: string): Promise<Duration> {
  const copied = await measureProgram('cp', ['-r', from, to]);
  await rm(to, { recursive: true });
  return copied;
}

/** `graticule backup`. The processor time is that of the server and of the command. */
async function saveBackup(server: ServerChild, file: string): Promise<Duration> {
  const serverMs = await server.processorMs();
  const command = await measureProgram(process.execPath, [MAIN, 'backup', file], {
    GRATICULE_URL: server.restUrl,
    GRATICULE_USER: 'admin',
    GRATICULE_PASSWORD: PASSWORD,
  });
  return { ms: command.ms, processorMs: command.processorMs + (await server.processorMs()) - serverMs };
}

async function measureProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Duration> {
  const startedAt = performance.now();
  // The shell prints the processor time of the programs that it ran in its last line.
  const { stdout } = await run('sh', ['-c', '"$@" && times', 'sh', program, ...args], {
    env: { ...process.env, ...environment },
  });
  const ms = performance.now() - startedAt;
  const times = stdout.trimEnd().split('\n').at(-1) ?? '';
  const seconds = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { ms, processorMs: 1_000 * seconds.reduce((sum, each) => sum + each, 0) };
}

/** Returns the milliseconds of each write. */
async function measureWrites(
  server: ServerChild,
  agent: Agent,
  prefix: string,
  isOver: (written: number) => boolean,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (!isOver(times.length)) {
    const startedAt = performance.now();
    await createWorkspace(server, agent, `${prefix}-${times.length}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
