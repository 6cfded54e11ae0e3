/** Harvests that the server or the client interrupts are stored completely or not at all. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { granuleBytes } from '../support/tiff-bytes.ts';
import { type HttpClient, replyTo } from './http-client.ts';
import { seededRandom } from './seeded-random.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { DEADLINE_MS } from './within.ts';

const KILLS = Number(process.env['HARVEST_KILLS'] ?? 3);
const FILES = Number(process.env['HARVEST_FILES'] ?? 1_200);
const store = '/workspaces/acme/coveragestores/tiles';

/** A mosaic with one granule, and a folder with many more. */
async function prepare(server: StartedServer): Promise<void> {
  await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
  const folder = join(server.dataDir, 'data', 'many');
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < FILES; index += 1) {
    const bytes = granuleBytes({ left: index % 100, top: 40 - (index % 40), pixel: 0.25, epsg: 4326 });
    await writeFile(join(folder, `${String(index).padStart(5, '0')}.tif`), bytes);
  }
  const first = granuleBytes({ left: 0, top: 1, pixel: 0.25, epsg: 4326 });
  const made = await send(server.client, 'PUT', `${store}/file.imagemosaic?filename=first.tif`, first);
  expect(made).toBe(200);
}

async function send(client: HttpClient, method: string, path: string, body: Buffer): Promise<number> {
  const request = client.open(method, path, { 'content-type': 'image/tiff', 'content-length': String(body.length) });
  const reply = replyTo(request);
  request.end(body);
  return (await reply).status;
}

function beginHarvest(client: HttpClient) {
  const body = 'file:data/many';
  const request = client.open('POST', `${store}/external.imagemosaic`, {
    'content-type': 'text/plain',
    'content-length': String(body.length),
  });
  const reply = replyTo(request);
  reply.catch(() => undefined);
  request.end(body);
  return { request, reply };
}

async function countGranules(client: HttpClient): Promise<number> {
  const reply = await client.request('GET', `${store}/coverages/tiles/index/granules.json`);
  expect(reply.status).toBe(200);
  return [...reply.text.matchAll(/"location":/g)].length;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineAtMs = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadlineAtMs) throw new Error('It did not become so in time.');
  }
}

test(`a harvest survives ${KILLS} kills, and the next one works`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  const first = await startServer({ dataDir });
  await prepare(first);
  await first.stop();

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    const { reply } = beginHarvest(server.client);
    await new Promise((resolve) => setTimeout(resolve, random() * 600));
    await server.kill();
    await reply.catch(() => undefined);
    const again = await startServer({ dataDir });
    expect([1, FILES + 1]).toContain(await countGranules(again.client));
    await again.stop();
  }

  const last = await startServer({ dataDir });
  expect((await beginHarvest(last.client).reply).status).toBe(201);
  expect(await countGranules(last.client)).toBe(FILES + 1);
  expect((await last.stop()).code).toBe(0);
});

test('a client that disconnects stops its harvest, and none of it is stored', async () => {
  const server = await startServer();
  await prepare(server);
  const status = async () => (await server.request('GET', '/about/status/graticule-mosaics.json')).text;
  const { request } = beginHarvest(server.client);
  await until(async () => (await status()).includes('Harvesting acme:tiles'));

  request.destroy();

  await until(async () => (await status()).includes('No harvest is running'));
  // A harvest that finished before the client disconnected is stored completely.
  expect([1, FILES + 1]).toContain(await countGranules(server.client));
  expect((await beginHarvest(server.client).reply).status).toBe(201);
  expect(await countGranules(server.client)).toBe(FILES + 1);
});
