/** A large upload to a node with an object store, compared with an upload of the same file by the bare client. */
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk } from '../src/storage/blobs/disk.ts';
import { type ObjectStoreLocation, parseObjectStoreLocation } from '../src/storage/objects/location.ts';
import { S3Store } from '../src/storage/objects/s3-store.ts';
import type { PostgisConnection } from '../test/support/services/postgis.ts';
import { createGeotiff } from '../test/support/tiff-bytes.ts';
import { nodeEnvironment } from './nodes.ts';
import { startStoreChild, storeCredentials, storeVariables } from './object-store-child.ts';
import { percentile } from './percentile.ts';
import { authorization, startServerChild } from './server-child.ts';

export interface ObjectUpload {
  readonly megabytes: number;
  readonly uploadedMs: number;
  /** The same file from the disk to the same store, without a server. */
  readonly bareMs: number;
  /** The processor time of the server for one upload. */
  readonly processorMs: number;
  readonly peakMb: number;
  readonly idleMb: number;
}

const ROUNDS = 3;
const PIECE_BYTES = 16_777_216;

/** In alternation; the median of each counts. */
export async function measureObjectUpload(
  connection: PostgisConnection,
  folder: string,
  pixels: number,
): Promise<ObjectUpload> {
  const file = join(folder, 'large.tif');
  const store = await startStoreChild(join(folder, 'objects'));
  const environment = {
    ...nodeEnvironment(connection, 'objects'),
    ...storeVariables,
    GRATICULE_BLOBS: store.addressOf('files'),
  };
  const node = await startServerChild(join(folder, 'node'), environment);
  const bare = new S3Store({
    location: parseObjectStoreLocation(store.addressOf('bare')) as ObjectStoreLocation,
    credentials: storeCredentials,
  });
  try {
    await send(`${node.restUrl}/workspaces`, 'POST', 'application/json', '{"workspace":{"name":"seed"}}');
    const [uploaded, direct, processor]: [number[], number[], number[]] = [[], [], []];
    const idleMb = await node.rssMb();
    let peakMb = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = await writeTiff(file, pixels);
      const { hash } = await realDisk.hashFile(file);
      direct.push(await measure(() => bare.put(`${round}`, { kind: 'file', file, bytes, hash })));
      await node.forgetPeak();
      const path = `${node.restUrl}/workspaces/seed/coveragestores/large${round}/file.geotiff`;
      const body = await openAsBlob(file);
      const before = await node.processorMs();
      uploaded.push(await measure(() => send(path, 'PUT', 'image/tiff', body)));
      processor.push((await node.processorMs()) - before);
      peakMb = Math.max(peakMb, await node.peakRssMb());
    }
    const [uploadedMs, bareMs] = [percentile(uploaded, 0.5), percentile(direct, 0.5)];
    const processorMs = percentile(processor, 0.5);
    return { megabytes: (pixels * pixels) / 1e6, uploadedMs, bareMs, processorMs, peakMb, idleMb };
  } finally {
    bare.close();
    await node.stop();
    await store.stop();
  }
}

async function measure(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function send(url: string, method: string, type: string, body: string | Blob): Promise<void> {
  const reply = await fetch(url, { method, headers: { authorization, 'content-type': type }, body });
  const text = await reply.text();
  if (reply.status !== 201) throw new Error(`The request was answered with ${reply.status}: ${text}`);
}

/** A new image of noise, written in pieces. Returns its size. */
async function writeTiff(file: string, pixels: number): Promise<number> {
  const { header, samples } = splitTiff(pixels);
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(header);
    for (let left = samples; left > 0; left -= PIECE_BYTES) {
      await handle.writeFile(randomBytes(Math.min(left, PIECE_BYTES)));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return header.length + samples;
}

/** The samples are at the end of the file. */
function splitTiff(pixels: number): { readonly header: Buffer; readonly samples: number } {
  const whole = createGeotiff(pixels, Buffer.alloc(pixels * pixels));
  const header = Buffer.from(whole.subarray(0, whole.length - pixels * pixels));
  return { header, samples: pixels * pixels };
}
