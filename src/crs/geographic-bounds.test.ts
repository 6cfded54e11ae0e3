import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bounds } from './bounds.ts';
import { computeGeographicBounds } from './geographic-bounds.ts';

const bounds = (minX: number, minY: number, maxX: number, maxY: number): Bounds => ({ minX, minY, maxX, maxY });

async function rounded(code: string, box: Bounds): Promise<readonly number[] | undefined> {
  const found = await computeGeographicBounds(box, { code });
  return found === undefined
    ? undefined
    : [found.minX, found.minY, found.maxX, found.maxY].map((value) => Number(value.toFixed(4)) + 0);
}

describe('geographic bounds', () => {
  test('bounds in WGS 84 are returned unchanged', async () => {
    const box = bounds(-179.999999999, -85.609_037_774_597_71, 180, 83.645_13);

    expect(await computeGeographicBounds(box, { code: 'EPSG:4326' })).toEqual(box);
  });

  test('geographic bounds contain the curved edges of a projected box', async () => {
    const [west, south, east, north] =
      (await rounded('EPSG:2154', bounds(100_000, 6_050_000, 1_250_000, 7_150_000))) ?? [];

    // The middle of the upper edge is further north than its corners.
    expect([west, south, east, north]).toEqual([-5.5715, 41.3073, 10.8621, 51.4441]);
  });

  test('the bounds of the whole web map cover the whole world', async () => {
    const edge = 20_037_508.342_789_244;

    expect(await rounded('EPSG:3857', bounds(-edge, -edge, edge, edge))).toEqual([-180, -85.0511, 180, 85.0511]);
  });

  test('bounds that touch the antimeridian stay on their side', async () => {
    const edge = 20_037_508.342_789_244;

    expect(await rounded('EPSG:3857', bounds(edge / 2, 0, edge, edge / 2))).toEqual([90, 0, 180, 66.5133]);
    expect(await rounded('EPSG:4269', bounds(170, 0, 180, 10))).toEqual([170, 0, 180, 10]);
    expect(await rounded('EPSG:4269', bounds(-180, 0, -170, 10))).toEqual([-180, 0, -170, 10]);
  });

  test('bounds that cross the antimeridian cover all longitudes', async () => {
    expect(await rounded('EPSG:32660', bounds(200_000, 5_000_000, 1_200_000, 5_500_000))).toMatchObject([
      -180,
      {},
      180,
      {},
    ]);
    expect((await rounded('EPSG:3832', bounds(1_000_000, 0, 5_000_000, 1_000_000)))?.slice(0, 3)).toEqual([
      -180, 0, 180,
    ]);
  });

  test('bounds around a pole extend to the pole', async () => {
    expect(await rounded('EPSG:3995', bounds(-1e6, -1e6, 1e6, 1e6))).toMatchObject([-180, {}, 180, 90]);
    expect(await rounded('EPSG:3031', bounds(-1e6, -1e6, 1e6, 1e6))).toMatchObject([-180, -90, 180, {}]);
    const beside = await rounded('EPSG:3995', bounds(1e6, -1e6, 2e6, 1e6));
    expect(beside?.[3]).toBeLessThan(90);
    expect(beside?.[0]).toBe(45);
  });

  test('longitudes from 0 to 360 are wrapped to -180 to 180', async () => {
    expect(await rounded('EPSG:4326', bounds(0, -10, 360, 10))).toEqual([-180, -10, 180, 10]);
    expect(await rounded('EPSG:4326', bounds(190, -10, 200, 10))).toEqual([-170, -10, -160, 10]);
    expect(await rounded('EPSG:4326', bounds(170, -10, 200, 10))).toEqual([-180, -10, 180, 10]);
    expect(await rounded('EPSG:4326', bounds(-180.000_000_1, -90.000_1, 180.000_000_1, 90.1))).toEqual([
      -180, -90, 180, 90,
    ]);
  });

  test('the bounds of a point are a point', async () => {
    expect(await rounded('EPSG:27700', bounds(530_000, 180_000, 530_000, 180_000))).toEqual([
      -0.1284, 51.504, -0.1284, 51.504,
    ]);
  });

  test('bounds in grads from Paris are converted to degrees from Greenwich', async () => {
    expect(await rounded('EPSG:4807', bounds(0, 50, 1, 51))).toEqual([2.3365, 45, 3.2366, 45.9]);
  });

  test('bounds are computed from a definition without a code', async () => {
    const wkt =
      'PROJCS["Ours",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",7.5],PARAMETER["Scale_Factor",1.0],UNIT["Meter",1.0]]';
    const found = await computeGeographicBounds(bounds(0, 0, 0, 0), { wkt });

    expect(found?.minX).toBeCloseTo(7.5, 9);
    expect(found?.maxY).toBeCloseTo(0, 9);
  });

  test('returns undefined for an unknown CRS, non-finite numbers and positions outside the Earth', async () => {
    expect(await computeGeographicBounds(bounds(0, 0, 1, 1), {})).toBeUndefined();
    expect(await computeGeographicBounds(bounds(0, 0, 1, 1), { code: 'EPSG:999999' })).toBeUndefined();
    expect(await computeGeographicBounds(bounds(Number.NaN, 0, 1, 1), { code: 'EPSG:2154' })).toBeUndefined();
    expect(await computeGeographicBounds(bounds(0, 500_000, 1, 600_000), { code: 'EPSG:4326' })).toBeUndefined();
    expect(await computeGeographicBounds(bounds(9e9, 9e9, 1e10, 1e10), { code: 'EPSG:3035' })).toBeUndefined();
  });

  test('geographic bounds are always on the Earth for random input', async () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -1e7, max: 1e7, noNaN: true }),
    );
    const codes = [
      'EPSG:4326',
      'EPSG:4269',
      'EPSG:3857',
      'EPSG:2154',
      'EPSG:3031',
      'EPSG:27700',
      'EPSG:5514',
      'EPSG:2048',
      'EPSG:2056',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...codes), value, value, value, value, async (code, a, b, c, d) => {
        const box = bounds(Math.min(a, b), Math.min(c, d), Math.max(a, b), Math.max(c, d));
        const found = await computeGeographicBounds(box, { code });
        if (found === undefined) return;
        expect(found.minX).toBeGreaterThanOrEqual(-180);
        expect(found.maxX).toBeLessThanOrEqual(180);
        expect(found.minY).toBeGreaterThanOrEqual(-90);
        expect(found.maxY).toBeLessThanOrEqual(90);
        expect(found.minX).toBeLessThanOrEqual(found.maxX);
        expect(found.minY).toBeLessThanOrEqual(found.maxY);
      }),
    );
  });
});

