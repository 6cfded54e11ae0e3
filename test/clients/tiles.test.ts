/** GDAL reads maps and tiles, and OWSLib reads WMTS tiles. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { runGdal } from '../support/gdal.ts';
import { publishSquares } from '../support/maps.ts';
import { publishTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

const run = promisify(execFile);

/** The color of a pixel: red, green and blue. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * 3;
  return [...data.subarray(at, at + 3)];
}

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

describeWithTool('gdal', 'GDAL as a client of maps and tiles', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('gdal-tiles');
  beforeAll(() => publishSquares(client.server));

  const gwc = () => `http://127.0.0.1:${client.port}/geoserver/gwc/service`;

  /** Disable the GDAL tile cache: it would keep tiles of earlier runs in the working directory. */
  const translate = (source: string, file: string, ...options: readonly string[]) =>
    runGdal('gdal_translate', ['-q', '-of', 'PNG', ...options, source, file], { env: { GDAL_ENABLE_WMS_CACHE: 'NO' } });

  it.each(['EPSG:900913', 'EPSG:4326', 'WebMercatorQuad'])(
    'GDAL reads the tiles of a WMTS in the grid %s',
    async (grid) => {
      const source = `WMTS:${gwc()}/wmts?request=GetCapabilities,layer=topo:west,tilematrixset=${grid},zoom_level=5`;
      const file = join(folder, `${grid.replace(':', '-')}.png`);
      const box = grid === 'EPSG:4326' ? ['1', '4', '4', '1'] : ['120000', '440000', '440000', '120000'];

      await translate(source, file, '-outsize', '20', '20', '-projwin', ...box);

      expect(await colourAt(await readFile(file), 10, 10)).toEqual(RED);
    },
  );

  it.each([
    // The second one has northings first.
    ['EPSG:2056', 20, 'EPSG:2056', [2_590_000, 1_190_000, 2_610_000, 1_210_000]],
    ['EPSG:3006', 10, 'EPSG:3006', [-80_000, 5_222_000, -70_000, 5_232_000]],
  ] as const)('GDAL reads the pixels of a WMS map from the tiles of the grid %s', async (grid, level, srs, box) => {
    const { server } = client;
    await publishTables(server, 'swiss', [
      {
        name: 'towns',
        attributes: [geometryColumn('Polygon'), column('name', 'string')],
        rows: [[wkt('POLYGON ((7.4 46.9, 7.5 46.9, 7.5 47, 7.4 47, 7.4 46.9))'), 'Bern']],
      },
    ]);
    await server.put('/services/wmts/settings', JSON.stringify({ wmts: { gridSets: { string: [grid] } } }));
    const [minX, minY, maxX, maxY] = box.map(String);
    const [tiled, file] = [join(folder, `${srs.slice(5)}-tiles.png`), join(folder, `${srs.slice(5)}-map.png`)];
    const source = `WMTS:${gwc()}/wmts?request=GetCapabilities,layer=swiss:towns,tilematrixset=${grid},zoom_level=${level}`;
    const window = [minX, maxY, maxX, minY].map((each) => each ?? '');
    await translate(source, tiled, '-b', '1', '-b', '2', '-b', '3', '-projwin', ...window);
    const { width, height } = await sharp(tiled).metadata();
    const query = `layers=swiss:towns&styles=&srs=${srs}&bbox=${box}&width=${width}&height=${height}&format=image/png`;
    const map = await server.get(`//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&${query}&bgcolor=0x000000`);
    await sharp(map.bytes).toFile(file);
    const [one, other] = await Promise.all(
      [tiled, file].map((each) => sharp(each).removeAlpha().greyscale().raw().toBuffer()),
    );
    const differing = [...(one ?? [])].filter((value, at) => Math.abs(value - (other?.[at] ?? 0)) > 64).length;

    expect(width).toBeGreaterThan(500);
    expect(new Set(one).size).toBeGreaterThan(1);
    // GDAL has no opacity, which softens the edges of shapes.
    expect(differing / (one?.length ?? 1)).toBeLessThan(0.005);
  });

  it('GDAL reads the map of a WMS by its URL', async () => {
    const wms = `http://127.0.0.1:${client.port}/geoserver/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap`;
    const file = join(folder, 'wms.png');

    await translate(
      `WMS:${wms}&LAYERS=topo:west,topo:east&SRS=EPSG:4326&BBOX=0,0,10,10&FORMAT=image/png`,
      file,
      '-outsize',
      '20',
      '20',
    );

    const picture = await readFile(file);
    expect([await colourAt(picture, 4, 10), await colourAt(picture, 15, 10)]).toEqual([RED, BLUE]);
  });

  it('GDAL finds the tile sets of WMS capabilities and reads maps from the cache', async () => {
    const { server, port } = client;
    const settings = JSON.stringify({ wmts: { directWMSIntegrationEnabled: true } });
    await server.put('/services/wmts/settings', settings);
    const wms = `http://127.0.0.1:${port}/geoserver/wms?SERVICE=WMS&VERSION=1.1.1`;
    const info = await runGdal('gdalinfo', [`WMS:${wms}&REQUEST=GetCapabilities&tiled=true`], {
      env: { GDAL_ENABLE_WMS_CACHE: 'NO' },
    });
    const names = info.match(/(?<=SUBDATASET_\d+_NAME=).*/g) ?? [];
    const source =
      names.find((name) => /TILED=true/i.test(name) && /LAYERS=topo:west&.*SRS=EPSG:4326/.test(name)) ?? '';
    const file = join(folder, 'tiled.png');
    const options = ['-outsize', '20', '20', '-projwin', '1', '4', '4', '1'];
    const countHits = async () => {
      const { text } = await server.get('//metrics');
      const counts = [...text.matchAll(/tile_cache_lookups_total\{result="(?:memory|disk)"\} (\d+)/g)];
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    };

    await translate(source, file, ...options);
    const before = await countHits();
    await translate(source, file, ...options);

    expect(await colourAt(await readFile(file), 10, 10)).toEqual(RED);
    expect(await countHits()).toBeGreaterThan(before);
    await server.put('/services/wmts/settings', '{"wmts":{"directWMSIntegrationEnabled":false}}');
  });

  it('GDAL reads a WMS in sixty-four parallel blocks', async () => {
    const description = `<GDAL_WMS><Service name="WMS"><Version>1.1.1</Version><ServerUrl>http://127.0.0.1:${client.port}/geoserver/wms?</ServerUrl><SRS>EPSG:4326</SRS><ImageFormat>image/png</ImageFormat><Layers>topo:west,topo:east</Layers></Service><DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>10</UpperLeftY><LowerRightX>10</LowerRightX><LowerRightY>0</LowerRightY><SizeX>512</SizeX><SizeY>512</SizeY></DataWindow><BandsCount>3</BandsCount><BlockSizeX>64</BlockSizeX><BlockSizeY>64</BlockSizeY><MaxConnections>64</MaxConnections></GDAL_WMS>`;
    const file = join(folder, 'blocks.png');

    await translate(description, file);

    const picture = await readFile(file);
    const columns = await Promise.all([10, 250, 262, 500].map((x) => colourAt(picture, x, 500)));
    expect(columns).toEqual([RED, RED, BLUE, BLUE]);
  });

  it.each([
    ['from the north', 'xyz', 'top'],
    ['from the south', 'tms/1.0.0', 'bottom'],
  ])('GDAL reads tiles by zoom, x and y, counted %s', async (_name, service, origin) => {
    const [edge, half] = [20_037_508.342_789, 2 ** 7 * 256];
    const description = `<GDAL_WMS><Service name="TMS"><ServerUrl>${gwc()}/${service}/topo:west@EPSG:900913@png/\${z}/\${x}/\${y}.png</ServerUrl></Service><DataWindow><UpperLeftX>-${edge}</UpperLeftX><UpperLeftY>${edge}</UpperLeftY><LowerRightX>${edge}</LowerRightX><LowerRightY>-${edge}</LowerRightY><TileLevel>7</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>${origin}</YOrigin></DataWindow><Projection>EPSG:3857</Projection><BandsCount>4</BandsCount><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY></GDAL_WMS>`;
    const file = join(folder, `${origin}.png`);
    // The first tile north-east of the point 0, 0.
    const box = ['-srcwin', String(half / 2), String(half / 2 - 256), '256', '256'];

    await translate(description, file, ...box);

    expect(await colourAt(await readFile(file), 128, 128)).toEqual(RED);
  });
});

describeWithTool('owslib', 'OWSLib as a WMTS client', () => {
  const client = useSocketClient();
  beforeAll(() => publishSquares(client.server));

  it('OWSLib reads the tiles of a WMTS as images', async () => {
    const script = join(import.meta.dirname, 'python/read_wmts.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/gwc/service/wmts`;

    const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url], { maxBuffer: 10_000_000 });
    const found = JSON.parse(stdout) as { layers: string[]; grids: string[]; formats: string[]; tile: string };

    expect(found.layers).toEqual(expect.arrayContaining(['topo:east', 'topo:west']));
    expect(found.grids).toEqual(expect.arrayContaining(['EPSG:4326', 'EPSG:900913', 'WebMercatorQuad']));
    expect(found.formats).toContain('image/png');
    expect(await colourAt(Buffer.from(found.tile, 'base64'), 20, 230)).toEqual(RED);
  });
});
