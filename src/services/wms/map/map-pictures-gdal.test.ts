import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runGdal } from '../../../../test/support/gdal.ts';
import { askMap, publishSquares } from '../../../../test/support/maps.ts';
import { gdalDescription } from '../../../../test/support/rasters.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { describeWithTool } from '../../../../test/support/with-tool.ts';

describeWithTool('gdal', 'a GeoTIFF of a map, read by GDAL', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('map-pictures-gdal');

  it.each([0, 30, -100])('has the position of a map that is rotated by %i degrees', async (angle) => {
    if (angle === 0) await publishSquares(server);
    const query = `service=WMS&version=1.1.1&request=GetMap&layers=topo:west,topo:east&styles=,&srs=EPSG:4326&bbox=0,0,10,10&width=60&height=40`;
    const { bytes } = await askMap(server, `${query}&format=image/geotiff&angle=${angle}`);
    const [file, upright] = [join(folder, `${angle}.tif`), join(folder, `${angle}-upright.xyz`)];
    await writeFile(file, bytes);

    await runGdal('gdalwarp', ['-q', '-te', '3', '3', '7', '7', '-ts', '4', '4', file, `${upright}.tif`]);

    const rows = await runGdal('gdal_translate', ['-q', '-b', '1', '-of', 'XYZ', `${upright}.tif`, '/vsistdout/']);
    const reds = rows
      .trim()
      .split('\n')
      .map((row) => Number(row.split(' ')[2]));
    expect(reds).toEqual([255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0]);
    const { geoTransform = [] } = await gdalDescription(file);
    expect(geoTransform[2] === 0).toBe(angle === 0);
  });
});
