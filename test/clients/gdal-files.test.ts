/** GDAL opens the files that services return and tile exports write. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ogrFeatures, ogrSummary, runGdal } from '../support/gdal.ts';
import { publishSquares } from '../support/maps.ts';
import { gdalDescription, gdalWindow } from '../support/rasters.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useTestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { exportTiles } from '../support/tile-exports.ts';
import { describeWithTool } from '../support/with-tool.ts';

const COG = 'image/tiff;application=geotiff;profile=cloud-optimized';

/** The squares in meters of Web Mercator. */
const EAST = { minX: 556_597, minY: 0, maxX: 1_113_195, maxY: 1_118_890 } as const;

describeWithTool('gdal', 'GDAL', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('gdal-files');
  beforeAll(async () => {
    await publishSquares(server);
    const type = 'image/tiff';
    const body = geotiffBytes(600, 400, (index) => index % 251);
    const uploaded = await server.request('PUT', '/workspaces/topo/coveragestores/dem/file.geotiff', { type, body });
    expect(uploaded.status, uploaded.text).toBe(201);
  });

  const save = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };

  it.each([
    ['2.0.1', `coverageId=topo__dem&format=${encodeURIComponent(COG)}`],
    [
      '1.1.1',
      `identifier=topo:dem&boundingBox=500000,4996000,506000,5000000,urn:ogc:def:crs:EPSG::32633&store=false&format=${encodeURIComponent(COG)}`,
    ],
    ['1.0.0', 'coverage=topo:dem&format=COG&crs=EPSG:32633&bbox=500000,4996000,506000,5000000&width=600&height=400'],
  ])(
    'finds the tiles, overviews and layout of a cloud-optimised GeoTIFF in the response of WCS %s',
    async (version, query) => {
      const reply = await server.get(`//geoserver/wcs?service=WCS&version=${version}&request=GetCoverage&${query}`);
      const path = await save(`dem-${version}.tif`, extractTiff(reply.bytes));

      const reported = await gdalDescription(path);
      const [samples] = await gdalWindow(path, folder, 'uint8', {
        window: { column: 0, row: 0, width: 600, height: 400 },
        bands: [0],
      });

      expect(reported.size).toEqual([600, 400]);
      expect(reported.metadata?.['IMAGE_STRUCTURE']).toMatchObject({ LAYOUT: 'COG' });
      expect(reported.bands[0]).toMatchObject({
        block: [256, 256],
        overviews: [{ size: [300, 200] }, { size: [150, 100] }],
      });
      const wrong = Array.from(samples ?? [], Number).findIndex((value, index) => value !== index % 251);
      expect([samples?.length, wrong]).toEqual([240_000, -1]);
    },
  );

  it('reads the features of exported vector tiles in MBTiles', async () => {
    const { bytes } = await exportTiles(server, { layer: 'topo:east', archive: 'mbtiles', format: 'mvt' });
    const path = await save('east.mbtiles', bytes);

    const { layer, crsCode, extent, fields } = await ogrSummary(path);
    const features = await ogrFeatures(path);

    expect([layer, crsCode]).toEqual(['east', 'EPSG:3857']);
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['kind', 'rank']));
    expectNear(extent, EAST);
    expect(features.length).toBeGreaterThan(0);
    const properties = features.map(({ properties: { kind, rank } }) => [kind, rank]);
    expect(properties).toEqual(features.map(() => ['whole', 3]));
  });

  it('reads the pixels and zooms of exported images in MBTiles', async () => {
    const { bytes } = await exportTiles(server, { layer: 'topo:east', archive: 'mbtiles' });
    const path = await save('images.mbtiles', bytes);
    const [x, y] = [(EAST.minX + EAST.maxX) / 2, EAST.maxY / 2];

    const pixel = await runGdal('gdallocationinfo', ['-valonly', '-geoloc', path, String(x), String(y)]);
    const outside = await runGdal('gdallocationinfo', [
      '-valonly',
      '-geoloc',
      path,
      String(EAST.minX - 99_999),
      String(y),
    ]);
    const { bands } = await gdalDescription(path);

    expect(pixel.trim().split(/\s+/)).toEqual(['0', '0', '255', '255']);
    expect(outside.trim().split(/\s+/).at(-1) ?? '').toMatch(/^0?$/);
    expect(bands[0]?.overviews?.length).toBeGreaterThanOrEqual(1);
  });
});

/** WCS 1.1 answers with a multipart message. */
function extractTiff(bytes: Buffer): Buffer {
  const start = Math.max(0, bytes.indexOf('II*\0', 0, 'latin1'));
  return bytes.subarray(start);
}

/** Tiles have whole units of about 150 meters, and a margin. */
function expectNear(extent: readonly number[] | undefined, { minX, minY, maxX, maxY }: typeof EAST): void {
  for (const [index, expected] of [minX, minY, maxX, maxY].entries())
    expect(Math.abs((extent?.[index] ?? Number.NaN) - expected)).toBeLessThan(1_000);
}
