/** Exports tiles with the command and reads the archives with other implementations. */
import { createWriteStream } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { PMTiles, tileIdToZxy, zxyToTileId } from 'pmtiles';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BytesSource } from '../../../test/support/archive-bytes.ts';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { runGdal } from '../../../test/support/gdal.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import { HEAD_BYTES, PmtilesWriter } from '../../lib/tile-archive/pmtiles-writer.ts';
import { computeTileId, listTilesInOrder } from '../../lib/tile-archive/tile-id.ts';
import type { CommandEnvironment } from '../client/command.ts';
import { runCommand } from '../run.ts';

interface GeoJsonPoint {
  readonly properties: { readonly name: string };
  readonly geometry: { readonly coordinates: readonly number[] };
}

interface GdalInfo {
  readonly size: readonly number[];
  readonly coordinateSystem: { readonly wkt: string };
  readonly bands: readonly unknown[];
}

const folder = useTemporaryFolder('tile-exports');

describe('tiles export', () => {
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    server = await startTestServer();
    url = `${await server.server.app.listen({ host: '127.0.0.1', port: 0 })}${server.server.restRoot}`;
    await publishTables(server, 'acme', [
      {
        name: 'towns',
        attributes: [geometryColumn('Point'), column('name', 'string')],
        rows: [
          [wkt('POINT (10 50)'), 'Bonn'],
          [wkt('POINT (-60 -20)'), 'Sucre'],
        ],
      },
    ]);
  });
  afterAll(() => server.close());

  async function run(...words: readonly string[]) {
    const [printed, errors]: [string[], string[]] = [[], []];
    const world: CommandEnvironment = {
      environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      readFile: (name) => readFile(join(folder, name)),
      listFiles: async () => undefined,
      removeFile: async () => undefined,
      resolvePath: (name) => join(folder, name),
      async writeFile(name, pieces, { check } = {}) {
        const path = join(folder, `${name}.half`);
        await pipeline(pieces, createWriteStream(path));
        await check?.(path);
        await rename(path, join(folder, name));
      },
      prompt: undefined,
      wait: async () => undefined,
    };
    const code = await runCommand(['tiles', ...words], world);
    return { code, out: printed.join(''), err: errors.join('') };
  }
  const openPmtiles = async (name: string) => new PMTiles(new BytesSource(await readFile(join(folder, name))));

  it('writes vector tiles as PMTiles that another reader reads', async () => {
    const ran = await run('export', 'acme:towns', 'towns.pmtiles', '--zooms', '0-3', '--format', 'mvt');

    expect(ran).toEqual({
      code: 0,
      out: expect.stringMatching(/^Exported \d+ of \d+ tiles to towns\.pmtiles; the others are empty\.\n$/),
      err: '',
    });
    const archive = await openPmtiles('towns.pmtiles');
    const header = await archive.getHeader();
    expect(header).toMatchObject({ tileType: 1, minZoom: 0, maxZoom: 3, clustered: true, tileCompression: 2 });
    expect(await archive.getMetadata()).toMatchObject({
      name: 'towns',
      vector_layers: [{ id: 'towns', fields: { name: expect.anything() } }],
    });
    const names = async (z: number, x: number, y: number) => {
      const tile = await archive.getZxy(z, x, y);
      return tile === undefined
        ? undefined
        : featuresOfTile(new Uint8Array(tile.data)).map(({ properties }) => properties['name']);
    };
    expect([...((await names(0, 0, 0)) ?? [])].sort()).toEqual(['Bonn', 'Sucre']);
    expect(await names(3, 4, 2)).toEqual(['Bonn']);
    expect(await names(3, 7, 7)).toBeUndefined();
  });

  it('writes images as PMTiles, equal ones once', async () => {
    const bounds = '-180,-85,180,85';
    const ran = await run('export', 'acme:towns', 'maps.pmtiles', '--zooms', '3', `--bounds=${bounds}`);
    const archive = await openPmtiles('maps.pmtiles');
    const header = await archive.getHeader();

    expect(ran.out).toBe('Exported 64 of 64 tiles to maps.pmtiles; the others are empty.\n');
    expect(header).toMatchObject({ tileType: 2, numAddressedTiles: 64 });
    expect(header.numTileContents).toBeLessThan(10);
    for (const [z, x, y] of [
      [3, 4, 2],
      [3, 0, 0],
    ] as const) {
      const stored = Buffer.from((await archive.getZxy(z, x, y))?.data ?? new ArrayBuffer(0));
      const served = await server.get(
        `//geoserver/ogc/tiles/v1/collections/acme:towns/map/tiles/WebMercatorQuad/${z}/${y}/${x}?f=png`,
      );
      expect(stored.equals(served.bytes)).toBe(true);
      expect((await sharp(stored).metadata()).width).toBe(256);
    }
  });

  it('writes MBTiles', async () => {
    const ran = await run('export', 'acme:towns', 'towns.mbtiles', '--zooms', '0-2', '--format', 'mvt', '--json');
    const database = new DatabaseSync(join(folder, 'towns.mbtiles'), { readOnly: true });
    const metadata = Object.fromEntries(
      database
        .prepare('SELECT name, value FROM metadata')
        .all()
        .map(({ name, value }) => [String(name), value]),
    );
    const tile = database
      .prepare('SELECT tile_data FROM tiles WHERE zoom_level = 2 AND tile_column = 2 AND tile_row = 2')
      .get()?.['tile_data'];
    database.close();

    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, { tiles: expect.any(Number), requested: expect.any(Number) }]);
    expect(metadata).toMatchObject({ name: 'towns', format: 'pbf', minzoom: '0', maxzoom: '2' });
    expect(featuresOfTile(gunzipSync(tile as Uint8Array)).map(({ properties }) => properties['name'])).toEqual([
      'Bonn',
    ]);
  });

  // Packages of GDAL for Debian have no PMTiles driver; the package `pmtiles` reads these archives above.
  describeWithTool('gdal', 'MBTiles', () => {
    it('have the features of vector tiles for GDAL, at their positions', async () => {
      await run('export', 'acme:towns', 'gdal-vector.mbtiles', '--zooms', '0-4', '--format', 'mvt');
      const path = join(folder, 'gdal-vector.mbtiles');
      const text = await runGdal('ogr2ogr', ['-f', 'GeoJSON', '-t_srs', 'EPSG:4326', '/vsistdout/', path, 'towns']);

      const { features } = JSON.parse(text) as { readonly features: readonly GeoJsonPoint[] };
      const found = features.map(({ properties, geometry }) => [
        properties.name,
        // Positions are rounded to a tile's grid of 4,096 units.
        geometry.coordinates.map((each) => Math.round(each * 100) / 100),
      ]);
      expect(found.toSorted()).toEqual([
        ['Bonn', [10, 50]],
        ['Sucre', [-60, -20]],
      ]);
    });

    it('have the pixels of images for GDAL, with their CRS', async () => {
      const bounds = '-180,-85,180,85';
      await run('export', 'acme:towns', 'gdal-images.mbtiles', '--zooms', '3', `--bounds=${bounds}`);
      const path = join(folder, 'gdal-images.mbtiles');
      const info = JSON.parse(await runGdal('gdalinfo', ['-json', path])) as GdalInfo;
      const alphaAt = async (longitude: number, latitude: number) =>
        Number(
          await runGdal('gdallocationinfo', ['-valonly', '-wgs84', '-b', '4', path, `${longitude}`, `${latitude}`]),
        );

      expect(info.size.every((side) => side > 1_900 && side <= 2_048)).toBe(true);
      expect(info.coordinateSystem.wkt).toContain('ID["EPSG",3857]');
      expect(info.bands).toHaveLength(4);
      expect([await alphaAt(10, 50), await alphaAt(-60, -20), await alphaAt(100, 10)]).toEqual([255, 255, 0]);
    });
  });

  it('exports an archive that the server publishes again', async () => {
    await run('export', 'acme:towns', 'again.pmtiles', '--zooms', '0-2', '--format', 'mvt');
    const reply = await server.request('PUT', '/workspaces/acme/datastores/again/file.pmtiles?filename=again.pmtiles', {
      type: 'application/octet-stream',
      body: await readFile(join(folder, 'again.pmtiles')),
    });

    expect([reply.status, reply.text]).toEqual([201, expect.stringMatching(/^Published acme:/)]);
  });

  it('fails for zooms that the layer does not offer', async () => {
    const settings = { gridSubsets: [{ gridSetName: 'EPSG:900913', zoomStart: 1, zoomStop: 3 }] };
    const address = '//geoserver/gwc/rest/layers/acme:towns.json';
    await server.put(address, JSON.stringify({ GeoServerLayer: settings }));
    const { code, err } = await run('export', 'acme:towns', 'a.pmtiles', '--zooms', '0-2');
    await server.delete(address);

    expect([code, err]).toEqual([1, expect.stringContaining('It offers the zooms 1 to 3.')]);
  });

  it.each([
    [['import', 'acme:towns', 'a.pmtiles', '--zooms', '0'], "Unknown action 'import'"],
    [['export', 'acme:towns', 'a.zip', '--zooms', '0'], "Invalid file name 'a.zip'"],
    [['export', 'acme:towns', 'a.pmtiles'], "Invalid --zooms ''"],
    [['export', 'acme:towns', 'a.pmtiles', '--zooms', '5-2'], "Invalid --zooms '5-2'"],
    [['export', 'acme:towns', 'a.pmtiles', '--zooms', '0', '--bounds', '1,2,3'], "Invalid --bounds '1,2,3'"],
    [['export', 'acme:towns', 'a.pmtiles', '--zooms', '0', '--bounds=-180,86,180,90'], 'The export has no tiles'],
    [['export', 'acme:towns', 'a.pmtiles', '--zooms', '0', '--bounds=-180,-90,180,-86'], 'The export has no tiles'],
    [['export', 'acme:towns', 'a.pmtiles', '--zooms', '20', '--bounds=-180,-85,180,85'], 'the limit is 10000000'],
    [['export', 'acme:none', 'a.pmtiles', '--zooms', '0'], 'acme:none'],
    [['export', 'acme:towns', 'missing/a.mbtiles', '--zooms', '0'], "Cannot use the file 'missing/a.mbtiles'"],
  ])('fails with a reason: %j', async (words, message) => {
    const { code, err } = await run(...words);

    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('tile ids', () => {
  it('are those of the library, and tiles are listed in their order', () => {
    for (const zoom of [0, 1, 2, 5]) {
      const side = 2 ** zoom - 1;
      const all = [...listTilesInOrder(zoom, { minColumn: 0, maxColumn: side, minRow: 0, maxRow: side })];
      const ids = all.map(computeTileId);

      expect(ids).toEqual(all.map(({ column: x, row }) => zxyToTileId(zoom, x, row)));
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    }
    const part = [...listTilesInOrder(12, { minColumn: 2_100, maxColumn: 2_110, minRow: 1_400, maxRow: 1_420 })];
    expect(part).toHaveLength(11 * 21);
    expect(part.map((position) => tileIdToZxy(computeTileId(position)))).toEqual(
      part.map(({ zoom, column: x, row }) => [zoom, x, row]),
    );
  });
});

describe('PMTiles with many tiles', () => {
  it('have leaf directories that another reader follows', async () => {
    const writer = new PmtilesWriter('png');
    const pieces: Uint8Array[] = [];
    const createTile = (id: number) => Buffer.from(`tile ${id % 7_000}`);
    const ids = Array.from({ length: 20_000 }, (_, index) => 21_845 + index * 2);
    for (const id of ids) {
      const piece = writer.add(id, createTile(id));
      if (piece !== undefined) pieces.push(piece);
    }
    const bounds = [-180, -85, 180, 85] as const;
    const { head, tail } = writer.finish({ type: 'png', minZoom: 8, maxZoom: 8, bounds, metadata: {} });
    const archive = new PMTiles(new BytesSource(Buffer.concat([head, ...pieces, tail])));
    const read = async (id: number) => {
      const found = await archive.getZxy(...tileIdToZxy(id));
      return found && Buffer.from(found.data).toString();
    };

    expect(head.length).toBe(HEAD_BYTES);
    expect((await archive.getHeader()).leafDirectoryLength).toBeGreaterThan(0);
    for (const id of [ids[0] ?? 0, ids[4_095] ?? 0, ids[4_096] ?? 0, ids[19_999] ?? 0]) {
      expect(await read(id)).toBe(createTile(id).toString());
      expect(await read(id + 1)).toBeUndefined();
    }
    expect(pieces.length).toBe(3_500);
  });
});
