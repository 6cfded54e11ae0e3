/** A disk that runs full under a server: nothing that was answered is lost, reads go on, and room is all it needs. */
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pointShapefile, snapshot, zipOf } from '../support/vector-samples.ts';
import { type Reply, replyTo } from './http-client.ts';
import { inspectStorage, replayedHistory } from './replay.ts';
import { describeWithSmallDisks, smallDisk } from './small-disk.ts';
import { type StartedServer, startServer } from './started-server.ts';

/** Large enough for a first start, small enough to be filled within seconds. */
const DISK_MEGABYTES = 12;
const BALLAST_BYTES = 3 * 1024 * 1024;
/** Room for some small changes and for nothing large. */
const CRUMB_BYTES = 100 * 1024;

const expectedLog = [/"msg":"the disk or the database failed"/];

/** Each a different style of this size: bytes that are known already need no room. */
const STYLE_BYTES = 200_000;

const zip = zipOf({ places: pointShapefile(20_000) });

function createWorkspace(server: StartedServer, name: string): Promise<Reply> {
  return server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name } }) });
}

function createStyle(server: StartedServer, name: string): Promise<Reply> {
  const comment = `${name} `.repeat(STYLE_BYTES / (name.length + 1));
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

/** Does it under new names until it fails for want of room; gives the names that were acknowledged, and the one that was not. */
async function untilFull(
  prefix: string,
  attempt: (name: string) => Promise<Reply>,
): Promise<{ readonly kept: readonly string[]; readonly refused: string }> {
  const kept: string[] = [];
  for (;;) {
    const name = `${prefix}${kept.length}`;
    const reply = await attempt(name);
    if (reply.status === 507) {
      expect(reply.text).toContain('no room left on the disk');
      return { kept, refused: name };
    }
    expect(reply.status, reply.text).toBe(201);
    kept.push(name);
  }
}

/** Takes all room but some bytes, so that what comes next does not fit. */
async function fill(folder: string, file: string, leftBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, file), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
}

async function statusOf(server: StartedServer, path: string): Promise<number> {
  return (await server.request('GET', path)).status;
}

describeWithSmallDisks('a full disk', () => {
  test('refuses changes with 507, keeps what was answered, and takes changes again when there is room', async () => {
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
      expect(await storage.integrityProblems()).toEqual([]);
      await replayedHistory(storage);
    });
    await expectState(await startServer({ dataDir, expectedLog }));
  });

  test('is no obstacle to stopping, and the next start finds everything', async () => {
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
});
