/** A database with thousands of tables. */
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { measurePostgisTables } from '../postgis-tables.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, thousands } from './section.ts';

const MAX_LIST_MS = 60;

export async function benchTables({ report, directory }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('describe and list the tables of PostGIS', 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  const server = await startServerChild(await directory());
  try {
    const { connection, template } = postgis.details;
    const tables = await measurePostgisTables(server, { ...connection, database: template });
    const many = thousands(tables.manyTables);
    report.add({
      what: `describe one table among ${many} in PostGIS`,
      measured: `${tables.manyP50Ms.toFixed(2)} ms`,
      baseline: `${tables.fewP50Ms.toFixed(2)} ms among ${tables.fewTables}`,
      ratio: tables.ratio.toFixed(2),
      aim: 'ratio at most 1.2',
      met: tables.ratio <= 1.2,
    });
    report.add({
      what: `list=available of ${many} tables, p50`,
      measured: `${tables.availableMs.toFixed(0)} ms`,
      baseline: `${tables.listManyMs.toFixed(0)} ms (the driver alone)`,
      ratio: (tables.availableMs / tables.listManyMs).toFixed(2),
      aim: `at most ${MAX_LIST_MS} ms`,
      met: tables.availableMs <= MAX_LIST_MS,
    });
  } finally {
    await server.stop();
    await postgis.stop();
  }
}
