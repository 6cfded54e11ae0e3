/** `npm run bench`: measures what users feel, each figure beside a baseline taken in the same run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureBareStart, measureColdStart } from './cold-start.ts';
import { measureDurableInserts } from './durable-inserts.ts';
import { seedCatalog } from './seed.ts';
import { startServerChild } from './server-child.ts';
import { measureThroughput } from './throughput.ts';
import { measureWrites } from './writes.ts';

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly aim: string;
  readonly met: boolean;
}

const LARGE = 100_000;
const SMALL = 1_000;
const WRITES = 2_000;

const rows: Row[] = [];

function report(row: Row): void {
  rows.push(row);
  process.stderr.write(`${row.met ? 'met   ' : 'MISSED'} ${row.what}: ${row.measured} (aim ${row.aim})\n`);
}

const root = await mkdtemp(join(tmpdir(), 'graticule-bench-'));
try {
  const [empty, small, large] = await Promise.all(
    ['empty', 'small', 'large'].map((name) => mkdtemp(join(root, `${name}-`))),
  );
  if (empty === undefined || small === undefined || large === undefined) {
    throw new Error('no directories');
  }
  await seedCatalog(small, SMALL);
  await seedCatalog(large, LARGE);

  const bare = await measureBareStart();
  for (const [what, directory] of [
    ['0', empty],
    [LARGE.toLocaleString('en'), large],
  ] as const) {
    const { startMs, idleRssMb } = await measureColdStart(directory);
    report({
      what: `cold start with ${what} objects`,
      measured: `${startMs.toFixed(0)} ms`,
      baseline: `${bare.startMs.toFixed(0)} ms (bare Fastify)`,
      ratio: (startMs / bare.startMs).toFixed(2),
      aim: 'at most 1,000 ms',
      met: startMs <= 1_000,
    });
    report({
      what: `idle memory with ${what} objects`,
      measured: `${idleRssMb.toFixed(0)} MB`,
      baseline: `${bare.idleRssMb.toFixed(0)} MB (bare Fastify)`,
      ratio: (idleRssMb / bare.idleRssMb).toFixed(2),
      aim: 'at most 150 MB',
      met: idleRssMb <= 150,
    });
  }

  const server = await startServerChild(large);
  const read = await measureThroughput(server, '/workspaces/seed.json');
  const readRatio = read.requestsPerSecond / read.baselinePerSecond;
  report({
    what: 'GET one workspace, JSON',
    measured: `${read.requestsPerSecond.toFixed(0)} a second`,
    baseline: `${read.baselinePerSecond.toFixed(0)} a second (bare Fastify, same size)`,
    ratio: readRatio.toFixed(2),
    aim: 'ratio at least 0.5',
    met: readRatio >= 0.5,
  });
  const atLarge = await measureWrites(server, WRITES, 'bench');
  await server.stop();

  const smallServer = await startServerChild(small);
  const atSmall = await measureWrites(smallServer, WRITES, 'bench');
  await smallServer.stop();
  const inserts = measureDurableInserts(root, WRITES);

  report({
    what: 'create a workspace, p50',
    measured: `${atSmall.p50Ms.toFixed(2)} ms`,
    baseline: `${inserts.p50Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p50Ms / inserts.p50Ms).toFixed(2),
    aim: '-',
    met: true,
  });
  report({
    what: 'create a workspace, p99',
    measured: `${atSmall.p99Ms.toFixed(2)} ms`,
    baseline: `${inserts.p99Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p99Ms / inserts.p99Ms).toFixed(2),
    aim: 'at most 20 ms',
    met: atSmall.p99Ms <= 20,
  });
  const growth = atLarge.p50Ms / atSmall.p50Ms;
  report({
    what: `write cost at ${LARGE.toLocaleString('en')} objects`,
    measured: `${atLarge.p50Ms.toFixed(2)} ms`,
    baseline: `${atSmall.p50Ms.toFixed(2)} ms at ${SMALL.toLocaleString('en')}`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.2',
    met: growth <= 1.2,
  });
} finally {
  await rm(root, { recursive: true, force: true });
}

const header = '| What | Measured | Baseline in the same run | Ratio | Aim | |\n|---|---|---|---|---|---|';
const lines = rows.map(
  (row) =>
    `| ${row.what} | ${row.measured} | ${row.baseline} | ${row.ratio} | ${row.aim} | ${row.met ? 'met' : 'missed'} |`,
);
process.stdout.write(`${[header, ...lines].join('\n')}\n`);
