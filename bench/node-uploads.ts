/**
 * A large upload through one node, served by another, compared with a plain copy of the same bytes through the
 * database.
 */
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgisConnection } from '../test/support/services/postgis.ts';
import { createGeotiff } from '../test/support/tiff-bytes.ts';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

export interface NodeUpload {
  readonly megabytes: number;
  /** From the first uploaded byte on one node to the map drawn by the other. */
  readonly servedMs: number;
  /** The part of it until the upload was answered. */
  readonly uploadedMs: number;
  /** The same bytes into the database and from it into a file, durable both times. */
  readonly copiedMs: number;
}

const PIXELS = 10_240;
const ROUNDS = 3;
const PIECE_BYTES = 1024 * 1024;

/** In alternation; the median of each counts. Both nodes have a workspace `seed`. */
export async function measureNodeUpload(
  [one, other]: readonly [ServerChild, ServerChild],
  connection: PostgisConnection,
  folder: string,
): Promise<NodeUpload> {
  const [served, uploaded, copied]: [number[], number[], number[]] = [[], [], []];
  // Warm-up: both compile and load code with the first upload.
  await publish(one, 'small', createGeotiff(64, randomBytes(64 * 64)));
  for (const node of [one, other]) await draw(node, 'small', 64);
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = createGeotiff(PIXELS, randomBytes(PIXELS * PIXELS));
    copied.push(await copyThrough(connection, bytes, join(folder, `copied-${round}`)));
    const startedAt = performance.now();
    await publish(one, `large${round}`, bytes);
    uploaded.push(performance.now() - startedAt);
    await draw(other, `large${round}`, PIXELS);
    served.push(performance.now() - startedAt);
  }
  return {
    megabytes: (PIXELS * PIXELS) / 1e6,
    servedMs: percentile(served, 0.5),
    uploadedMs: percentile(uploaded, 0.5),
    copiedMs: percentile(copied, 0.5),
  };
}

async function publish(node: ServerChild, name: string, body: Buffer): Promise<void> {
  const reply = await fetch(`${node.restUrl}/workspaces/seed/coveragestores/${name}/file.geotiff`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'image/tiff' },
    body: new Uint8Array(body),
  });
  if (reply.status !== 201) throw new Error(`The upload was answered with ${reply.status}: ${await reply.text()}`);
}

/** A few pixels of its upper left corner. */
async function draw(node: ServerChild, name: string, pixels: number): Promise<void> {
  const side = Math.min(pixels, 64) * 10;
  const box = [500_000, 5_000_000 - side, 500_000 + side, 5_000_000].join(',');
  const query = `service=WMS&version=1.1.1&request=GetMap&srs=EPSG:32633&width=64&height=64&format=image/png&styles=`;
  const url = `${node.origin}/geoserver/wms?${query}&layers=seed:${name}&bbox=${box}`;
  const reply = await fetch(url, { headers: { authorization } });
  const text = reply.headers.get('content-type');
  if (reply.status !== 200 || text !== 'image/png') throw new Error(`No map was drawn: ${await reply.text()}`);
  await reply.arrayBuffer();
}

/** The minimal implementation: chunks into a table and out of it again. */
async function copyThrough(connection: PostgisConnection, bytes: Buffer, file: string): Promise<number> {
  const [writer, reader] = [new Client({ ...connection }), new Client({ ...connection })];
  await Promise.all([writer.connect(), reader.connect()]);
  await writer.query(
    `DROP TABLE IF EXISTS bare_pieces; CREATE TABLE bare_pieces (n integer PRIMARY KEY, bytes bytea NOT NULL);
     ALTER TABLE bare_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`,
  );
  const startedAt = performance.now();
  await writer.query('BEGIN');
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  for (let n = 0; n < count; n += 1) {
    await writer.query('INSERT INTO bare_pieces VALUES ($1, $2)', [
      n,
      bytes.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES),
    ]);
  }
  await writer.query('COMMIT');
  const handle = await open(file, 'w');
  for (let n = 0; n < count; n += 1) {
    const { rows } = await reader.query<{ bytes: Buffer }>('SELECT bytes FROM bare_pieces WHERE n = $1', [n]);
    await handle.writeFile(rows[0]?.bytes ?? '');
  }
  await handle.sync();
  const took = performance.now() - startedAt;
  await handle.close();
  await Promise.all([writer.end(), reader.end()]);
  return took;
}
