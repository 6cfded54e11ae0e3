/** kill -9 while rasters are uploaded and replaced: record and file match, and no upload is stored in part. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFiles } from '../../src/records/files/files.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { type HttpClient, replyTo } from './http-client.ts';
import { inspectStorage } from './replay.ts';
import { seededRandom } from './seeded-random.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const KILLS = Number(process.env['UPLOAD_KILLS'] ?? 4);
const MAX_WRITES_PER_ROUND = 6;
const store = '/workspaces/acme/coveragestores/relief';

test(`uploads of rasters survive ${KILLS} kills, each completely or not at all`, async () => {
  const random = seededRandom(Date.now());
  const dataDir = join(await temporaryFolder(), 'data');
  // Each upload is wider than the previous one.
  let width = 10;
  let acknowledged: number | undefined;
  let wanted: number | undefined;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    expect(await readdir(join(dataDir, 'staging'))).toEqual([]);
    await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
    const found = await widthOf(server.client);
    expect([acknowledged, wanted]).toContain(found);
    acknowledged = found;
    let left = Math.floor(random() * MAX_WRITES_PER_ROUND);
    let killed: Promise<void> | undefined;
    const afterMs = random() * 60;
    for (;;) {
      if (left <= 0) {
        killed ??= new Promise((resolve) => setTimeout(resolve, afterMs)).then(() => server.kill());
      }
      width += 1;
      wanted = width;
      const status = await upload(server.client, width).catch(() => undefined);
      if (status === undefined) break;
      expect([200, 201]).toContain(status);
      acknowledged = width;
      left -= 1;
    }
    await killed;
  }

  const last = await startServer({ dataDir });
  expect([acknowledged, wanted]).toContain(await widthOf(last.client));
  expect((await last.stop()).code).toBe(0);
  const files = openFiles({ root: dataDir });
  await inspectStorage(dataDir, async (storage) => {
    const acme = await storage.find('workspace', null, 'acme');
    for (const { body } of await storage.list('coverageStore', acme?.id ?? '')) {
      expect(await readdir(await files.openSet(String(body['fileSet'])))).not.toEqual([]);
    }
  });
});

/** Fails if the record does not match the file. */
async function widthOf(client: HttpClient): Promise<number | undefined> {
  const reported = await client.request('GET', `${store}/coverages/relief.json`);
  expect((await client.request('GET', `${store}.json`)).status).toBe(reported.status);
  if (reported.status === 404) return undefined;
  const headers = { 'content-type': 'application/json' };
  const path = `${store}/coverages/relief?calculate=nativebbox`;
  expect((await client.request('PUT', path, { headers, body: '{"coverage":{}}' })).status).toBe(200);
  const computed = await client.request('GET', `${store}/coverages/relief.json`);
  expect(gridIn(computed.text)).toEqual(gridIn(reported.text));
  return Number(/"high":"(\d+) /.exec(computed.text)?.[1]);
}

function gridIn(text: string): string | undefined {
  return /"grid":\{.*?\}\}/.exec(text)?.[0];
}

async function upload(client: HttpClient, width: number): Promise<number> {
  const body = geotiffBytes(width, 20);
  const headers = { 'content-type': 'image/tiff', 'content-length': String(body.length) };
  const request = client.open('PUT', `${store}/file.geotiff`, headers);
  const reply = replyTo(request);
  request.end(body);
  return (await reply).status;
}