test('random numbers in a definition never throw', async () => {
  const number = fc.oneof(
    fc.constantFrom(0, 1, -1, 45, -45, 90, -90, 180, 360, 1e300, -1e300, 1e-300),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const projection = fc.constantFrom(
    'Transverse_Mercator',
    'Lambert_Conformal_Conic',
    'Albers',
    'Stereographic',
    'Double_Stereographic',
    'Lambert_Azimuthal_Equal_Area',
    'Hotine_Oblique_Mercator_Azimuth_Center',
    'Krovak',
    'Mercator',
    'Cassini',
    'Polyconic',
    'Bonne',
  );
  await fc.assert(
    fc.asyncProperty(projection, fc.array(number, { minLength: 9, maxLength: 9 }), async (name, numbers) => {
      const [axis = 1, flattening = 1, radians, easting, meridian, first, second, scale, origin] = numbers;
      const wkt = `PROJCS["Any",GEOGCS["Any",DATUM["Any",SPHEROID["Any",${axis},${flattening}]],PRIMEM["Any",0],UNIT["Any",${radians}]],PROJECTION["${name}"],PARAMETER["False_Easting",${easting}],PARAMETER["Central_Meridian",${meridian}],PARAMETER["Standard_Parallel_1",${first}],PARAMETER["Standard_Parallel_2",${second}],PARAMETER["Azimuth",${second}],PARAMETER["Scale_Factor",${scale}],PARAMETER["Latitude_Of_Origin",${origin}],UNIT["Meter",1.0]]`;

      const found = await computeGeographicBounds(bounds(-1e6, -1e6, 1e6, 1e6), { wkt });

      const isOnEarth = (box: Bounds): boolean =>
        box.minX >= -180 && box.maxX <= 180 && box.minY >= -90 && box.maxY <= 90;
      expect(found === undefined || isOnEarth(found)).toBe(true);
    }),
  );
});
