/** Tile archives with images as coverage stores: uploaded, on the server and on other servers. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RangeServer, startRangeServer } from '../../../test/support/range-server.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { coloredTiles, encodePmtiles, writeMbtiles } from '../../../test/support/tile-archives.ts';

const stores = '/workspaces/acme/coveragestores';
const pmtiles = encodePmtiles({
  tiles: coloredTiles,
  tileType: 2,
  metadata: { name: 'Four colors', description: 'A test pattern' },
  leafSize: 2,
});

describe('coverage store with a tile archive', () => {
  const folder = useTemporaryFolder('archives');
  let remote: RangeServer;
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const urlOf = (path: string) => `http://data.example.test:${remote.port}${path}`;

  beforeAll(async () => {
    remote = await startRangeServer({ '/colors.pmtiles': { bytes: pmtiles, etag: '"1"' } });
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    writeMbtiles(join(folder, 'colors.mbtiles'), {
      tiles: coloredTiles,
      metadata: {
        ...{ name: 'Four colors', description: 'A test pattern', attribution: '&copy; Painters' },
        ...{ format: 'png', minzoom: '0', maxzoom: '1' },
      },
      layout: 'view',
    });
    await writeFile(join(server.dataDir, 'local.pmtiles'), pmtiles);
    await server.post(
      '/urlchecks',
      JSON.stringify({
        regexUrlCheck: { name: 'data', regex: `^http://data\\.example\\.test:${remote.port}/.*$`, enabled: true },
      }),
    );
  });
  afterAll(() => remote.close());

  /** Returns the colors in the middle of the four tiles of zoom 1. */
  const draw = async (layer: string) => {
    const { bytes, headers } = await server.get(
      `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&styles=&format=image/png&transparent=true&width=512&height=512&srs=EPSG:3857&layers=acme:${layer}&bbox=-20037508.34,-20037508.34,20037508.34,20037508.34`,
    );
    expect(headers['content-type']).toBe('image/png');
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return [
      [128, 128],
      [384, 128],
      [128, 384],
      [384, 384],
    ].map(([x = 0, y = 0]) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]);
  };
  const expected = [
    [200, 0, 0, 255],
    [0, 200, 0, 255],
    [0, 0, 200, 255],
    [0, 0, 0, 0],
  ];
  const transparentLast = (colors: readonly number[][]) =>
    colors.map((color) => (color[3] === 0 ? [0, 0, 0, 0] : color));

  it('is uploaded as MBTiles, described by its metadata and drawn', async () => {
    const reply = await server.request('PUT', `${stores}/colors/file.mbtiles`, {
      type: 'application/vnd.sqlite3',
      body: await readFile(join(folder, 'colors.mbtiles')),
    });
    const { coverage } = (await server.get(`${stores}/colors/coverages/colors.json`)).json() as {
      coverage: Record<string, unknown>;
    };

    expect([reply.status, reply.text]).toEqual([201, 'Published acme:colors (EPSG:3857).\n']);
    expect((await server.get('/layers/acme:colors.json')).json()).toMatchObject({
      layer: { attribution: { title: '© Painters' } },
    });
    expect(coverage).toMatchObject({
      title: 'Four colors',
      description: 'A test pattern',
      nativeFormat: 'MBTiles',
      srs: 'EPSG:3857',
    });
    expect(transparentLast(await draw('colors'))).toEqual(expected);
  });

  it.each([
    ['local', () => ({ type: 'PMTiles', url: 'file:local.pmtiles' })],
    ['derived', () => ({ url: 'file:local.pmtiles' })],
    ['remote', () => ({ type: 'PMTiles', url: urlOf('/colors.pmtiles') })],
    ['remote-derived', () => ({ url: urlOf('/colors.pmtiles') })],
  ])('is drawn from PMTiles: %s', async (name, createFields) => {
    const created = await server.post(
      `${stores}?validate=connect`,
      JSON.stringify({ coverageStore: { name, ...createFields() } }),
    );
    const nativeName = name.startsWith('remote') ? 'colors' : 'local';
    const published = await server.post(
      `${stores}/${name}/coverages`,
      JSON.stringify({ coverage: { name, nativeName } }),
    );

    expect([created.text, created.status, published.status]).toEqual([name, 201, 201]);
    expect((await server.get(`${stores}/${name}.json`)).json()).toMatchObject({ coverageStore: { type: 'PMTiles' } });
    expect(transparentLast(await draw(name))).toEqual(expected);
  });

  it('reads the parts of a remote archive that it needs', () => {
    expect(remote.asked.length).toBeGreaterThan(0);
    expect(remote.asked.every((asked) => asked.includes('bytes='))).toBe(true);
  });

  it('is rejected with the reason if it is not valid', async () => {
    const put = (format: string, body: Buffer) =>
      server.request('PUT', `${stores}/bad/file.${format}`, { type: 'application/octet-stream', body });
    const replies = [
      await put('mbtiles', Buffer.from('text'.repeat(50))),
      await put('pmtiles', pmtiles.subarray(0, 200)),
    ];
    const remoteMbtiles = await server.post(
      stores,
      JSON.stringify({ coverageStore: { name: 'bad', type: 'MBTiles', url: urlOf('/colors.mbtiles') } }),
    );

    expect(replies.map(({ status }) => status)).toEqual([400, 400]);
    expect(replies[0]?.text).toContain('it is not an MBTiles file');
    expect(replies[1]?.text).toContain('is truncated');
    expect([remoteMbtiles.status, remoteMbtiles.text]).toEqual([
      400,
      expect.stringContaining('Stores of the type MBTiles cannot read data of other servers'),
    ]);
  });
});
