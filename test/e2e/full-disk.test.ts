/** A disk that becomes full: no acknowledged write is lost, reads continue, and writes resume once space is free. */
import { randomBytes } from 'node:crypto';
import { access, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findErrorCode } from '../../src/lib/problems/error-code.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { pointShapefile, snapshot, zipOf } from '../support/vector-samples.ts';
import { createClient, type Reply, replyTo } from './http-client.ts';
import { inspectStorage, replayedHistory } from './replay.ts';
import { describeWithSmallDisks, smallDisk } from './small-disk.ts';
import { ADMIN_PASSWORD, type StartedServer, startServer } from './started-server.ts';

/** Large enough for a first start, small enough to fill within seconds. */
const DISK_MEGABYTES = 12;
const BALLAST_BYTES = 3 * 1024 * 1024;
/** Space for some small changes and for nothing large. */
const CRUMB_BYTES = 100 * 1024;

const expectedLog = [/"msg":"the disk, the database or the object store failed"/];

/** Each style has different content of this size, because identical content needs no space. */
const STYLE_BYTES = 200_000;

const zip = zipOf({ places: pointShapefile(20_000) });

function createWorkspace(server: StartedServer, name: string): Promise<Reply> {
  return server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name } }) });
}

function createStyle(server: StartedServer, name: string, bytes = STYLE_BYTES): Promise<Reply> {
  const comment = `${name} `.repeat(bytes / (name.length + 1));
  return send(server, 'POST', `/styles?name=${name}`, {
    type: 'application/vnd.graticule.geocss+css',
    bytes: Buffer.from(`/* ${comment} */ * { stroke: navy; }`),
  });
}

function uploadShapefile(server: StartedServer, store: string): Promise<Reply> {
  const path = `/workspaces/home/datastores/${store}/file.shp`;
  return send(server, 'PUT', path, { type: 'application/zip', bytes: zip });
}

function send(
  server: StartedServer,
  method: string,
  path: string,
  { type, bytes }: { readonly type: string; readonly bytes: Buffer },
): Promise<Reply> {
  const headers = { 'content-type': type, 'content-length': String(bytes.length) };
  const request = server.client.open(method, path, headers);
  const reply = replyTo(request);
  request.end(bytes);
  return reply;
}

/** Repeats the operation with new names until the disk is full; returns the acknowledged names and the failed one. */
async function untilFull(
  prefix: string,
  attempt: (name: string) => Promise<Reply>,
): Promise<{ readonly kept: readonly string[]; readonly refused: string }> {
  const kept: string[] = [];
  for (;;) {
    const name = `${prefix}${kept.length}`;
    const reply = await attempt(name);
    if (reply.status === 507) {
      expect(reply.text).toContain('The disk of the server is full');
      return { kept, refused: name };
    }
    expect(reply.status, reply.text).toBe(201);
    kept.push(name);
  }
}

/** Fills the disk except for this number of bytes, so that the next write fails. */
async function fill(folder: string, file: string, leftBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, file), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
}

async function statusOf(server: StartedServer, path: string): Promise<number> {
  return (await server.request('GET', path)).status;
}

