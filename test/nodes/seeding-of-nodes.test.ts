/** Seeding jobs on real nodes, any of which may be killed. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { asAdministrator, createNode, type RealNode } from '../support/real-nodes.ts';
import { polygonShapefile, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const SCHEMA = 'seeding_of_nodes';

/** The tiles of the job during which both nodes are killed; 100,000 in a long campaign. */
const SEEDED_TILES = Number(process.env['SEEDED_TILES'] ?? 300);

/** Tiles that are drawn together are stored one by one, so that a killed node draws an incomplete block again. */
const BLOCK_TILES = 16;
const THREADS = 2;

/** More tiles than a node can seed during a test. */
const ENDLESS = 20;

describeWithPostgis('seeding jobs on two nodes', (postgis) => {
  let nodes: readonly [RealNode, RealNode];
  beforeAll(async () => {
    const storage = postgresAddress(postgis, SCHEMA);
    nodes = [await createNode(storage), await createNode(storage)];
    for (const node of nodes) await node.start();
    const [one] = nodes;
    const made = await ask(one, 'POST', '/rest/workspaces', '{"workspace":{"name":"acme"}}');
    expect(made.status).toBe(201);
    const upload = await fetch(`${one.origin}/geoserver/rest/workspaces/acme/datastores/fields/file.shp`, {
      method: 'PUT',
      headers: { authorization: asAdministrator, 'content-type': 'application/zip' },
      body: new Uint8Array(zipOf({ fields: polygonShapefile() })),
    });
    expect(upload.status, await upload.text()).toBe(201);
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  function ask(node: RealNode, method: string, path: string, body?: string): Promise<Response> {
    return fetch(`${node.origin}/geoserver${path}`, {
      method,
      headers: {
        authorization: asAdministrator,
        'content-type': body?.startsWith('{') ? 'application/json' : 'text/xml',
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  async function seed(node: RealNode, zoomStop: number): Promise<void> {
    const seedRequest = { srs: { number: 900_913 }, zoomStart: 0, zoomStop, format: 'image/png', type: 'seed' };
    expect((await ask(node, 'POST', '/gwc/rest/seed/acme:fields.json', JSON.stringify({ seedRequest }))).status).toBe(
      200,
    );
  }

  /** Tiles done, total tiles, seconds left, id and state of each job. */
  async function jobsAt(node: RealNode): Promise<readonly (readonly number[])[]> {
    const reply = await ask(node, 'GET', '/gwc/rest/seed/acme:fields.json');
    return ((await reply.json()) as { 'long-array-array': number[][] })['long-array-array'];
  }

  const stop = (node: RealNode) => ask(node, 'POST', '/gwc/rest/seed/acme:fields', 'kill_all=all');

  async function isKept(node: RealNode, level: number): Promise<boolean> {
    const path = `/gwc/service/wmts/rest/acme:fields/EPSG:900913/${level}/0/0?format=image/png`;
    const reply = await ask(node, 'GET', path);
    await reply.arrayBuffer();
    return reply.headers.get('geowebcache-cache-result') === 'HIT';
  }

  /** The last report of each node that ever reported a job. */
  const tellers = async () =>
    (await postgis.query(`SELECT name FROM ${SCHEMA}.notes WHERE name LIKE 'tile jobs of %'`)).map(({ name }) => name);

  async function until(isSo: () => Promise<boolean>, everyMs = 20): Promise<void> {
    while (!(await isSo())) await delay(everyMs);
  }

  test('jobs fill the caches of both nodes, through either node', async () => {
    const [one, other] = nodes;

    await seed(one, 2);
    await until(async () => (await jobsAt(other)).length === 0);

    expect(await jobsAt(one)).toEqual([]);
    for (const node of nodes) expect([await isKept(node, 0), await isKept(node, 1)]).toEqual([true, true]);
    expect(await isKept(other, 5)).toBe(false);
  });

  test('jobs are listed on both nodes with their total progress, and can be stopped on either', async () => {
    const [one, other] = nodes;
    await seed(one, ENDLESS);
    await until(async () => (await tellers()).length === 2);

    const [atOne, atOther] = [await jobsAt(one), await jobsAt(other)];
    const stopped = await stop(other);

    expect([atOne.length, atOther.length]).toEqual([1, 1]);
    expect(atOne[0]?.[3]).toBe(atOther[0]?.[3]);
    expect(atOne[0]?.[1]).toBe(atOther[0]?.[1]);
    expect((atOne[0]?.[1] ?? 0) % 2).toBe(0);
    expect(stopped.status).toBe(200);
    expect([await jobsAt(one), await jobsAt(other)]).toEqual([[], []]);
    // The other node has released the job too.
    await until(async () => (await tellers()).length === 0);
  });

  test('jobs continue when the node that received the request is killed, and resume there after its restart', async () => {
    const [one, other] = nodes;
    await seed(one, ENDLESS);
    await until(async () => (await tellers()).length === 2);
    const before = await tellers();

    await one.kill();
    const doneAt = async () => (await jobsAt(other))[0]?.[0] ?? 0;
    const done = await doneAt();
    await until(async () => (await doneAt()) > done);
    await one.start();
    // The restarted node reports under a new name.
    await until(async () => (await tellers()).some((each) => !before.includes(each)));
    await stop(one);

    expect([await jobsAt(one), await jobsAt(other)]).toEqual([[], []]);
  });

  test('jobs create each tile once although each node is killed', { timeout: 3_600_000 }, async () => {
    const [one, other] = nodes;
    const level = 16;
    // Whole blocks.
    const side = 4 * Math.ceil(Math.sqrt(SEEDED_TILES / BLOCK_TILES));
    const meters = (2 * 20_037_508.34) / 2 ** level;
    const coords = { double: [1, 1, side * meters - 1, side * meters - 1].map(String) };
    const count = side * side;
    const seedRequest = {
      ...{ srs: { number: 900_913 }, bounds: { coords }, zoomStart: level, zoomStop: level },
      ...{ format: 'image/png', type: 'seed', threadCount: THREADS },
    };
    const sent = await ask(one, 'POST', '/gwc/rest/seed/acme:fields.json', JSON.stringify({ seedRequest }));
    expect(sent.status).toBe(200);

    /** A file that is written again has another inode. */
    const listTiles = async (node: RealNode) => {
      const folder = join(node.dataDir, 'tile-cache');
      const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      const tiles = new Map<string, number>();
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name);
        const isTile = path.includes(`/${level}/`) && /^\d+-\d+-/.test(name);
        const status = isTile ? await stat(path).catch(() => undefined) : undefined;
        if (status !== undefined) tiles.set(path, status.ino);
      }
      return tiles;
    };
    const killAfter = async (node: RealNode, tiles: number) => {
      await until(async () => (await listTiles(node)).size >= tiles, everyMs);
      const names = await postgis.query(`SELECT name FROM ${SCHEMA}.nodes WHERE name LIKE '%-${node.port}'`);
      await node.kill();
      const before = await listTiles(node);
      await node.start();
      // The job does not wait for killed nodes that have been silent for a long time.
      const former = names.map(({ name }) => `'${name}'`).join(', ');
      await postgis.query(`UPDATE ${SCHEMA}.nodes SET seen_at_ms = 0 WHERE name IN (${former})`);
      return before;
    };
    // Listing many files takes time from the nodes.
    const everyMs = Math.max(20, count / 50);
    const [beforeOne, beforeOther] = await Promise.all([killAfter(one, count * 0.2), killAfter(other, count * 0.5)]);
    await until(async () => (await jobsAt(one)).length === 0, everyMs);
    await Promise.all(nodes.map((node) => node.kill()));

    for (const [node, before] of [
      [one, beforeOne],
      [other, beforeOther],
    ] as const) {
      const after = await listTiles(node);
      const twice = [...before].filter(([path, inode]) => after.get(path) !== inode);
      if (SEEDED_TILES > 300) console.log(`${after.size} tiles, ${before.size} at the kill, ${twice.length} twice`);
      expect(before.size).toBeLessThan(count);
      expect(after.size).toBe(count);
      expect(twice.length).toBeLessThanOrEqual(THREADS * BLOCK_TILES);
    }
    await Promise.all(nodes.map((node) => node.start()));
    expect(await jobsAt(one)).toEqual([]);
  });

  test('jobs do not restore truncated tiles, even when all nodes are killed right after the reply', async () => {
    const [one, other] = nodes;
    for (const node of nodes) await isKept(node, 3);
    expect([await isKept(one, 3), await isKept(other, 3)]).toEqual([true, true]);

    expect((await ask(other, 'DELETE', '/gwc/rest/layers/acme:fields')).status).toBe(200);
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map((node) => node.start()));

    expect([await isKept(one, 3), await isKept(other, 3)]).toEqual([false, false]);
    expect([await isKept(one, 3), await isKept(other, 3)]).toEqual([true, true]);
  });

  test('a single job is stopped on all nodes by its number', async () => {
    const [one, other] = nodes;
    for (const zoomStop of [ENDLESS, ENDLESS - 1]) await seed(one, zoomStop);
    const [first, second] = (await jobsAt(one)).map(([, , , id]) => id);

    expect((await ask(other, 'POST', '/gwc/rest/seed/acme:fields', `kill_thread=1&thread_id=${first}`)).status).toBe(
      200,
    );

    for (const node of nodes) expect((await jobsAt(node)).map(([, , , id]) => id)).toEqual([second]);
    await stop(one);
  });

  test('tiles of an area are truncated on all nodes, also when they are killed right after the reply', async () => {
    const [one, other] = nodes;
    for (const node of nodes) for (const level of [2, 3]) await isKept(node, level);
    const body =
      '<truncateExtent><layerName>acme:fields</layerName><gridSetId>EPSG:900913</gridSetId><bounds><coords><double>0</double><double>0</double><double>1</double><double>1</double></coords></bounds></truncateExtent>';

    // At level 3 the tile of the test is in another block of tiles.
    expect((await ask(one, 'POST', '/gwc/rest/masstruncate', body)).status).toBe(200);
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map((node) => node.start()));

    for (const node of [other, one]) expect([await isKept(node, 2), await isKept(node, 3)]).toEqual([false, true]);
  });

  test('the maximum size of the cache changes on all nodes', async () => {
    const [one, other] = nodes;
    const quota = (megabytes: number) =>
      `<gwcQuotaConfiguration><globalQuota><value>${megabytes}</value><units>MiB</units></globalQuota></gwcQuotaConfiguration>`;
    const limitAt = async (node: RealNode) => {
      const metrics = await (
        await fetch(`${node.origin}/metrics`, { headers: { authorization: asAdministrator } })
      ).text();
      return /tile_cache_limit_bytes\{tier="disk"\} (\d+)/.exec(metrics)?.[1];
    };

    expect((await ask(one, 'PUT', '/gwc/rest/diskquota', quota(7))).status).toBe(200);
    for (const node of nodes) await until(async () => (await limitAt(node)) === String(7 * 1_048_576));
    await other.kill();
    await other.start();
    expect(await limitAt(other)).toBe(String(7 * 1_048_576));
    expect(await (await ask(other, 'GET', '/gwc/rest/diskquota')).text()).toContain(`<bytes>${7 * 1_048_576}</bytes>`);
  });

  test('jobs end without a node that has left', async () => {
    const [one, other] = nodes;
    await seed(one, ENDLESS);
    await until(async () => (await tellers()).length >= 2);
    await stop(one);
    await one.kill();
    await seed(other, 4);
    // Simulates a node that has been silent for a long time.
    await postgis.query(`UPDATE ${SCHEMA}.nodes SET seen_at_ms = 0 WHERE name LIKE '%-${one.port}'`);

    await until(async () => (await jobsAt(other)).length === 0);

    expect(await isKept(other, 2)).toBe(true);
    await one.start();
    expect(await jobsAt(one)).toEqual([]);
  });
});
