import { describe, expect, test } from 'vitest';
import { readCrsName, writeCrsName } from './axis-order.ts';

describe('axis order', () => {
  test.for([
    ['EPSG:4326', 'EPSG:4326', 'x y'],
    ['urn:ogc:def:crs:EPSG::4326', 'EPSG:4326', 'y x'],
    ['urn:ogc:def:crs:EPSG:6.9:4326', 'EPSG:4326', 'y x'],
    ['urn:x-ogc:def:crs:EPSG:4326', 'EPSG:4326', 'y x'],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', 'EPSG:4326', 'y x'],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', 'EPSG:4326', 'x y'],
    ['CRS:84', 'EPSG:4326', 'x y'],
    ['OGC:CRS84', 'EPSG:4326', 'x y'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326', 'x y'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'EPSG:4326', 'x y'],
    ['http://www.opengis.net/def/crs/OGC/0/CRS84h', 'EPSG:4979', 'x y'],
    ['EPSG:3857', 'EPSG:3857', 'x y'],
    ['EPSG:900913', 'EPSG:3857', 'x y'],
    ['urn:ogc:def:crs:EPSG::3857', 'EPSG:3857', 'x y'],
    ['urn:ogc:def:crs:EPSG::900913', 'EPSG:3857', 'x y'],
    ['4326', 'EPSG:4326', 'x y'],
  ] as const)('reads %s as %s with the axis order %s', async ([text, code, order]) => {
    const named = await readCrsName(text);

    expect(named).toMatchObject({ code, isNorthFirst: order === 'y x' });
  });

  test.for([
    [4326, 'y x'],
    [4258, 'y x'],
    [4269, 'y x'],
    [4617, 'y x'],
    [31466, 'y x'],
    [31467, 'y x'],
    [31468, 'y x'],
    [3035, 'y x'],
    [2180, 'y x'],
    [3301, 'y x'],
    [3844, 'y x'],
    [2193, 'y x'],
    [32661, 'y x'],
    [4979, 'y x'],
    [5514, 'x y'],
    [27700, 'x y'],
    [2056, 'x y'],
    [25832, 'x y'],
    [5041, 'x y'],
    [3031, 'x y'],
  ] as const)(
    'EPSG:%i has the axis order %s in authority order, and x y in its short name',
    async ([number, order]) => {
      const isNorthFirst = order === 'y x';

      expect(await readCrsName(`urn:ogc:def:crs:EPSG::${number}`)).toMatchObject({ isNorthFirst });
      expect(await readCrsName(`http://www.opengis.net/def/crs/EPSG/0/${number}`)).toMatchObject({ isNorthFirst });
      expect(await readCrsName(`EPSG:${number}`, 'as-authority')).toMatchObject({ isNorthFirst });
      expect(await readCrsName(`EPSG:${number}`)).toMatchObject({ isNorthFirst: false });
      expect(await readCrsName(`http://www.opengis.net/gml/srs/epsg.xml#${number}`)).toMatchObject({
        isNorthFirst: false,
      });
    },
  );

  test.for(['EPSG:999999', 'urn:ogc:def:crs:EPSG::999999', 'nonsense', ''])(
    'returns undefined for the unknown CRS name %j',
    async (text) => {
      expect(await readCrsName(text)).toBeUndefined();
    },
  );
});

describe('CRS name', () => {
  test.for([
    ['EPSG:2056', 'short'],
    ['urn:ogc:def:crs:EPSG::2056', 'urn'],
    ['urn:x-ogc:def:crs:EPSG:2056', 'experimental-urn'],
    ['http://www.opengis.net/def/crs/EPSG/0/2056', 'uri'],
    ['http://www.opengis.net/gml/srs/epsg.xml#2056', 'gml-uri'],
    ['OGC:CRS84', 'short'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'urn'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'uri'],
    ['http://www.opengis.net/def/crs/OGC/0/CRS84h', 'uri'],
  ] as const)('writes %s in the spelling that was read', async ([text, spelling]) => {
    const named = await readCrsName(text);

    expect(named?.spelling).toBe(spelling);
    expect(named && writeCrsName(named, spelling)).toBe(text);
  });
});
