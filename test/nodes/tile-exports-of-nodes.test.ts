/** Tile exports on three real nodes, of which the one that draws is killed. */
import { setTimeout as delay } from 'node:timers/promises';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BytesSource } from '../support/archive-bytes.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { asAdministrator, createNode, type RealNode } from '../support/real-nodes.ts';
import { polygonShapefile, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const SCHEMA = 'tile_exports_of_nodes';

/** More tiles than a node can draw during a test. */
const ENDLESS = { layer: 'acme:fields', zoomStop: 10, bounds: [-180, -85, 180, 85] };

interface Export {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly tilesDone: number;
  readonly bytes: number;
}

describeWithPostgis('tile exports on three nodes', (postgis) => {
  let nodes: readonly [RealNode, RealNode, RealNode];
  beforeAll(async () => {
    const storage = postgresAddress(postgis, SCHEMA);
    nodes = [await createNode(storage), await createNode(storage), await createNode(storage)];
    for (const node of nodes) await node.start();
    const [one] = nodes;
    expect((await ask(one, 'POST', '/workspaces', { workspace: { name: 'acme' } })).status).toBe(201);
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

  function ask(node: RealNode, method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${node.origin}/geoserver/rest${path}`, {
      method,
      headers: {
        authorization: asAdministrator,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function start(node: RealNode, tileExport: object): Promise<Export> {
    const reply = await ask(node, 'POST', '/tileexports', { tileExport });
    const text = await reply.text();
    expect(reply.status, text).toBe(202);
    return (JSON.parse(text) as { tileExport: Export }).tileExport;
  }

  async function read(node: RealNode, { id }: Pick<Export, 'id'>): Promise<Export> {
    const reply = await ask(node, 'GET', `/tileexports/${id}`);
    return ((await reply.json()) as { tileExport: Export }).tileExport;
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await delay(50);
  }

  const isRunning = (node: RealNode, job: Export) => async () => (await read(node, job)).tilesDone > 0;

  /** Returns the node that draws an export. */
  async function findDrawingNode({ id }: Export): Promise<RealNode> {
    const [row] = await postgis.query(
      `SELECT n.name FROM ${SCHEMA}.claims c JOIN ${SCHEMA}.nodes n ON starts_with(c.node, n.id) WHERE c.what = 'tile export ${id}'`,
    );
    const found = nodes.find(({ port }) => String(row?.['name']).endsWith(`-${port}`));
    if (found === undefined) throw new Error(`No node draws the export: ${JSON.stringify(row)}`);
    return found;
  }

  test('an export that one node has received is read and downloaded from every node, and deleted on all', async () => {
    const [one, two, three] = nodes;
    const job = await start(one, { layer: 'acme:fields', zoomStop: 3, format: 'mvt' });
    await until(async () => (await read(two, job)).state === 'finished');
    const files = await Promise.all(
      nodes.map(async (node) =>
        Buffer.from(await (await ask(node, 'GET', `/tileexports/${job.id}/file`)).arrayBuffer()),
      ),
    );
    const deleted = await ask(three, 'DELETE', `/tileexports/${job.id}`);
    const after = await Promise.all(nodes.map((node) => ask(node, 'GET', `/tileexports/${job.id}/file`)));

    for (const file of files) {
      expect(file.equals(files[0] ?? Buffer.alloc(0))).toBe(true);
      expect(await new PMTiles(new BytesSource(file)).getHeader()).toMatchObject({ tileType: 1, maxZoom: 3 });
    }
    expect([deleted.status, ...after.map(({ status }) => status)]).toEqual([200, 404, 404, 404]);
  });

  test('an export is cancelled on another node than the one that draws it', async () => {
    const job = await start(nodes[0], ENDLESS);
    await until(isRunning(nodes[1], job));
    const drawing = await findDrawingNode(job);
    const other = nodes.find((node) => node !== drawing) ?? drawing;

    expect((await ask(other, 'POST', `/tileexports/${job.id}/cancel`)).status).toBe(200);
    // The node that drew it has released its claim.
    await until(async () => (await findDrawingNode(job).catch(() => undefined)) === undefined);

    for (const node of nodes) expect(await read(node, job)).toMatchObject({ state: 'cancelled' });
    await ask(other, 'DELETE', `/tileexports/${job.id}`);
  });

  test('another node takes over the export of a node that is killed', async () => {
    const job = await start(nodes[0], ENDLESS);
    await until(isRunning(nodes[0], job));
    const drawing = await findDrawingNode(job);
    const other = nodes.find((node) => node !== drawing) ?? drawing;

    await drawing.kill();
    await until(async () => (await read(other, job)).attempts === 2);
    const [second, now] = [await findDrawingNode(job), await read(other, job)];
    await drawing.start();
    const seen = await read(drawing, job);
    await ask(drawing, 'DELETE', `/tileexports/${job.id}`);

    expect(second).not.toBe(drawing);
    expect([now.state, seen.state]).toEqual(['running', 'running']);
  });

  test('an export continues on another node when its node stops, without counting as a failure', async () => {
    const job = await start(nodes[0], ENDLESS);
    await until(isRunning(nodes[0], job));
    const drawing = await findDrawingNode(job);
    const other = nodes.find((node) => node !== drawing) ?? drawing;

    await drawing.stop();
    await until(async () => (await findDrawingNode(job).catch(() => drawing)) !== drawing);
    await until(isRunning(other, job));

    expect(await read(other, job)).toMatchObject({ state: 'running', attempts: 1 });
    expect((await ask(other, 'DELETE', `/tileexports/${job.id}`)).status).toBe(200);
  });
});
