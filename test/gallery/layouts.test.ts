/**
 * Draws a map with every layout document below `layouts/` and compares it with the reviewed picture beside it. A comment
 * `gallery: env=who:Anna` in a document has further parameters of the request. `UPDATE_GALLERY=1 npx vitest run
 * test/gallery` rewrites the pictures; look at each before the commit.
 */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { askMap, publishSquares } from '../support/maps.ts';
import { useTestServer } from '../support/test-server.ts';

/** The tolerated difference of a channel, and the share of channels that may exceed it: processors round differently. */
const TOLERANCE = 8;
const MOST_BEYOND = 0.002;

const folder = new URL('layouts/', import.meta.url);
const documents = globSync('*.xml', { cwd: fileURLToPath(folder) }).sort();
const server = useTestServer();

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#ffcc00"/><path d="M20 4L32 34L8 34Z" fill="#006600"/></svg>';

beforeAll(async () => {
  await publishSquares(server);
  await server.request('PUT', '/resource/layouts/mark.svg', { type: 'image/svg+xml', body: svg });
  await server.put('/services/wms/settings', '{"wms":{"watermark":{"transparency":50,"url":"mark.svg"}}}');
});

describe('the gallery of layouts', () => {
  test.each(documents)('matches the reviewed picture of %s', async (name) => {
    const document = await readFile(new URL(name, folder), 'utf8');
    const picture = new URL(name.replace('.xml', '.png'), folder);
    await server.request('PUT', `/resource/layouts/${name}`, { type: 'application/xml', body: document });

    const reply = await askMap(server, createQuery(name.replace('.xml', ''), document));

    if (process.env['UPDATE_GALLERY'] === '1') await writeFile(picture, reply.bytes);
    expect([reply.headers['content-type'], reply.headers['warning']], reply.text.slice(0, 500)).toEqual([
      'image/png',
      undefined,
    ]);
    expect(await isAlike(reply.bytes, await readFile(picture))).toBe(true);
  });
});

function createQuery(layout: string, document: string): string {
  const written = /gallery:(.*?)-->/.exec(document)?.[1] ?? '';
  const options = Object.fromEntries(
    [...written.matchAll(/(\w+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const { dpi, crs, ...further } = options;
  return new URLSearchParams({
    ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', layers: 'topo:west,topo:east', styles: '' },
    ...{ srs: crs ?? 'EPSG:4326', bbox: '-2,0,14,10', width: '400', height: '250', format: 'image/png' },
    format_options: `layout:${layout}${dpi === undefined ? '' : `;dpi:${dpi}`}`,
    ...further,
  }).toString();
}

async function isAlike(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [drawn, expected] = await Promise.all([one, other].map((each) => sharp(each).ensureAlpha().raw().toBuffer()));
  if (drawn === undefined || expected === undefined || drawn.length !== expected.length) return false;
  const beyond = drawn.filter((value, index) => Math.abs(value - (expected[index] ?? 0)) > TOLERANCE).length;
  return beyond <= drawn.length * MOST_BEYOND;
}
