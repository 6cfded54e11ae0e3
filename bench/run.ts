/** `npm run bench`: measures what users feel, each figure beside a baseline taken in the same run. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgis } from '../test/support/find-postgis.ts';
import { findProgram } from '../test/support/find-program.ts';
import { startPostgis } from '../test/support/services/postgis.ts';
import { measureBareStart, measureColdStart } from './cold-start.ts';
import { measureDurableInserts } from './durable-inserts.ts';
import { measureEventLoopDelay } from './event-loop.ts';
import { measureLogin } from './login.ts';
import { measurePostgisTables } from './postgis-tables.ts';
import { createReport, type Report } from './report.ts';
import { seedCatalog } from './seed.ts';
import { type ServerChild, startServerChild } from './server-child.ts';
import { measureShapefileReading } from './shapefile-reading.ts';
import { measureSldParsing } from './sld-parsing.ts';
import { measureStyles } from './styles.ts';
import { measureSystemStatus } from './system-status.ts';
import { measureThroughput } from './throughput.ts';
import { measureUrlChecks } from './url-checks.ts';
import { measureLargeUpload, measurePublishing } from './vector-publishing.ts';
import { measureWrites } from './writes.ts';

const LARGE = 100_000;
const SMALL = 1_000;
const WRITES = 2_000;

async function benchStarts(report: Report, directories: Readonly<Record<string, string>>): Promise<void> {
  const bare = await measureBareStart();
  for (const [objects, directory] of Object.entries(directories)) {
    const { startMs, idleRssMb } = await measureColdStart(directory);
    report.add({
      what: `cold start with ${objects} objects`,
      measured: `${startMs.toFixed(0)} ms`,
      baseline: `${bare.startMs.toFixed(0)} ms (bare Fastify)`,
      ratio: (startMs / bare.startMs).toFixed(2),
      aim: 'at most 1,000 ms',
      met: startMs <= 1_000,
    });
    report.add({
      what: `idle memory with ${objects} objects`,
      measured: `${idleRssMb.toFixed(0)} MB`,
      baseline: `${bare.idleRssMb.toFixed(0)} MB (bare Fastify)`,
      ratio: (idleRssMb / bare.idleRssMb).toFixed(2),
      aim: 'at most 150 MB',
      met: idleRssMb <= 150,
    });
  }
}

async function benchReads(report: Report, server: ServerChild): Promise<void> {
  const read = await measureThroughput(server, '/workspaces/seed.json');
  const readRatio = read.requestsPerSecond / read.baselinePerSecond;
  report.add({
    what: 'GET one workspace, JSON',
    measured: `${read.requestsPerSecond.toFixed(0)} a second`,
    baseline: `${read.baselinePerSecond.toFixed(0)} a second (bare Fastify, same size)`,
    ratio: readRatio.toFixed(2),
    aim: 'ratio at least 0.5',
    met: readRatio >= 0.5,
  });
  const login = await measureLogin(server, '/workspaces/seed.json');
  report.add({
    what: 'GET with remembered credentials',
    measured: `${login.microsecondsWithLogin.toFixed(0)} µs`,
    baseline: `${login.microsecondsWithout.toFixed(0)} µs (anonymous /livez)`,
    ratio: login.ratio.toFixed(2),
    aim: 'ratio at most 1.3',
    met: login.ratio <= 1.3,
  });
  const status = await measureSystemStatus(server);
  report.add({
    what: 'GET the system status, p99',
    measured: `${status.p99Ms.toFixed(1)} ms`,
    baseline: `${status.p50Ms.toFixed(1)} ms (its p50)`,
    ratio: (status.p99Ms / status.p50Ms).toFixed(2),
    aim: 'at most 10 ms',
    met: status.p99Ms <= 10,
  });
}

async function benchWrites(report: Report, root: string, small: string, large: ServerChild): Promise<void> {
  const atLarge = await measureWrites(large, WRITES, 'bench');
  const smallServer = await startServerChild(small);
  const atSmall = await measureWrites(smallServer, WRITES, 'bench');
  await smallServer.stop();
  const inserts = measureDurableInserts(root, WRITES);
  report.add({
    what: 'create a workspace, p50',
    measured: `${atSmall.p50Ms.toFixed(2)} ms`,
    baseline: `${inserts.p50Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p50Ms / inserts.p50Ms).toFixed(2),
    aim: '-',
    met: true,
  });
  report.add({
    what: 'create a workspace, p99',
    measured: `${atSmall.p99Ms.toFixed(2)} ms`,
    baseline: `${inserts.p99Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p99Ms / inserts.p99Ms).toFixed(2),
    aim: 'at most 20 ms',
    met: atSmall.p99Ms <= 20,
  });
  const growth = atLarge.p50Ms / atSmall.p50Ms;
  report.add({
    what: `write cost at ${LARGE.toLocaleString('en')} objects`,
    measured: `${atLarge.p50Ms.toFixed(2)} ms`,
    baseline: `${atSmall.p50Ms.toFixed(2)} ms at ${SMALL.toLocaleString('en')}`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.2',
    met: growth <= 1.2,
  });
}

async function benchChecksAndStyles(report: Report, root: string): Promise<void> {
  const checks = await measureUrlChecks(await mkdtemp(join(root, 'url-checks-')));
  report.add({
    what: 'decide on a URL, 1,000 checks, the last one matches, p50',
    measured: `${checks.p50Ms.toFixed(2)} ms`,
    baseline: `${checks.firstMs.toFixed(1)} ms (the first decision, which reads them all)`,
    ratio: (checks.p50Ms / checks.firstMs).toFixed(2),
    aim: 'at most 1 ms',
    met: checks.p50Ms <= 1,
  });
  const sld = measureSldParsing();
  report.add({
    what: 'read 1 MB of SLD',
    measured: `${sld.sldMegabytesPerSecond.toFixed(1)} MB/s`,
    baseline: `${sld.xmlMegabytesPerSecond.toFixed(1)} MB/s (as XML only)`,
    ratio: (sld.sldMegabytesPerSecond / sld.xmlMegabytesPerSecond).toFixed(2),
    aim: 'at least 10 MB/s',
    met: sld.sldMegabytesPerSecond >= 10,
  });
}

async function benchStyles(report: Report, root: string): Promise<void> {
  const server = await startServerChild(await mkdtemp(join(root, 'styles-')));
  const styles = await measureStyles(server);
  await server.stop();
  const growth = styles.lastMs / styles.firstMs;
  report.add({
    what: `upload a style of 20 KB and read it back, the last of ${styles.styles.toLocaleString('en')}`,
    measured: `${styles.lastMs.toFixed(2)} ms`,
    baseline: `${styles.firstMs.toFixed(2)} ms (the first)`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.2',
    met: growth <= 1.2,
  });
}

/** What one client may add to the waiting of others. */
const MAX_ADDED_MS = 50;

