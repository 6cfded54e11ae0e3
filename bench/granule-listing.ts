/** Lists very many granules: the memory of the server while it writes them, compared with a short list. */
import { join } from 'node:path';
import { coverageStoreKind } from '../src/catalog/kinds/coverage-store.ts';
import { ROLE_ADMINISTRATOR } from '../src/lib/identity/principal.ts';
import { openEmbeddedGranules } from '../src/raster/granules/embedded/embedded-granules.ts';
import { createRectangle } from '../src/raster/granules/port/footprint.ts';
import type { GranuleDraft } from '../src/raster/granules/port/port.ts';
import { openCatalog } from '../src/records/catalog.ts';
import { workspaceKind } from '../src/records/workspace.ts';
import { DATABASE_FILE, GRANULES_FILE } from '../src/server/settings/data-directory.ts';
import { recordKinds } from '../src/server/storage/record-kinds.ts';
import { openSqliteStorage } from '../src/storage/sqlite/open.ts';
import { createWorkerPool } from '../src/workers/pool.ts';
import { geotiffBytes } from '../test/support/tiff-bytes.ts';
import { authorization, type ServerChild, startServerChild } from './server-child.ts';

const BATCH = 2_000;
const path = '/workspaces/bench/coveragestores/listed';

export interface ListingFigures {
  readonly format: 'xml' | 'json';
  readonly granules: number;
  readonly seconds: number;
  readonly peakRssMb: number;
  /** While a tenth of them is listed. */
  readonly shortPeakRssMb: number;
}

export async function measureGranuleListing(dataDir: string, count: number): Promise<readonly ListingFigures[]> {
  await withServer(dataDir, async (server) => {
    await send(server, 'POST', '/workspaces', 'application/json', Buffer.from('{"workspace":{"name":"bench"}}'));
    await send(server, 'PUT', `${path}/file.imagemosaic?filename=first.tif`, 'image/tiff', geotiffBytes(4, 4));
  });
  await fill(dataDir, count);
  return withServer(dataDir, async (server) => {
    const figures: ListingFigures[] = [];
    for (const format of ['xml', 'json'] as const) {
      const short = await list(server, format, count / 10);
      const whole = await list(server, format, count);
      figures.push({ format, granules: count, ...whole, shortPeakRssMb: short.peakRssMb });
    }
    return figures;
  });
}

async function withServer<T>(dataDir: string, work: (server: ServerChild) => Promise<T>): Promise<T> {
  const server = await startServerChild(dataDir);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function send(server: ServerChild, method: string, to: string, type: string, body: Buffer): Promise<void> {
  const headers = { authorization, 'content-type': type };
  const reply = await fetch(`${server.restUrl}${to}`, { method, headers, body: new Uint8Array(body) });
  if (!reply.ok) throw new Error(await reply.text());
}

async function list(server: ServerChild, format: 'xml' | 'json', limit: number) {
  await server.forgetPeak();
  const beganAt = performance.now();
  const url = `${server.restUrl}${path}/coverages/listed/index/granules.${format}?limit=${limit}`;
  const reply = await fetch(url, { headers: { authorization } });
  if (!reply.ok || reply.body === null) throw new Error(await reply.text());
  let bytes = 0;
  for await (const part of reply.body) bytes += (part as Uint8Array).length;
  if (bytes < limit * 100) throw new Error(`${bytes} bytes are too few for ${limit} granules`);
  return { seconds: (performance.now() - beganAt) / 1_000, peakRssMb: await server.peakRssMb() };
}

/** Writes directly to the index and to the record that names its version: harvesting a million files takes too long. */
async function fill(dataDir: string, count: number): Promise<void> {
  const pool = createWorkerPool({
    maxThreads: 1,
    maxWaiting: 10,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 512,
    idleMs: 60_000,
  });
  const storage = await openSqliteStorage({
    file: join(dataDir, DATABASE_FILE),
    clock: Date.now,
    kinds: recordKinds,
  });
  const catalog = openCatalog(storage);
  const workspace = await catalog.find(workspaceKind, null, 'bench');
  const store = await catalog.find(coverageStoreKind, workspace?.id ?? '', 'listed');
  const schema = store?.mosaic?.coverages[0]?.schema;
  if (store?.mosaic == null || schema === undefined) throw new Error('The mosaic to be filled is not there');
  const { mosaic } = store;
  const index = openEmbeddedGranules(join(dataDir, GRANULES_FILE), pool, Date.now).openMosaic(mosaic.index.key);
  const session = await index.startWriting(async () => mosaic.indexVersion, new AbortController().signal);
  for (let at = 0; at < count; at += BATCH) {
    await session.add(
      schema,
      Array.from({ length: BATCH }, (_, number) => draft(at + number)),
    );
  }
  await session.commit();
  const principal = { name: 'bench', roles: new Set([ROLE_ADMINISTRATOR]) };
  await catalog.change(principal, 'fill the mosaic', (transaction) =>
    transaction.update(coverageStoreKind, { ...store, mosaic: { ...mosaic, indexVersion: session.version } }),
  );
  await session.end();
  await pool.close();
  await storage.close();
}

function draft(number: number): GranuleDraft {
  const [minX, minY] = [(number % 36_000) / 100 - 180, ((number / 36_000) % 170) - 85];
  return {
    location: `tiles/${String(number).padStart(7, '0')}.tif`,
    imageindex: 0,
    footprint: createRectangle({ minX, minY, maxX: minX + 0.5, maxY: minY + 0.5 }),
    values: {},
  };
}
