/** Kept tiles of a server that shares them in an object store, beside one that keeps them in its directory only. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadParcels, WORKSPACE, writeParcels } from './feature-data.ts';
import { startStoreChild, storeVariables } from './object-store-child.ts';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';
import { requestsPerSecond } from './throughput.ts';

export interface SharedTileRates {
  /** One tile that is in memory, a second. */
  readonly sharedPerSecond: number;
  readonly ownPerSecond: number;
  /** The median of the ratios of successive rounds, of the times. */
  readonly ratio: number;
  /** Tiles that are only in the store, one after the other. */
  readonly storeMs: number;
  /** The same tiles after that, from the disk or the memory of the node. */
  readonly warmMs: number;
  readonly tiles: number;
}

const ROUNDS = 9;
const LAYER = 'sharedparcels';
const POLYGONS = 20_000;
const SIDE = 12;

export async function measureSharedTiles(folder: string): Promise<SharedTileRates> {
  const store = await startStoreChild(join(folder, 'objects'));
  const environment = { ...storeVariables, GRATICULE_TILES: store.addressOf('tiles') };
  const sharedDir = join(folder, 'shared');
  const [own, first] = [
    await startServerChild(join(folder, 'own')),
    await startServerChild(sharedDir, environment),
  ] as const;
  let shared: ServerChild = first;
  try {
    for (const server of [own, first]) {
      await createWorkspace(server);
      await uploadParcels(server, await writeParcels(folder, POLYGONS, LAYER), LAYER);
      await readTiles(server);
    }
    await first.stop();
    await rm(join(sharedDir, 'tile-cache'), { recursive: true });
    shared = await startServerChild(sharedDir, environment);
    await fetchTile(shared, 0, 0);
    const storeMs = await readTiles(shared);
    const warmMs = await readTiles(shared);
    const [together, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      together.push(await requestsPerSecond(tileUrl(shared, 0, 0), {}));
      alone.push(await requestsPerSecond(tileUrl(own, 0, 0), {}));
    }
    return {
      ...{ storeMs, warmMs, tiles: SIDE * SIDE },
      sharedPerSecond: percentile(together, 0.5),
      ownPerSecond: percentile(alone, 0.5),
      ratio: percentile(
        alone.map((each, round) => each / (together[round] ?? 0)),
        0.5,
      ),
    };
  } finally {
    await own.stop();
    await shared.stop();
    await store.stop();
  }
}

async function createWorkspace(server: ServerChild): Promise<void> {
  await fetch(`${server.restUrl}/workspaces`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ workspace: { name: WORKSPACE } }),
  });
}

const tileUrl = ({ origin }: ServerChild, column: number, row: number) =>
  `${origin}/geoserver/gwc/service/wmts/rest/${WORKSPACE}:${LAYER}/EPSG:900913/7/${40 + row}/${64 + column}?format=image/png`;

async function fetchTile(server: ServerChild, column: number, row: number): Promise<void> {
  const reply = await fetch(tileUrl(server, column, row));
  if (!reply.ok) throw new Error(`The tile was answered with ${reply.status}: ${await reply.text()}`);
  await reply.arrayBuffer();
}

/** Returns the milliseconds for each tile. */
async function readTiles(server: ServerChild): Promise<number> {
  const startedAt = performance.now();
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) await fetchTile(server, column, row);
  }
  return (performance.now() - startedAt) / (SIDE * SIDE);
}
