/** Tiles per second of seed jobs, beside MapServer, which draws the same tiles one by one. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Ask, startAsking } from './asking.ts';
import { WORKSPACE } from './feature-data.ts';
import type { MapServer } from './mapserver.ts';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

/** The threads of the job, and the parallel clients of MapServer. */
const THREADS = 4;
const ROUNDS = 3;

const POLL_MS = 50;

/** Half of the width of Web Mercator in metres. */
const HALF = 20_037_508.342_789_244;

/** A square of whole blocks of tiles in the data. */
export interface SeededSquare {
  readonly level: number;
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly side: number;
}

export interface SeedRates {
  /** Medians, in tiles per second. */
  readonly ours: number;
  readonly theirs: number;
  /** The median of the ratios of successive rounds. */
  readonly ratio: number;
  readonly tiles: number;
}

/** Rounds alternate, so that both see the same load of the machine. */
export async function measureSeedRates(
  server: ServerChild,
  mapServer: MapServer,
  layer: string,
  square: SeededSquare,
): Promise<SeedRates> {
  const { ask, close } = startAsking(({ type }) => type.startsWith('image/'));
  const tiles = square.side ** 2;
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const our = tiles / (await seed(server, layer, square));
      const their = tiles / (await drawAll(ask, mapServer, layer, square));
      // The first round starts threads and compiles code.
      if (round === 0) continue;
      ours.push(our);
      theirs.push(their);
    }
  } finally {
    close();
  }
  const ratio = percentile(
    ours.map((each, round) => each / (theirs[round] ?? 0)),
    0.5,
  );
  return { ours: percentile(ours, 0.5), theirs: percentile(theirs, 0.5), ratio, tiles };
}

/** Returns the seconds until all tiles are on disk. */
async function seed(server: ServerChild, layer: string, square: SeededSquare): Promise<number> {
  const { level } = square;
  const [minX, minY, maxX, maxY] = findBounds(square, 0, 0, square.side);
  const inside = [minX + 1, minY + 1, maxX - 1, maxY - 1].map(String);
  const path = `${server.origin}/geoserver/gwc/rest/seed/${WORKSPACE}:${layer}`;
  const seedRequest = {
    ...{ gridSetId: 'EPSG:900913', bounds: { coords: { double: inside } }, zoomStart: level, zoomStop: level },
    ...{ format: 'image/png', type: 'reseed', threadCount: THREADS },
  };
  const startedAt = performance.now();
  const reply = await fetch(`${path}.json`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ seedRequest }),
  });
  if (!reply.ok) throw new Error(`The seed job answered ${reply.status}: ${await reply.text()}`);
  for (;;) {
    const listed = await fetch(`${path}.json`, { headers: { authorization } });
    const { 'long-array-array': jobs } = (await listed.json()) as { readonly 'long-array-array': readonly unknown[] };
    if (jobs.length === 0) return (performance.now() - startedAt) / 1_000;
    // Requests take precedence over seed jobs.
    await delay(POLL_MS);
  }
}

/** Returns the seconds for all tiles. */
async function drawAll(ask: Ask, { url }: MapServer, layer: string, square: SeededSquare): Promise<number> {
  const getMap = `service=WMS&version=1.1.1&request=GetMap&srs=EPSG:3857&width=256&height=256&format=image/png&transparent=true&styles=&layers=${layer}`;
  let next = 0;
  const startedAt = performance.now();
  const draw = async (): Promise<void> => {
    for (let tile = next++; tile < square.side ** 2; tile = next++) {
      const bounds = findBounds(square, tile % square.side, Math.floor(tile / square.side), 1);
      await ask(`${url}?${getMap}&bbox=${bounds.join(',')}`);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, draw));
  return (performance.now() - startedAt) / 1_000;
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

function findBounds({ level, firstColumn, firstRow }: SeededSquare, column: number, row: number, side: number): Box {
  const tile = (2 * HALF) / 2 ** level;
  const [left, top] = [-HALF + (firstColumn + column) * tile, HALF - (firstRow + row) * tile];
  return [left, top - side * tile, left + side * tile, top];
}
