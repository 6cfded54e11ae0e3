/** Maps of labelled places and of roads with curved names, compared with MapServer on the same data and fonts. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { byTurns, ROUNDS, startAsking, WARM_UP } from './asking.ts';
import { parcelsStore, publish, WORKSPACE } from './feature-data.ts';
import { GAZETTEER, gazetteerBox, writeGazetteer } from './gazetteer.ts';
import { type MapServer, prepareMapServer, startMapServer } from './mapserver.ts';
import { formatCost, type PointMapCost } from './point-maps.ts';
import { ROADS, writeRoads } from './roads.ts';
import { type Bench, thousands } from './sections/section.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';

const PLACES = 10_000;
const LINES = 3_000;
const MAX_RATIO = 1;

const labelled = [
  {
    layer: GAZETTEER,
    what: `${thousands(PLACES)} labelled places`,
    css: `* { mark: symbol(circle); mark-size: 6; label: [name]; font-family: "DejaVu Sans"; font-size: 12;
      label-anchor: 0 0.5; label-offset: 5 0; halo-radius: 1; halo-color: white; }
      :mark { fill: #aaaaaa; stroke: black; stroke-width: 1; }`,
    type: 'POINT',
    look: `STYLE SYMBOL "circle" SIZE 6 COLOR 170 170 170 OUTLINECOLOR 0 0 0 WIDTH 1 END`,
    position: 'POSITION CR OFFSET 5 0 SIZE 12',
  },
  {
    layer: ROADS,
    what: `${thousands(LINES)} roads with curved names`,
    css: `* { stroke: #aaaaaa; stroke-width: 3; label: [name]; font-family: "DejaVu Sans"; font-size: 10;
      label-follow-line: true; halo-radius: 1; halo-color: white; }`,
    type: 'LINE',
    look: 'STYLE COLOR 170 170 170 WIDTH 3 END',
    position: 'ANGLE FOLLOW SIZE 10',
  },
] as const;

export async function benchLabels({ report, directory }: Bench): Promise<void> {
  const missing = await prepareMapServer((line) => process.stderr.write(`${line}\n`));
  if (missing !== undefined) {
    report.skip('labelled maps beside MapServer', missing);
    return;
  }
  const dataDir = join(await directory(), 'data-directory');
  const server = await startServerChild(dataDir);
  const paths = new Map([
    [GAZETTEER as string, await writeGazetteer(dataDir, PLACES)],
    [ROADS, await writeRoads(dataDir, LINES)],
  ]);
  const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
  const mapServer = await startMapServer({
    shapefiles: [],
    labelled: { font, layers: labelled.map((each) => ({ ...each, path: paths.get(each.layer) ?? '' })) },
  });
  try {
    await publish(server, [parcelsStore(GAZETTEER), parcelsStore(ROADS)]);
    for (const { layer, css } of labelled) await uploadStyle(server, layer, css);
    for (const { layer, what } of labelled) {
      const { ours, theirs } = await measureMaps(server, mapServer, layer);
      report.add({
        what: `a map of 1024 by 768 of ${what}, p50`,
        measured: formatCost(ours),
        baseline: `${formatCost(theirs)} (MapServer)`,
        ratio: (ours.ms / theirs.ms).toFixed(2),
        aim: `ratio at most ${MAX_RATIO.toFixed(1)}`,
        met: ours.ms / theirs.ms <= MAX_RATIO,
      });
    }
  } finally {
    await mapServer.stop();
    await server.stop();
  }
}

async function uploadStyle(server: ServerChild, name: string, css: string): Promise<void> {
  const headers = { authorization, 'content-type': 'application/vnd.geoserver.geocss+css' };
  const reply = await fetch(`${server.restUrl}/styles?name=${name}`, { method: 'POST', headers, body: css });
  if (reply.status !== 201) throw new Error(`The upload of the style answered ${reply.status}: ${await reply.text()}`);
}

async function measureMaps(
  server: ServerChild,
  mapServer: MapServer,
  layer: string,
): Promise<Readonly<Record<'ours' | 'theirs', PointMapCost>>> {
  const { ask, close } = startAsking(({ type }) => !type.includes('xml'));
  const map = `service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=1024&height=768&format=image/png&bbox=${gazetteerBox}`;
  try {
    const before = [await server.processorMs(), await mapServer.processorMs()] as const;
    const times = await byTurns(ask, {
      ours: `${server.origin}/geoserver/wms?${map}&layers=${WORKSPACE}:${layer}&styles=${layer}`,
      theirs: `${mapServer.url}?${map}&layers=${layer}&styles=`,
    });
    const after = [await server.processorMs(), await mapServer.processorMs()] as const;
    const requests = WARM_UP + ROUNDS;
    return {
      ours: { ms: times.ours, processorMs: (after[0] - before[0]) / requests },
      theirs: { ms: times.theirs, processorMs: (after[1] - before[1]) / requests },
    };
  } finally {
    close();
  }
}
