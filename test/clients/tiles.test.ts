/** GDAL reads maps and tiles, and OWSLib reads WMTS tiles. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { runGdal } from '../support/gdal.ts';
import { publishSquares } from '../support/maps.ts';
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
