/** GDAL's WMS driver draws layers where they are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runGdal } from '../support/gdal.ts';
import { publishSquares } from '../support/maps.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('gdal', 'GDAL reads WMS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('gdal-wms');

  beforeAll(() => publishSquares(client.server));

  it('lists the layers of the capabilities', async () => {
    const text = await runGdal('gdalinfo', [`WMS:http://127.0.0.1:${client.port}/geoserver/wms`]);

    expect(text).toContain('LAYERS=topo:west');
    expect(text).toContain('BBOX=0,0,5,10');
  });

  it.each(['1.1.1', '1.3.0'])('draws a map in version %s', async (version) => {
    const [system, box] = version === '1.1.1' ? ['SRS', '0,0,10,10'] : ['CRS', '0,0,10,10'];
    const source = `WMS:http://127.0.0.1:${client.port}/geoserver/wms?SERVICE=WMS&VERSION=${version}&REQUEST=GetMap&LAYERS=topo:west,topo:east&STYLES=&${system}=EPSG:4326&BBOX=${box}&FORMAT=image/png`;
    const file = join(folder, `${version}.raw`);

    await runGdal('gdal_translate', ['-q', '-of', 'ENVI', '-outsize', '20', '20', source, file], {
      env: { GDAL_HTTP_TIMEOUT: '120' },
    });

    const bytes = await readFile(file);
    const colour = (x: number, y: number) => [0, 1, 2].map((band) => bytes[band * 400 + y * 20 + x]);
    expect(colour(4, 10)).toEqual([255, 0, 0]);
    expect(colour(15, 10)).toEqual([0, 0, 255]);
  });
});
