/** Tiles of seed jobs beside MapServer, and kept tiles of an own grid set beside Web Mercator. */
import { join } from 'node:path';
import { parcelsStore, publish, uploadParcels, WORKSPACE, writeParcels } from '../feature-data.ts';
import { prepareMapServer, startMapServer } from '../mapserver.ts';
import { percentile } from '../percentile.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { requestsPerSecond } from '../throughput.ts';
import { measureSeedRates } from '../tile-seeds.ts';
import { type Bench, thousands } from './section.ts';

const FILE = 'parcels';

/** The same data as an upload: tiles of external files are not cached. */
const UPLOADED = 'sentparcels';
const POLYGONS = 100_000;

/** About 30 polygons in a tile. */
const SQUARE = { level: 7, firstColumn: 64, firstRow: 40, side: 16 };

const MIN_SEED_RATIO = 0.8;
const MIN_GRID_RATIO = 0.9;

export async function benchTiles({ report, directory, isChosen }: Bench): Promise<void> {
  const dataDir = join(await directory(), 'data-directory');
  const server = await startServerChild(dataDir);
  try {
    const path = await writeParcels(dataDir, POLYGONS, FILE);
    await publish(server, [parcelsStore(FILE)]);
    await uploadParcels(server, path, UPLOADED);
    if (isChosen('seed')) {
      const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
      if (missing === undefined) await benchSeeds(report, server, path);
      else report.skip('seed jobs beside MapServer', missing);
    }
    if (isChosen('grid')) await benchGrids(report, server);
  } finally {
    await server.stop();
  }
}

async function benchSeeds(report: Bench['report'], server: ServerChild, path: string): Promise<void> {
  const mapServer = await startMapServer({ shapefiles: [{ layer: UPLOADED, path }] });
  try {
    const { ours, theirs, ratio, tiles } = await measureSeedRates(server, mapServer, UPLOADED, SQUARE);
    report.add({
      what: `seed ${thousands(tiles)} tiles of ${thousands(POLYGONS)} polygons, stored on disk`,
      measured: `${ours.toFixed(0)} a second`,
      baseline: `${theirs.toFixed(0)} a second (MapServer, 4 clients, one map for each tile, not stored)`,
      ratio: ratio.toFixed(2),
      aim: `ratio at least ${MIN_SEED_RATIO}`,
      met: ratio >= MIN_SEED_RATIO,
    });
  } finally {
    await mapServer.stop();
  }
}

const GRID = 'bench';
const ROUNDS = 9;

/** Rounds alternate; the median of the ratios of successive rounds counts. */
async function benchGrids(report: Bench['report'], server: ServerChild): Promise<void> {
  await createGrid(server);
  const [own = '', mercator = ''] = [`${GRID}/2/3/4`, 'EPSG:900913/7/47/72'].map(
    (tile) => `${server.origin}/geoserver/gwc/service/wmts/rest/${WORKSPACE}:${UPLOADED}/${tile}?format=image/png`,
  );
  // The first request draws the tile and starts threads.
  for (const url of [own, mercator]) await requestsPerSecond(url, {});
  const [inGrid, inMercator]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    inGrid.push(await requestsPerSecond(own, {}));
    inMercator.push(await requestsPerSecond(mercator, {}));
  }
  const ratio = percentile(
    inGrid.map((each, round) => each / (inMercator[round] ?? 0)),
    0.5,
  );
  report.add({
    what: 'a kept tile of an own grid set',
    measured: `${percentile(inGrid, 0.5).toFixed(0)} a second`,
    baseline: `${percentile(inMercator, 0.5).toFixed(0)} a second (Web Mercator)`,
    ratio: ratio.toFixed(2),
    aim: `ratio at least ${MIN_GRID_RATIO}`,
    met: ratio >= MIN_GRID_RATIO,
  });
}

/** A grid of UTM with tiles of 256 km at level 0. */
async function createGrid(server: ServerChild): Promise<void> {
  const send = async (path: string, type: string, body: string): Promise<void> => {
    const reply = await fetch(`${server.origin}/geoserver${path}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': type },
      body,
    });
    if (!reply.ok) throw new Error(`PUT ${path} answered ${reply.status}: ${await reply.text()}`);
  };
  const corners = [0, 5_000_000, 1_024_000, 6_024_000].map((each) => `<double>${each}</double>`).join('');
  const resolutions = [1_000, 500, 250].map((each) => `<double>${each}</double>`).join('');
  await send(
    `/gwc/rest/gridsets/${GRID}`,
    'text/xml',
    `<gridSet><name>${GRID}</name><srs><number>25832</number></srs><extent><coords>${corners}</coords></extent><alignTopLeft>true</alignTopLeft><resolutions>${resolutions}</resolutions><tileHeight>256</tileHeight><tileWidth>256</tileWidth></gridSet>`,
  );
  await send('/rest/services/wmts/settings', 'application/json', `{"wmts":{"gridSets":{"string":["${GRID}"]}}}`);
}
