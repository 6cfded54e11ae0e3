/** Feature queries and pages, compared with plain SQL and MapServer. */
import { join } from 'node:path';
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { measureClassification } from '../classification.ts';
import { parcelsStore, publish, SHAPEFILE, TABLE, tableStore, withLargeTable, writeParcels } from '../feature-data.ts';
import { type FeatureQueryCost, measureFeatureQueries } from '../feature-queries.ts';
import { type Beside, type FeatureServiceCost, measureFeatureServices } from '../feature-services.ts';
import { prepareMapServer, startMapServer } from '../mapserver.ts';
import type { BenchedDatabase } from '../postgis-tables.ts';
import type { Row } from '../report.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, thousands } from './section.ts';

const ROWS = 1_000_000;
const PARCELS = 10_000;
const MAX_CLASSIFICATION_RATIO = 0.5;

export async function benchFeatures(bench: Bench): Promise<void> {
  const { report } = bench;
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('ask PostGIS for pages of features', 'PostGIS is missing');
    return;
  }
  const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    await withLargeTable({ ...connection, database: template }, ROWS, async (database, client) => {
      for (const row of queryRows(await measureFeatureQueries(database, client, ROWS))) report.add(row);
      const classification = await measureClassification(database);
      const ratio = classification.databaseMs / classification.readingMs;
      report.add({
        what: `five quantiles of ${thousands(ROWS)} numbers in PostGIS, without HTTP, p50`,
        measured: `${classification.databaseMs.toFixed(0)} ms`,
        baseline: `${classification.readingMs.toFixed(0)} ms (reading all values)`,
        ratio: ratio.toFixed(2),
        aim: `ratio at most ${MAX_CLASSIFICATION_RATIO}`,
        met: ratio <= MAX_CLASSIFICATION_RATIO,
      });
      if (missing === undefined) for (const row of serviceRows(await measureServices(bench, database))) report.add(row);
      else report.skip('features beside MapServer', missing);
    });
  } finally {
    await postgis.stop();
  }
}

async function measureServices({ directory }: Bench, database: BenchedDatabase): Promise<FeatureServiceCost> {
  const dataDir = join(await directory(), 'data-directory');
  const server = await startServerChild(dataDir);
  const path = await writeParcels(dataDir, PARCELS);
  const mapServer = await startMapServer({
    shapefiles: [{ layer: SHAPEFILE, path }],
    tables: { names: [TABLE], database },
  });
  try {
    await publish(server, [tableStore(database), parcelsStore()]);
    return await measureFeatureServices(server, mapServer, ROWS);
  } finally {
    await mapServer.stop();
    await server.stop();
  }
}

function queryRows(cost: FeatureQueryCost): readonly Row[] {
  return [
    compared({
      what: `a page of 1,000 features in a box out of ${thousands(ROWS)} in PostGIS, without HTTP, p50`,
      ours: cost.pageMs,
      other: cost.bareMs,
      called: 'the bare SQL',
      most: 1.5,
    }),
    compared({
      what: `a page of 1,000 features behind nine tenths of ${thousands(ROWS)}, without HTTP, p50`,
      ours: cost.farPageMs,
      other: cost.firstPageMs,
      called: 'the first page',
      most: 1.5,
    }),
  ];
}

function serviceRows(cost: FeatureServiceCost): readonly Row[] {
  const many = thousands(ROWS);
  const beside = (what: string, { ours, theirs }: Beside, most: number): Row =>
    compared({ what, ours, other: theirs, called: 'MapServer', most });
  const farTheirs = `; ${cost.jumpMs.toFixed(1)} without the page before; MapServer ${cost.farByIndex.theirs.toFixed(1)}`;
  return [
    beside(`GeoJSON of ${thousands(PARCELS)} polygons of a shapefile over WFS, p50`, cost.parcels, 0.5),
    beside(`a page of 1,000 in a box out of ${many} in PostGIS over WFS, p50`, cost.boxed, 1),
    beside('the same over OGC API Features, p50', { ours: cost.boxedItemsMs, theirs: cost.boxed.theirs }, 1),
    beside('such pages by 8 clients at once, p50', cost.parallelMedian, 1),
    beside('such pages by 8 clients at once, p99', cost.parallelSlowest, 1),
    compared({
      what: `the page of 1,000 at row ${thousands(ROWS * 0.9)} over OGC API Features, p50`,
      ours: cost.farItemsMs,
      other: cost.firstItemsMs,
      called: 'the first page',
      most: 1.5,
    }),
    compared({
      what: `the page of 1,000 at row ${thousands(ROWS * 0.9)} by startIndex of WFS, p50`,
      ours: cost.farByIndex.ours,
      other: cost.firstByIndex.ours,
      called: `the first page${farTheirs}`,
      most: 1.5,
    }),
  ];
}

interface Comparison {
  readonly what: string;
  readonly ours: number;
  readonly other: number;
  readonly called: string;
  /** The target. */
  readonly most: number;
}

function compared({ what, ours, other, called, most }: Comparison): Row {
  return {
    what,
    measured: `${ours.toFixed(1)} ms`,
    baseline: `${other.toFixed(1)} ms (${called})`,
    ratio: (ours / other).toFixed(2),
    aim: `ratio at most ${most.toFixed(1)}`,
    met: ours / other <= most,
  };
}