describeWithSmallDisks('a full disk', () => {
  test('rejects changes with 507, keeps acknowledged changes, and accepts changes again once space is free', async () => {
    const disk = smallDisk(DISK_MEGABYTES);
    const dataDir = join(disk, 'data');
    const ballast = join(disk, 'ballast');
    const crumb = join(disk, 'crumb');
    await writeFile(ballast, Buffer.alloc(BALLAST_BYTES));
    await writeFile(crumb, Buffer.alloc(CRUMB_BYTES));
    const server = await startServer({ dataDir, expectedLog });
    expect((await createWorkspace(server, 'home')).status).toBe(201);

    const stores = await untilFull('store', (name) => uploadShapefile(server, name));
    const staged = await readdir(join(dataDir, 'staging'));
    const styles = await untilFull('style', (name) => createStyle(server, name));
    await rm(crumb);
    const workspaces = await untilFull('w', (name) => createWorkspace(server, name));

    expect(staged).toEqual([]);
    expect([stores, styles, workspaces].map(({ kept }) => kept.length > 0)).toEqual([true, true, true]);
    async function expectState(of: StartedServer): Promise<void> {
      const paths = ({ kept, refused }: typeof stores, path: (name: string) => string) => [
        ...kept.map((name) => [path(name), 200] as const),
        [path(refused), 404] as const,
      ];
      const expected = [
        ...paths(stores, (name) => `/workspaces/home/datastores/${name}.json`),
        ...paths(stores, (name) => `/workspaces/home/datastores/${name}/featuretypes.json`),
        ...paths(styles, (name) => `/styles/${name}.json`),
        ...paths(styles, (name) => `/styles/${name}.css`),
        ...paths(workspaces, (name) => `/workspaces/${name}.json`),
      ];
      const found: (readonly [string, number])[] = [];
      for (const [path] of expected) found.push([path, await statusOf(of, path)]);
      expect(found).toEqual(expected);
    }
    await expectState(server);
    expect(await statusOf(server, '/readyz')).toBe(200);
    expect(await readdir(join(dataDir, 'staging'))).toEqual([]);

    await rm(ballast);
    await expectState(server);
    for (const attempt of [
      () => createWorkspace(server, 'roomy'),
      () => createStyle(server, 'roomy'),
      () => uploadShapefile(server, 'roomy'),
    ]) {
      expect((await attempt()).status).toBe(201);
    }

    expect((await server.stop()).code).toBe(0);
    await inspectStorage(dataDir, async (storage) => {
      expect(await storage.findIntegrityProblems()).toEqual([]);
      await replayedHistory(storage);
    });
    await expectState(await startServer({ dataDir, expectedLog }));
  });

  test('stops on a full disk, and the next start finds all data', async () => {
    const disk = smallDisk(DISK_MEGABYTES);
    const dataDir = join(disk, 'data');
    const server = await startServer({ dataDir, expectedLog });
    await fill(disk, 'ballast', 100_000);
    const { kept, refused } = await untilFull('w', (name) => createWorkspace(server, name));
    const files = await snapshot(dataDir);

    expect((await server.stop()).code).toBe(0);
    await rm(join(disk, 'ballast'));
    const again = await startServer({ dataDir });

    for (const name of kept) expect(await statusOf(again, `/workspaces/${name}`)).toBe(200);
    expect(await statusOf(again, `/workspaces/${refused}`)).toBe(404);
    expect(await snapshot(dataDir)).toEqual(files);
    expect((await createWorkspace(again, refused)).status).toBe(201);
  });

  /**
   * A server with a workspace and a raster of a megabyte, on a disk that is then filled except for the deletion
   * reserve.
   */
  async function fullServer(): Promise<{ readonly disk: string; readonly server: StartedServer }> {
    const disk = smallDisk(24);
    const server = await startServer({ dataDir: join(disk, 'data'), expectedLog });
    expect((await createWorkspace(server, 'home')).status).toBe(201);
    expect((await uploadRaster(server, 'photo')).status).toBe(201);
    expect((await createStyle(server, 'plan')).status).toBe(201);
    await reserveIn(join(disk, 'data'), 24);
    await fill(disk, 'ballast', 0);
    expect((await createWorkspace(server, 'refused')).status).toBe(507);
    return { disk, server };
  }

  test('frees space by deletions on a full disk, and accepts no other writes until space is free', async () => {
    const { disk, server } = await fullServer();

    const diagnosis = await server.request('GET', '/doctor');
    expect(diagnosis.text).toContain('"code":"disk-nearly-full"');
    expect((await server.request('GET', '/metrics')).text).toContain('graticule_disk_free_bytes{root="data"} 0\n');
    expect((await server.request('DELETE', '/styles/plan?purge=true')).status).toBe(200);
    expect((await createWorkspace(server, 'refused')).status).toBe(507);
    expect((await truncateTiles(server, 'home:photo')).status).toBe(200);
    const purged = await server.request('DELETE', '/workspaces/home/coveragestores/photo?recurse=true&purge=all');

    expect([purged.status, purged.text]).toEqual([200, '']);
    // The raster, the style, and the reserve for deletions.
    expect(await freeBytes(disk)).toBeGreaterThan(1_200_000);
    await rm(join(disk, 'ballast'));
    expect((await createWorkspace(server, 'welcome')).status).toBe(201);
    expect(await isThere(join(disk, 'data', 'disk.reserve'))).toBe(true);
    expect((await server.stop()).code).toBe(0);
  });

  test('starts on a full disk, and frees space by deletions', async () => {
    const { disk, server } = await fullServer();
    await server.kill();
    await rm(join(disk, 'data', 'graticule.sqlite-shm'));
    await fill(disk, 'more ballast', 0);

    const again = await startServer({ dataDir: join(disk, 'data'), expectedLog });

    expect((await createWorkspace(again, 'refused')).status).toBe(507);
    const purged = await again.request('DELETE', '/workspaces/home/coveragestores/photo?recurse=true&purge=all');
    expect([purged.status, purged.text]).toEqual([200, '']);
    expect(await freeBytes(disk)).toBeGreaterThan(1_000_000);
  });

  test('keeps the deletion reserve at a start that does not need it', async () => {
    const { disk, server } = await fullServer();
    expect((await server.stop()).code).toBe(0);

    const again = await startServer({ dataDir: join(disk, 'data'), expectedLog });
    await fill(disk, 'more ballast', 0);

    expect(await isThere(join(disk, 'data', 'disk.reserve'))).toBe(true);
    const deleted = await again.request('DELETE', '/workspaces/home?recurse=true');
    expect([deleted.status, deleted.text]).toEqual([200, '']);
  });

  test('reports 507 for an export and a backup that threads write to the disk first', async () => {
    const disk = smallDisk(24);
    const server = await startServer({ dataDir: join(disk, 'data'), expectedLog });
    expect((await createWorkspace(server, 'home')).status).toBe(201);
    expect((await uploadShapefile(server, 'places')).status).toBe(201);
    await reserveIn(join(disk, 'data'), 24);
    await fill(disk, 'ballast', 0);
    const layers = (await server.request('GET', '/layers.json')).json() as { layers: { layer: { name: string }[] } };
    const [layer] = layers.layers.layer;
    const query = `service=WFS&version=2.0.0&request=GetFeature&outputFormat=SHAPE-ZIP&typeNames=${layer?.name}`;

    const reply = await fetch(`${server.url.replace(/rest$/, 'wfs')}?${query}`);
    await rm(join(disk, 'ballast'));
    // Too little for a copy of the catalog.
    await fill(disk, 'ballast', CRUMB_BYTES / 2);
    const backup = await server.request('GET', '/backup');

    expect([reply.status, await reply.text()]).toEqual([507, expect.stringContaining('full')]);
    expect([backup.status, backup.text]).toEqual([507, expect.stringContaining('full')]);
    expect(await readdir(join(disk, 'data', 'staging'))).toEqual([]);
  });

  test('stores no part of an upload that fails for lack of space', async () => {
    const disk = smallDisk(32);
    const dataDir = join(disk, 'data');
    const server = await startServer({ dataDir, expectedLog });
    expect((await createWorkspace(server, 'home')).status).toBe(201);
    await reserveIn(dataDir, 32);
    const granules = (count: number) =>
      zipOfFiles(
        Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`g${n}.tif`, createGeotiff(500, randomBytes(250_000))]),
        ),
      );
    expect((await upload(server, 'coveragestores/mosaic/file.imagemosaic', granules(1))).status).toBe(200);
    let names = 0;
    const nextName = () => {
      names += 1;
      return names;
    };
    const uploads: Readonly<Record<string, () => Promise<Reply>>> = {
      'a raster': () => uploadRaster(server, 'photo'),
      'a shapefile': () => uploadShapefile(server, 'places'),
      'a mosaic': () => upload(server, 'coveragestores/another/file.imagemosaic', granules(4)),
      'granules of a mosaic': () => upload(server, 'coveragestores/mosaic/file.imagemosaic', granules(4), 'POST'),
      'a style': () => createStyle(server, `plan${nextName()}`, 1_000_000),
      'a file below data': () =>
        send(server, 'PUT', '/resource/data/notes.txt', { type: 'text/plain', bytes: randomBytes(1_000_000) }),
      'styles of a batch': () => server.request('POST', '/batch', { body: batchOfStyles(20, `batch${nextName()}`) }),
    };
    const refused = new Map<string, readonly number[]>();
    for (const [what, attempt] of Object.entries(uploads)) {
      for (const leftBytes of [20_000, 300_000, 900_000, 1_050_000]) {
        await fill(disk, 'ballast', leftBytes);
        const before = await storedFiles(dataDir);
        const reply = await attempt();
        if (reply.status === 507) {
          refused.set(what, [...(refused.get(what) ?? []), leftBytes]);
          // Staged files can be deleted after the response.
          await expect
            .poll(async () => [what, leftBytes, await storedFiles(dataDir)])
            .toEqual([what, leftBytes, before]);
        } else {
          expect([what, reply.status, reply.text]).toEqual([what, expect.toBeOneOf([200, 201, 202]), reply.text]);
        }
        await rm(join(disk, 'ballast'));
      }
    }
    expect([...refused.keys()]).toEqual(Object.keys(uploads));
  });
});