async function benchEventLoop(report: Report, root: string): Promise<void> {
  const server = await startServerChild(await mkdtemp(join(root, 'event-loop-')));
  const { quietP99Ms, beside, megabyteStyleMs } = await measureEventLoopDelay(server);
  await server.stop();
  for (const { what, p99Ms, tookMs } of beside) {
    report.add({
      what: `GET of others while ${what}, p99`,
      measured: `${p99Ms.toFixed(1)} ms (it took ${tookMs.toFixed(0)} ms)`,
      baseline: `${quietP99Ms.toFixed(1)} ms (nothing beside it)`,
      ratio: (p99Ms / quietP99Ms).toFixed(2),
      aim: `at most ${MAX_ADDED_MS} ms more`,
      met: p99Ms - quietP99Ms <= MAX_ADDED_MS,
    });
  }
  report.add({
    what: 'upload a style of 1 MB',
    measured: `${megabyteStyleMs.toFixed(0)} ms`,
    baseline: '-',
    ratio: '-',
    aim: 'at most 100 ms',
    met: megabyteStyleMs <= 100,
  });
}

async function benchVectorData(report: Report, root: string): Promise<void> {
  // Else publishing, which waits for the disk, would also wait for what the sections before have left to write.
  await promisify(execFile)('sync');
  const server = await startServerChild(await mkdtemp(join(root, 'vector-')));
  if (findProgram(['ogrinfo']) === undefined || findProgram(['unzip']) === undefined) {
    report.skip('publishing and reading a shapefile of 100,000 polygons', 'ogrinfo or unzip is missing');
  } else {
    const publishing = await measurePublishing(server, await mkdtemp(join(root, 'publishing-')));
    const publishRatio = publishing.publishMs / publishing.unzipAndOgrinfoMs;
    report.add({
      what: 'publish a zipped shapefile of 100,000 polygons',
      measured: `${publishing.publishMs.toFixed(0)} ms`,
      baseline: `${publishing.unzipAndOgrinfoMs.toFixed(0)} ms (unzip and ogrinfo -so)`,
      ratio: publishRatio.toFixed(2),
      aim: 'ratio at most 0.8',
      met: publishRatio <= 0.8,
    });
    const reading = await measureShapefileReading(await mkdtemp(join(root, 'reading-')));
    report.add({
      what: 'read its features through the port',
      measured: `${reading.readMs.toFixed(0)} ms`,
      baseline: `${reading.ogr2ogrMs.toFixed(0)} ms (ogr2ogr to CSV, thrown away)`,
      ratio: reading.readRatio.toFixed(2),
      aim: 'ratio at most 1.0',
      met: reading.readRatio <= 1,
    });
  }
  const upload = await measureLargeUpload(server, await mkdtemp(join(root, 'upload-')));
  report.add({
    what: `peak memory while a ZIP of ${upload.sizeMb.toFixed(0)} MB is uploaded`,
    measured: `${upload.peakRssMb.toFixed(0)} MB`,
    baseline: `${(upload.ms / 1_000).toFixed(1)} s (how long it took)`,
    ratio: (upload.peakRssMb / upload.sizeMb).toFixed(2),
    aim: 'at most 250 MB',
    met: upload.peakRssMb <= 250,
  });
  await server.stop();
  await benchTables(report);
}

