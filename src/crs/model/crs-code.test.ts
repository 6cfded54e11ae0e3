import { expect, test } from 'vitest';
import { parseCrsCode } from './crs-code.ts';

test.for([
  ['EPSG:4326', 'EPSG:4326'],
  [' epsg:2154 ', 'EPSG:2154'],
  ['32633', 'EPSG:32633'],
  ['ESRI:102003', 'ESRI:102003'],
  ['urn:ogc:def:crs:EPSG::3857', 'EPSG:3857'],
  ['urn:ogc:def:crs:EPSG:9.8.15:27700', 'EPSG:27700'],
  ['urn:x-ogc:def:crs:EPSG:4326', 'EPSG:4326'],
  ['http://www.opengis.net/def/crs/EPSG/0/4326', 'EPSG:4326'],
  ['http://www.opengis.net/gml/srs/epsg.xml#4326', 'EPSG:4326'],
  ['CRS:84', 'EPSG:4326'],
  ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326'],
  ['EPSG:900913', 'EPSG:3857'],
  ['ESRI:102100', 'EPSG:3857'],
  ['EPSG:', undefined],
  ['EPSG:4326x', undefined],
  ['', undefined],
  ['EPSG:99999999999', undefined],
] as const)('parses %j as %s', ([text, code]) => {
  expect(parseCrsCode(text)).toBe(code);
});
