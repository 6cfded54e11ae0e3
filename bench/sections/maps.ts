/** Maps and tiles, compared with MapServer, plain SQL and a bare route. */
import { join } from 'node:path';
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { benchDocuments } from '../documents.ts';
import {
  parcelsStore,
  publish,
  TABLE,
  tableStore,
  uploadParcels,
  withLargeTable,
  writeParcels,
} from '../feature-data.ts';
import type { Beside } from '../feature-services.ts';
import { benchLabels } from '../label-maps.ts';
import { type MapServiceCost, measureMapServices } from '../map-services.ts';
import { prepareMapServer, startMapServer } from '../mapserver.ts';
import { formatCost, MAX_TILE_KB, measurePointMaps, TILE_LEVEL } from '../point-maps.ts';
import { benchRasters } from '../rasters.ts';
import type { Row } from '../report.ts';
import { startServerChild } from '../server-child.ts';
import type { Throughput } from '../throughput.ts';
import { type Bench, thousands } from './section.ts';

const ROWS = 1_000_000;
const FEW = { layer: 'parcels', count: 10_000 };
const MANY = { layer: 'manyparcels', count: 100_000 };

/** The same few features as an upload: tiles of external files are not cached. */
const UPLOADED = 'sentparcels';

const POINTS = 300_000;

export async function benchMaps(bench: Bench): Promise<void> {
  if (bench.isChosen('documents')) await benchDocuments(bench);
  if (bench.isChosen('rasters')) await benchRasters(bench);
  if (bench.isChosen('labels')) await benchLabels(bench);
  if (bench.isChosen('polygons')) await benchPolygons(bench);
  if (bench.isChosen('points')) await benchPoints(bench);
}

async function benchPoints(bench: Bench): Promise<void> {
  const { report } = bench;
  const programs = findPostgis();
  const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
  if (programs === undefined || missing !== undefined) {
    report.skip('maps of many points beside MapServer', missing ?? 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    const count = bench.scaled(POINTS);
    const { maps, tiles } = await measurePointMaps(bench, { ...connection, database: template }, count);
    for (const { what, ours, theirs } of maps) {
      const ratio = ours.ms / theirs.ms;
      report.add({
        what: `a map of ${what} of ${thousands(count)} circles of 6 pixels, p50`,
        measured: formatCost(ours),
        baseline: `${formatCost(theirs)} (MapServer)`,
        ratio: ratio.toFixed(2),
        aim: 'ratio at most 0.8',
        met: ratio <= 0.8,
      });
    }
    for (const { what, bytes, ms } of tiles) {
      report.add({
        what: `the fullest vector tile of zoom ${TILE_LEVEL} of ${thousands(count)} points, ${what}`,
        measured: `${Math.round(bytes / 1_000)} KB in ${ms.toFixed(0)} ms`,
        baseline: `${MAX_TILE_KB} KB`,
        ratio: (bytes / 1_000 / MAX_TILE_KB).toFixed(2),
        aim: `at most ${MAX_TILE_KB} KB`,
        met: bytes <= MAX_TILE_KB * 1_000,
      });
    }
  } finally {
    await postgis.stop();
  }
}

async function benchPolygons({ report, directory }: Bench): Promise<void> {
  const programs = findPostgis();
  const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
  if (programs === undefined || missing !== undefined) {
    report.skip('maps beside MapServer', missing ?? 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    await withLargeTable({ ...connection, database: template }, ROWS, async (database, client) => {
      const dataDir = join(await directory(), 'data-directory');
      const server = await startServerChild(dataDir);
      const shapefiles: { readonly layer: string; readonly path: string }[] = [];
      for (const { layer, count } of [FEW, MANY]) {
        shapefiles.push({ layer, path: await writeParcels(dataDir, count, layer) });
      }
      const mapServer = await startMapServer({ shapefiles, tables: { names: [TABLE], database } });
      try {
        await publish(server, [tableStore(database), parcelsStore(FEW.layer), parcelsStore(MANY.layer)]);
        const maps = Number(process.env['BENCH_MAPS'] ?? 10_000);
        await uploadParcels(server, shapefiles[0]?.path ?? '', UPLOADED);
        const cost = await measureMapServices(server, mapServer, client, {
          few: FEW.layer,
          many: MANY.layer,
          uploaded: UPLOADED,
          maps,
          folder: await directory(),
        });
        for (const row of createRows(cost)) report.add(row);
      } finally {
        await mapServer.stop();
        await server.stop();
      }
    });
  } finally {
    await postgis.stop();
  }
}

function createRows(cost: MapServiceCost): readonly Row[] {
  const beside = (what: string, { ours, theirs }: Beside, most: number, called = 'MapServer'): Row => ({
    what,
    measured: `${ours.toFixed(1)} ms`,
    baseline: `${theirs.toFixed(1)} ms (${called})`,
    ratio: (ours / theirs).toFixed(2),
    aim: `ratio at most ${most.toFixed(1)}`,
    met: ours / theirs <= most,
  });
  const createCachedRow = (what: string, { requestsPerSecond, baselinePerSecond, ratio }: Throughput): Row => ({
    what,
    measured: `${requestsPerSecond.toFixed(0)} a second`,
    baseline: `${baselinePerSecond.toFixed(0)} a second (bare Fastify, the same bytes)`,
    ratio: ratio.toFixed(2),
    aim: 'ratio at least 0.5',
    met: ratio >= 0.5,
  });
  const { rssAfterMapsMb } = cost;
  return [
    beside(`a map of 800 by 400 of ${thousands(FEW.count)} polygons, p50`, cost.few, 0.8),
    beside(`a map of 800 by 400 of ${thousands(MANY.count)} polygons, p50`, cost.many, 0.8),
    beside(`a map of a box out of ${thousands(ROWS)} rows of PostGIS, p50`, cost.boxed, 1),
    beside('such maps by 8 clients at once, p50', cost.parallelMedian, 1),
    beside('such maps by 8 clients at once, p99', cost.parallelSlowest, 1),
    beside(
      `a vector tile out of ${thousands(ROWS)} rows, p50`,
      { ours: cost.tileMs, theirs: cost.bareTileMs },
      1.3,
      'the bare ST_AsMVT',
    ),
    createCachedRow('a picture that is kept', cost.cachedPicture),
    createCachedRow('a vector tile that is kept', cost.cachedTile),
    {
      what: `memory after ${thousands(cost.maps)} maps`,
      measured: `${rssAfterMapsMb.toFixed(0)} MB`,
      baseline: '400 MB',
      ratio: (rssAfterMapsMb / 400).toFixed(2),
      aim: 'at most 400 MB',
      met: rssAfterMapsMb <= 400,
    },
  ];
}
