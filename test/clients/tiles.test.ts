/** GDAL and OWSLib read the tiles of a WMTS. */
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

/** The colour of a pixel: red, green and blue. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * 3;
  return [...data.subarray(at, at + 3)];
}

const RED = [255, 0, 0];

describeWithTool('gdal', 'GDAL reads tiles', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('gdal-tiles');
  beforeAll(() => publishSquares(client.server));

  const gwc = () => `http://127.0.0.1:${client.port}/geoserver/gwc/service`;

  it.each(['EPSG:900913', 'EPSG:4326', 'WebMercatorQuad'])('of a WMTS in the grid %s', async (grid) => {
    const source = `WMTS:${gwc()}/wmts?request=GetCapabilities,layer=topo:west,tilematrixset=${grid},zoom_level=5`;
    const file = join(folder, `${grid.replace(':', '-')}.png`);
    const box = grid === 'EPSG:4326' ? ['1', '4', '4', '1'] : ['120000', '440000', '440000', '120000'];

    await runGdal('gdal_translate', ['-of', 'PNG', '-outsize', '20', '20', '-projwin', ...box, source, file]);

    expect(await colourAt(await readFile(file), 10, 10)).toEqual(RED);
  });
});

describeWithTool('owslib', 'OWSLib reads tiles', () => {
  const client = useSocketClient();
  beforeAll(() => publishSquares(client.server));

  it('of a WMTS, as pictures', async () => {
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
