import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import { findCrs } from '../resolve-crs.ts';
import { writeProjJson } from './write-projjson.ts';

async function write(code: string) {
  const found = await findCrs(code);
  return found && writeProjJson(found);
}

it('writes the axes in the order of the authority', async () => {
  expect(await write('EPSG:4326')).toEqual({
    $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
    type: 'GeographicCRS',
    name: 'WGS 84',
    datum: {
      type: 'GeodeticReferenceFrame',
      name: 'World Geodetic System 1984',
      ellipsoid: { name: 'WGS 84', semi_major_axis: 6378137, inverse_flattening: 298.257223563 },
    },
    coordinate_system: {
      subtype: 'ellipsoidal',
      axis: [
        { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
        { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
      ],
    },
    id: { authority: 'EPSG', code: 4326 },
  });
});

it('has no form for geocentric systems', async () => {
  expect(await write('EPSG:4978')).toBeUndefined();
});

describeWithTool('gdal', 'PROJJSON', () => {
  const transform = (source: string, target: string, place: string) =>
    execFileSync('gdaltransform', ['-s_srs', source, '-t_srs', target, '-output_xy'], {
      input: place,
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
      .map(Number);

  /** One system of each method, with a place in its area. */
  const systems = [
    ['EPSG:25832', '9 50'],
    ['EPSG:31467', '9 50'],
    ['EPSG:3857', '9 50'],
    ['EPSG:3035', '9 50'],
    ['EPSG:2154', '3 46'],
    ['EPSG:27572', '3 46'],
    ['EPSG:2056', '8 47'],
    ['EPSG:3031', '0 -75'],
    ['EPSG:32661', '10 85'],
    ['EPSG:3395', '9 50'],
    ['EPSG:3832', '150 20'],
    ['EPSG:28992', '5 52'],
    ['EPSG:5070', '-96 38'],
    ['EPSG:2263', '-74 40.7'],
    ['EPSG:2048', '19 -33'],
    ['EPSG:27200', '174 -41'],
    ['EPSG:4087', '9 50'],
    ['EPSG:6933', '9 50'],
    ['EPSG:3375', '102 3.5'],
    ['EPSG:8857', '9 50'],
    ['EPSG:5880', '-50 -10'],
    ['EPSG:30200', '-61.3 10.5'],
    ['ESRI:54030', '9 50'],
    ['ESRI:54009', '9 50'],
    ['ESRI:54008', '9 50'],
  ] as const;

  it.each(systems)('of %s is read by PROJ as the same system', async (code, place) => {
    const json = await write(code);
    if (json === undefined) throw new Error(`${code} has no PROJJSON.`);
    // Without its code, only the definition counts.
    const { id: _, ...definition } = json;
    const model = (await findCrs(code))?.model;
    const source = (model?.kind === 'projected' ? model.base.code : undefined) ?? 'EPSG:4326';

    const here = transform(source, JSON.stringify(definition), place);
    const expected = transform(source, code, place);

    for (const axis of [0, 1] as const) expect(here[axis]).toBeCloseTo(expected[axis] ?? Number.NaN, 2);
  });
});
