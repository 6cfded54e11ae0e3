import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { colorAt, createDrawnLayer, createUserStyle, never, wideBudget } from '../../test/support/drawn-layers.ts';
import { runGdal } from '../../test/support/gdal.ts';
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts';
import { describeWithTool } from '../../test/support/with-tool.ts';
import { drawMap } from './draw-map.ts';

const shapes = {
  triangle: 'POLYGON ((1.3 1.1, 17.6 4.2, 6.4 18.9, 1.3 1.1))',
  'ring with a hole': 'POLYGON ((1 1, 19 2, 18 18.5, 2.5 17, 1 1), (6.2 6.1, 7 13.3, 13.7 12, 12 6, 6.2 6.1))',
  'two parts, one of them beyond the map':
    'MULTIPOLYGON (((2 2, 8.5 2, 8.5 9, 2 9, 2 2)), ((12 12, 45 14, 40 50, 12 12)))',
};
const [width, height, box] = [40, 60, { minX: 0, minY: 0, maxX: 20, maxY: 20 }];

describeWithTool('gdal', 'pixels of a polygon, compared with GDAL', () => {
  const folder = useTemporaryFolder('positions-gdal');

  test.each(Object.entries(shapes))('covers the pixels whose centre is inside: %s', async (_, wkt) => {
    const burnt = await burntPixels(folder, wkt);

    const map = await drawMap(
      {
        width,
        height,
        box,
        system: { code: 'EPSG:4326' },
        layers: [
          createDrawnLayer(
            [{ wkt, name: '' }],
            createUserStyle(
              '<Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#000000</CssParameter></Fill></PolygonSymbolizer></Rule>',
            ),
          ),
        ],
      },
      wideBudget,
      never,
    );

    const wrong: string[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const darkness = 1 - Number.parseInt(colorAt(map, x, y).slice(1, 3), 16) / 255;
        // At an edge the centre of a pixel is a weak indicator of its coverage, and at a corner even more so.
        const isRight = burnt[y * width + x] === 1 ? darkness > 0.2 : darkness < 0.8;
        if (!isRight) wrong.push(`${x},${y}: ${darkness}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(burnt.filter((each) => each === 1).length).toBeGreaterThan(100);
  });
});

/** Returns 1 for each pixel that GDAL assigns to a polygon, row by row from the top. */
async function burntPixels(folder: string, wkt: string): Promise<Uint8Array> {
  const [data, picture] = [join(folder, 'shape.csv'), join(folder, 'burnt.img')];
  await writeFile(data, `id,WKT\n1,"${wkt}"\n`);
  const extent = [box.minX, box.minY, box.maxX, box.maxY].map(String);
  await runGdal('gdal_rasterize', [
    ...['-q', '-burn', '1', '-ot', 'Byte', '-of', 'ENVI', '-init', '0', '-ts', String(width), String(height)],
    ...['-te', ...extent, data, picture],
  ]);
  return new Uint8Array(await readFile(picture));
}
