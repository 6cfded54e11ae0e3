/** Several nodes on one PostgreSQL, compared with one server with SQLite. */
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { measureNodeUpload } from '../node-uploads.ts';
import { measureNodeReads, measureNodeStart, measureNodeWrites, nodeEnvironment, seedSchema } from '../nodes.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, SMALL, thousands } from './section.ts';

const MIN_WRITES = 500;
const MAX_START_MS = 1_000;

export async function benchNodes({ report, directory, seeded }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('several nodes on one PostgreSQL', 'PostgreSQL is missing');
    return;
  }
  const postgres = await startPostgis(programs);
  const { connection } = postgres.details;
  try {
    const environment = nodeEnvironment(connection, 'small');
    await seedSchema(connection, 'small', SMALL);
    const nodes = [
      await startServerChild(await directory(), environment),
      await startServerChild(await directory(), environment),
    ] as const;
    const writes = await measureNodeWrites(nodes, connection);
    const share = writes.oneNodePerSecond / writes.barePerSecond;
    report.add({
      what: 'create workspaces on one node, 16 clients',
      measured: `${writes.oneNodePerSecond.toFixed(0)} a second`,
      baseline: `${writes.barePerSecond.toFixed(0)} a second (bare inserts, committed in groups)`,
      ratio: share.toFixed(2),
      aim: `at least ${MIN_WRITES} a second, or ratio at least 0.5`,
      met: writes.oneNodePerSecond >= MIN_WRITES || share >= 0.5,
    });
    const gain = writes.twoNodesPerSecond / writes.oneNodePerSecond;
    report.add({
      what: 'create workspaces on two nodes, 16 clients each',
      measured: `${writes.twoNodesPerSecond.toFixed(0)} a second`,
      baseline: `${writes.oneNodePerSecond.toFixed(0)} a second (one node)`,
      ratio: gain.toFixed(2),
      aim: 'ratio at least 1',
      met: gain >= 1,
    });
    const upload = await measureNodeUpload(nodes, connection, await directory());
    const times = upload.servedMs / upload.copiedMs;
    report.add({
      what: `upload ${upload.megabytes.toFixed(0)} MB to one node and have a map of it from another`,
      measured: `${upload.servedMs.toFixed(0)} ms (the upload ${upload.uploadedMs.toFixed(0)} ms)`,
      baseline: `${upload.copiedMs.toFixed(0)} ms (the same bytes into the database and out of it)`,
      ratio: times.toFixed(2),
      aim: 'ratio at most 2',
      met: times <= 2,
    });
    await nodes[1].stop();
    const single = await startServerChild(await seeded(SMALL));
    const reads = await measureNodeReads(nodes[0], single, '/workspaces/seed.json');
    report.add({
      what: 'GET one workspace on a node, 32 clients',
      measured: `${reads.postgresPerSecond.toFixed(0)} a second`,
      baseline: `${reads.sqlitePerSecond.toFixed(0)} a second (SQLite)`,
      ratio: reads.ratio.toFixed(2),
      aim: 'ratio at least 0.7',
      met: reads.ratio >= 0.7,
    });
    await single.stop();
    await nodes[0].stop();
    await seedSchema(connection, 'large', LARGE);
    const startMs = await measureNodeStart(directory, nodeEnvironment(connection, 'large'));
    report.add({
      what: `start a node with ${thousands(LARGE)} objects`,
      measured: `${startMs.toFixed(0)} ms`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${thousands(MAX_START_MS)} ms`,
      met: startMs <= MAX_START_MS,
    });
  } finally {
    await postgres.stop();
  }
}
