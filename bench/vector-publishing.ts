/**
 * Publishes a zipped shapefile over HTTP, compared with unpacking it and reading it with GDAL; and the memory of a very
 * large upload.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { findProgram } from '../test/support/find-program.ts';
import { writePolygonShapefile } from './polygon-shapefile.ts';
import { authorization, type ServerChild } from './server-child.ts';

const run = promisify(execFile);
const ROUNDS = 5;
const LARGE_ROUNDS = 3;

export interface PublishingCost {
  readonly publishMs: number;
  readonly unzipAndOgrinfoMs: number;
}

export async function measurePublishing(server: ServerChild, directory: string): Promise<PublishingCost> {
  await createWorkspace(server, 'publishing');
  const publish: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // A different file each time: stored bytes would not be written again.
    const archive = await zippedPolygons(directory, 100_000 + round);
    publish.push(await timed(() => upload(server, `publishing/datastores/store-${round}`, archive)));
    others.push(await timed(() => unzipAndAsk(archive, directory)));
  }
  return { publishMs: Math.min(...publish), unzipAndOgrinfoMs: Math.min(...others) };
}

export interface LargeUpload {
  readonly peakRssMb: number;
  readonly sizeMb: number;
  readonly ms: number;
  /** Unpacks the same archive; undefined without `unzip`. */
  readonly unzipMs: number | undefined;
}

/** A ZIP of about a gigabyte: a small shapefile and a companion file of noise, stored uncompressed. */
export async function measureLargeUpload(server: ServerChild, directory: string): Promise<LargeUpload> {
  const path = await writePolygonShapefile(directory, 'large', 100);
  const archive = join(directory, 'large.zip');
  const zip = new ZipFile();
  for (const ending of ['.shp', '.shx', '.dbf']) {
    zip.addFile(path.replace(/\.shp$/, ending), `large${ending}`);
  }
  zip.addReadStream(Readable.from(noise(1_024)), 'large.sbn', { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  await createWorkspace(server, 'large');
  await server.forgetPeak();
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < LARGE_ROUNDS; round += 1) {
    // Otherwise each round would wait for pending disk writes of the previous one.
    await run('sync');
    ours.push(await timed(() => upload(server, `large/datastores/large-${round}`, archive)));
    await run('sync');
    if (findProgram(['unzip']) !== undefined) {
      theirs.push(await timed(() => unzip(archive, join(directory, `unzipped-${round}`))));
    }
  }
  const sizeMb = (await stat(archive)).size / 1_048_576;
  return {
    peakRssMb: await server.peakRssMb(),
    sizeMb,
    ms: Math.min(...ours),
    unzipMs: theirs.length === 0 ? undefined : Math.min(...theirs),
  };
}

async function zippedPolygons(directory: string, count: number): Promise<string> {
  const path = await writePolygonShapefile(directory, 'polygons', count);
  const archive = join(directory, 'polygons.zip');
  await rm(archive, { force: true });
  const files = ['.shp', '.shx', '.dbf', '.prj'].map((ending) => path.replace(/\.shp$/, ending));
  const zip = new ZipFile();
  for (const file of files) {
    if ((await stat(file).catch(() => undefined)) !== undefined) {
      zip.addBuffer(await readFile(file), file.slice(directory.length + 1));
    }
  }
  zip.end();
  await writeFile(archive, zip.outputStream);
  return archive;
}

/** Incompressible noise, in megabytes. */
function* noise(megabytes: number): Iterable<Buffer> {
  const block = Buffer.alloc(1_048_576);
  let state = 1;
  for (let index = 0; index < megabytes; index += 1) {
    for (let offset = 0; offset < block.length; offset += 4) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      block.writeUInt32LE(state, offset);
    }
    yield Buffer.from(block);
  }
}

async function unzip(archive: string, folder: string): Promise<void> {
  await run('unzip', ['-q', archive, '-d', folder]);
  await rm(folder, { recursive: true });
}

async function unzipAndAsk(archive: string, directory: string): Promise<void> {
  const folder = await mkdtemp(join(directory, 'unzipped-'));
  await run('unzip', ['-q', archive, '-d', folder]);
  await run('ogrinfo', ['-so', '-al', folder]);
  await rm(folder, { recursive: true });
}

async function createWorkspace(server: ServerChild, name: string): Promise<void> {
  await fetch(`${server.restUrl}/workspaces`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ workspace: { name } }),
  });
}

async function upload(server: ServerChild, store: string, archive: string): Promise<void> {
  const status = await new Promise<number>((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/zip' };
    const call = request(`${server.restUrl}/workspaces/${store}/file.shp`, { method: 'PUT', headers }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    call.once('error', reject);
    pipeline(createReadStream(archive), call).catch(reject);
  });
  if (status !== 201) {
    throw new Error(`Uploading ${archive} answered ${status}`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