async function benchTables(report: Report): Promise<void> {
  const what = 'describe one table among 5,000 in PostGIS';
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip(what, 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    const tables = await measurePostgisTables({ ...connection, database: template });
    report.add({
      what,
      measured: `${tables.manyP50Ms.toFixed(2)} ms`,
      baseline: `${tables.fewP50Ms.toFixed(2)} ms among ${tables.fewTables}`,
      ratio: tables.ratio.toFixed(2),
      aim: 'ratio at most 1.2',
      met: tables.ratio <= 1.2,
    });
  } finally {
    await postgis.stop();
  }
}

const report = createReport((line) => process.stderr.write(`${line}\n`));
const root = await mkdtemp(join(tmpdir(), 'graticule-bench-'));
try {
  const empty = await mkdtemp(join(root, 'empty-'));
  const small = await mkdtemp(join(root, 'small-'));
  const large = await mkdtemp(join(root, 'large-'));
  await seedCatalog(small, SMALL);
  await seedCatalog(large, LARGE);

  await benchStarts(report, { '0': empty, [LARGE.toLocaleString('en')]: large });
  const server = await startServerChild(large);
  await benchReads(report, server);
  await benchWrites(report, root, small, server);
  await server.stop();
  await benchChecksAndStyles(report, root);
  await benchStyles(report, root);
  await benchEventLoop(report, root);
  await benchVectorData(report, root);
} finally {
  await rm(root, { recursive: true, force: true });
}
process.stdout.write(report.table());