/** All files except the databases, whose sizes do not reflect their contents. */
async function storedFiles(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    // The server deleted a folder of staging meanwhile.
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (entries === undefined) return storedFiles(dataDir);
  return entries
    .filter((entry) => entry.isFile() && !/sqlite|server\.lock/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

async function freeBytes(disk: string): Promise<number> {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
}

/** Waits until the server has reserved space for deletions. */
async function reserveIn(dataDir: string, diskMegabytes: number): Promise<void> {
  const bytes = () =>
    stat(join(dataDir, 'disk.reserve')).then(
      ({ size }) => size,
      () => 0,
    );
  await expect.poll(bytes).toBe((diskMegabytes * 1_048_576) / 16);
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function uploadRaster(server: StartedServer, store: string): Promise<Reply> {
  return send(server, 'PUT', `/workspaces/home/coveragestores/${store}/file.geotiff`, {
    type: 'image/tiff',
    bytes: createGeotiff(1_000, randomBytes(1_000_000)),
  });
}

function truncateTiles(server: StartedServer, layer: string): Promise<Reply> {
  const tiles = createClient(server.url.replace(/rest$/, 'gwc/rest'), { credentials: `admin:${ADMIN_PASSWORD}` });
  onTestFinished(() => tiles.close());
  return tiles.request('POST', '/masstruncate', {
    body: `<truncateLayer><layerName>${layer}</layerName></truncateLayer>`,
    headers: { 'content-type': 'text/xml' },
  });
}

function upload(server: StartedServer, path: string, bytes: Buffer, method = 'PUT'): Promise<Reply> {
  return send(server, method, `/workspaces/home/${path}`, { type: 'application/zip', bytes });
}

function batchOfStyles(count: number, name: string): string {
  const operations = Array.from({ length: count }, (_, n) => ({
    method: 'POST',
    path: `/styles?name=${name}-${n}`,
    contentType: 'application/vnd.graticule.geocss+css',
    content: `/* ${randomBytes(20_000).toString('hex')} */ * { stroke: navy; }`,
  }));
  return JSON.stringify({ operations });
}
