/** Backups of a large catalog with many files, compared with a copy of the data directory, and writes meanwhile. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { percentile } from '../percentile.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { createWorkspace } from '../writes.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const run = promisify(execFile);

/** The size of all stored files in megabytes. */
const FILES_MB = Number(process.env['BENCH_BACKUP_MB'] ?? 1_024);
const FILE_MB = 8;

const MAX_RATIO = 1.5;
const MAX_MORE_MS = 50;
const MAX_TURN_MS = 50;

/** Writes of one client without a backup. */
const WRITES = 500;

export async function benchBackup(bench: Bench): Promise<void> {
  const count = bench.scaled(LARGE);
  const files = Math.max(1, Math.round(bench.scaled(FILES_MB) / FILE_MB));
  const dataDir = await bench.seeded(count);
  await storeFiles(dataDir, files);
  const target = await bench.directory();
  const server = await startServerChild(dataDir, {}, { isWatched: true });
  try {
    const agent = new Agent({ keepAlive: true });
    await saveBackup(server, join(target, 'first'));
    const copyMs = await measureCopy(dataDir, join(target, 'copy'));
    const without = await measureWrites(server, agent, 'before', (written) => written >= WRITES);
    await server.longestTurn();
    const backup = { isOver: false, ms: 0 };
    const saving = saveBackup(server, join(target, 'second')).then((ms) => Object.assign(backup, { isOver: true, ms }));
    const during = await measureWrites(server, agent, 'during', () => backup.isOver);
    await saving;
    const turn = await server.longestTurn();
    const quietMs = await saveBackup(server, join(target, 'third'));
    const { size } = await stat(join(target, 'third'));
    const megabytes = (size / 1_048_576).toFixed(0);
    bench.report.add({
      what: `backup of ${thousands(count)} objects and ${files * FILE_MB} MB of files`,
      measured: `${(quietMs / 1_000).toFixed(2)} s, ${megabytes} MB`,
      baseline: `cp -r: ${(copyMs / 1_000).toFixed(2)} s`,
      ratio: (quietMs / copyMs).toFixed(2),
      aim: `at most ${MAX_RATIO} times cp -r`,
      met: quietMs <= MAX_RATIO * copyMs,
    });
    const [p99, calm] = [percentile(during, 0.99), percentile(without, 0.99)];
    bench.report.add({
      what: 'writes of one client during that backup',
      measured: `p99 ${p99.toFixed(1)} ms of ${during.length}; longest turn ${turn.cpuMs.toFixed(1)} ms of processor time`,
      baseline: `p99 ${calm.toFixed(1)} ms without a backup`,
      ratio: (p99 / calm).toFixed(2),
      aim: `p99 at most ${MAX_MORE_MS} ms more, turns below ${MAX_TURN_MS} ms`,
      met: p99 - calm <= MAX_MORE_MS && turn.cpuMs < MAX_TURN_MS,
    });
  } finally {
    await server.stop();
  }
}

/** Stored files of uploads, under their hash. */
async function storeFiles(dataDir: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const bytes = randomBytes(FILE_MB * 1_048_576);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const folder = join(dataDir, 'blobs', hash.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, hash), bytes);
  }
}

async function measureCopy(from: string, to: string): Promise<number> {
  const startedAt = performance.now();
  await run('cp', ['-r', from, to]);
  const ms = performance.now() - startedAt;
  await rm(to, { recursive: true });
  return ms;
}

function saveBackup(server: ServerChild, file: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(`${server.restUrl}/backup`, { headers: { authorization } }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`The backup answered ${reply.statusCode}`));
      pipeline(reply, createWriteStream(file)).then(() => resolve(performance.now() - startedAt), reject);
    }).once('error', reject);
  });
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
