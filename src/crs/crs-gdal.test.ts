/** Compares transformations with GDAL. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGdal } from '../../test/support/gdal.ts';
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts';
import { describeWithTool } from '../../test/support/with-tool.ts';
import { findCrs } from './resolve-crs.ts';
import { createTransformer, type Position } from './transformer.ts';

/** Systems with every projection and from all continents, with the tolerance to GDAL, which knows more datum shifts. */
const systems: readonly (readonly [code: string, toleranceMetres: number])[] = [
  ['EPSG:4326', 0.01],
  ['EPSG:4258', 0.01],
  ['EPSG:4269', 2],
  ['EPSG:4277', 0.01],
  ['EPSG:4807', 0.01],
  ['EPSG:3857', 0.01],
  ['EPSG:3395', 0.01],
  ['EPSG:32633', 0.01],
  ['EPSG:32733', 0.01],
  ['EPSG:25832', 0.01],
  ['EPSG:2154', 0.01],
  ['EPSG:27572', 0.01],
  ['EPSG:27700', 0.01],
  ['EPSG:28992', 0.01],
  ['EPSG:31370', 0.01],
  ['EPSG:31467', 2],
  ['EPSG:2056', 0.01],
  ['EPSG:21781', 5],
  ['EPSG:5514', 5],
  ['EPSG:5513', 5],
  ['EPSG:3035', 0.01],
  ['EPSG:3034', 0.01],
  ['EPSG:3067', 0.01],
  ['EPSG:3006', 0.01],
  ['EPSG:3021', 0.01],
  ['EPSG:2180', 0.01],
  ['EPSG:2263', 2],
  ['EPSG:5070', 2],
  ['EPSG:3347', 2],
  ['EPSG:26712', 20],
  ['EPSG:3078', 2],
  ['EPSG:3031', 0.01],
  ['EPSG:3413', 0.01],
  ['EPSG:5041', 0.01],
  ['EPSG:2193', 0.01],
  ['EPSG:27200', 5],
  ['EPSG:28355', 0.01],
  ['EPSG:2048', 0.01],
  ['EPSG:6933', 0.01],
  ['EPSG:8857', 0.01],
  ['EPSG:3375', 0.01],
  ['EPSG:30200', 5],
  ['EPSG:29101', 60],
  ['ESRI:54009', 0.01],
  ['ESRI:54030', 0.1],
  ['ESRI:102003', 2],
];

describeWithTool('gdal', 'coordinate reference systems compared with GDAL', () => {
  const folder = useTemporaryFolder('crs-gdal');

  async function middleOf(code: string): Promise<Position> {
    const area = (await findCrs(code))?.areaOfUse;
    if (area === undefined) throw new Error(`${code} is not there`);
    const east = area.west > area.east ? area.east + 360 : area.east;
    const longitude = area.west + (east - area.west) * 0.45;
    return [longitude > 180 ? longitude - 360 : longitude, area.south + (area.north - area.south) * 0.55];
  }

  test.for(systems)('transforms a position to %s like GDAL', async ([code, toleranceMetres]) => {
    const definition = await findCrs(code);
    const model = definition?.model;
    if (model === undefined) throw new Error(`${code} cannot be computed with`);
    const place = await middleOf(code);
    const transformer = await createTransformer(model);

    const ours = transformer?.fromLongitudeLatitude(place);
    const back = ours === undefined ? undefined : transformer?.toLongitudeLatitude(ours);

    const printed = await runGdal('gdaltransform', ['-s_srs', 'EPSG:4326', '-t_srs', code, '-output_xy'], {
      input: `${place.join(' ')}\n`,
      env: { OSR_USE_NON_DEPRECATED: 'NO' },
    });
    const theirs = printed.trim().split(/\s+/).map(Number);
    const unitMetres = model.kind !== 'geographic' ? model.unit.metres : (model.unit.radians * 180 * 111_320) / Math.PI;
    expect(distance(ours, theirs) * unitMetres).toBeLessThan(toleranceMetres);
    expect(distance(back, place)).toBeLessThan(1e-7);
  });

  test.for([
    'EPSG:4326',
    'EPSG:3857',
    'EPSG:2154',
    'EPSG:27700',
    'EPSG:2263',
    'EPSG:3035',
    'EPSG:32633',
    'EPSG:3031',
    'EPSG:2056',
  ])('writes WKT for %s that GDAL recognizes', async (code) => {
    const definition = await findCrs(code);
    const file = join(folder, `${code.replace(':', '-')}.wkt`);
    await writeFile(file, (definition?.wkt ?? '').replace(/,AUTHORITY\["EPSG","\d+"\]/g, ''));

    const found = await runGdal('gdalsrsinfo', ['-e', '-o', 'epsg', file]);

    expect(found).toContain(code);
  });

  test.for([
    'EPSG:4326',
    'EPSG:3857',
    'EPSG:2154',
    'EPSG:3035',
    'EPSG:2193',
    'EPSG:31467',
    'EPSG:25832',
    'EPSG:3044',
    'EPSG:27700',
  ])('the axis order of %s equals the order of the authority', async (code) => {
    const definition = await findCrs(code);

    const text = await runGdal('gdalsrsinfo', ['-o', 'wkt2', code]);

    const axes = text.slice(text.lastIndexOf('CS['));
    const isNorthFirst = /AXIS\["[^"]*",north,\s*ORDER\[1\]/.test(axes);
    expect(definition?.axisOrder).toBe(isNorthFirst ? 'north-east' : 'east-north');
  });
});

function distance(a: readonly number[] | undefined, b: readonly number[]): number {
  return a === undefined
    ? Number.NaN
    : Math.hypot((a[0] ?? Number.NaN) - (b[0] ?? 0), (a[1] ?? Number.NaN) - (b[1] ?? 0));
}
