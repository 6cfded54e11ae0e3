import { describe, expect, test } from 'vitest';
import registry from './registry/registry.json' with { type: 'json' };
import { loadRegistry } from './registry/registry.ts';
import { qualifyCode } from './registry/registry-rows.ts';
import { findCrs, resolveCrs } from './resolve-crs.ts';
import { readCrs } from './wkt/read-crs.ts';
import { parseWkt } from './wkt/wkt-node.ts';
import { writeCrs } from './wkt/write-crs.ts';

describe('CRS lookup by code', () => {
  test('returns a geographic CRS', async () => {
    expect(await findCrs('EPSG:4326')).toMatchObject({
      code: 'EPSG:4326',
      name: 'WGS 84',
      kind: 'geographic',
      proj4: '+proj=longlat +a=6378137 +rf=298.257223563 +no_defs',
      wkt: 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AXIS["Longitude",EAST],AXIS["Latitude",NORTH],AUTHORITY["EPSG","4326"]]',
      areaOfUse: { west: -180, south: -90, east: 180, north: 90 },
      axisOrder: 'north-east',
    });
  });

  test('returns a projected CRS with a datum shift instead of a grid', async () => {
    const grid = await findCrs('EPSG:27700');

    expect(grid).toMatchObject({
      name: 'OSGB36 / British National Grid',
      kind: 'projected',
      axisOrder: 'east-north',
      areaOfUse: { west: -9.01, south: 49.75, east: 2.01, north: 61.01 },
    });
    expect(grid?.proj4).toContain('+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489');
    expect(grid?.proj4).not.toContain('nadgrids');
    expect(grid?.wkt).toContain('PROJECTION["Transverse_Mercator"]');
  });

  test('returns a CRS in feet, in grads from Paris, in three dimensions and with heights', async () => {
    expect((await findCrs('EPSG:2263'))?.wkt).toContain('PARAMETER["false_easting",984250]');
    expect((await findCrs('EPSG:27572'))?.wkt).toContain('PARAMETER["latitude_of_origin",52]');
    expect((await findCrs('EPSG:27572'))?.proj4).toContain('+pm=2.33722917');
    expect(await findCrs('EPSG:4979')).toMatchObject({ code: 'EPSG:4979', name: 'WGS 84', kind: 'geographic' });
    expect(await findCrs('EPSG:7405')).toMatchObject({ code: 'EPSG:7405', kind: 'projected' });
  });

  test('returns a geocentric CRS', async () => {
    expect(await findCrs('EPSG:4978')).toMatchObject({
      code: 'EPSG:4978',
      name: 'WGS 84',
      kind: 'geocentric',
      proj4: '+proj=geocent +a=6378137 +rf=298.257223563 +units=m +no_defs',
      wkt: 'GEOCCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["metre",1],AXIS["Geocentric X",OTHER],AXIS["Geocentric Y",OTHER],AXIS["Geocentric Z",NORTH],AUTHORITY["EPSG","4978"]]',
    });
  });

  test('returns a deprecated CRS', async () => {
    expect(await findCrs('EPSG:4024')).toMatchObject({
      code: 'EPSG:4024',
      name: 'Unknown datum based upon the Krassowsky 1940 ellipsoid',
      kind: 'geographic',
      axisOrder: 'north-east',
    });
  });

  test('returns name and WKT of a CRS that has no model', async () => {
    const tananarive = await findCrs('EPSG:22700');

    expect(tananarive?.name).toBe('Deir ez Zor / Levant Zone');
    expect(tananarive?.wkt).toContain('PROJCS[');
  });

  test('accepts every spelling and returns undefined for an unknown code', async () => {
    expect((await findCrs('urn:ogc:def:crs:EPSG::2154'))?.name).toBe('RGF93 v1 / Lambert-93');
    expect(await findCrs('EPSG:999999')).toBeUndefined();
    expect(await findCrs('nonsense')).toBeUndefined();
  });
});

describe('CRS reference resolution', () => {
  test('keeps the WKT of the data and reads everything else from the code', async () => {
    const resolved = await resolveCrs({ code: 'EPSG:2154', wkt: 'PROJCS["as it came"]' });

    expect(resolved).toMatchObject({ code: 'EPSG:2154', name: 'RGF93 v1 / Lambert-93', wkt: 'PROJCS["as it came"]' });
  });

  test('resolves a reference without a code from its WKT', async () => {
    const wkt =
      'PROJCS["Ours",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",7.5],PARAMETER["Scale_Factor",1.0],UNIT["Meter",1.0]]';

    const resolved = await resolveCrs({ wkt });

    expect(resolved).toMatchObject({ name: 'Ours', kind: 'projected', wkt });
    expect(resolved?.code).toBeUndefined();
    expect(resolved?.proj4).toContain('+proj=tmerc +lat_0=0 +lon_0=7.5');
  });

  test('returns undefined for an empty or unreadable reference', async () => {
    expect(await resolveCrs({})).toBeUndefined();
    expect(await resolveCrs({ wkt: 'rubbish' })).toBeUndefined();
  });
});

describe('CRS registry', () => {
  const codes = [...registry.geographic, ...registry.projected].map((row) => qualifyCode(row.split('\t')[0] ?? ''));

  test('the registry file stays below its size limit', () => {
    expect(JSON.stringify(registry).length).toBeLessThan(1_500_000);
    expect(codes.length).toBeGreaterThan(9_000);
  });

  test('writes every CRS as WKT that is read back as the same CRS', async () => {
    const { find } = await loadRegistry();

    for (const code of codes) {
      const model = find(code)?.model;
      const text = model === undefined ? '' : writeCrs(model);
      const node = parseWkt(text);
      const again = node === undefined ? undefined : readCrs(node);

      expect(again === undefined ? code : writeCrs(again)).toBe(text);
    }
  });

  test('every compound CRS has a horizontal CRS', async () => {
    const { find } = await loadRegistry();

    const missing = registry.compound.filter((row) => find(row.split('\t')[0] ?? '')?.model === undefined);

    expect(missing).toEqual([]);
  });
});
