import { describe, expect, test } from 'vitest';
import type { Schema } from './model/schema.ts';
import { readFilterFor, type WrittenFilter } from './read-filter.ts';
import type { UnnamedGeometries } from './resolve/resolve.ts';

const schemaIn = (crs: string): Schema => ({
  attributes: [
    { name: 'pop', type: 'number' },
    { name: 'geom', type: 'geometry', crs },
  ],
});

async function pointOf(written: WrittenFilter, crs: string, unnamed?: UnnamedGeometries): Promise<readonly number[]> {
  const filter = await readFilterFor(written, schemaIn(crs), unnamed);
  if (filter.kind !== 'relation' || filter.right.kind !== 'geometry') throw new Error('A relation was expected.');
  return [...filter.right.geometry.ordinates];
}

const pointInXml = (srsName: string): WrittenFilter => ({
  language: 'filter-xml',
  text: `<Filter xmlns:gml="http://www.opengis.net/gml"><Intersects><PropertyName>geom</PropertyName><gml:Point${srsName && ` srsName="${srsName}"`}><gml:pos>10 20</gml:pos></gml:Point></Intersects></Filter>`,
});
const asXy = [10, 20];
const asYx = [20, 10];

describe('axis order in filters', () => {
  test.each([
    ['EPSG:4326', asXy],
    ['urn:ogc:def:crs:EPSG::4326', asYx],
    ['urn:x-ogc:def:crs:EPSG:4326', asYx],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', asYx],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', asXy],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', asXy],
    ['CRS:84', asXy],
  ])('follows the CRS name %s', async (srsName, expected) => {
    expect(await pointOf(pointInXml(srsName), 'EPSG:4326')).toEqual(expected);
  });

  test('follows the authority for a projected CRS if its name requires it', async () => {
    expect(await pointOf(pointInXml('urn:ogc:def:crs:EPSG::3035'), 'EPSG:3035')).toEqual(asYx);
    expect(await pointOf(pointInXml('urn:ogc:def:crs:EPSG::27700'), 'EPSG:27700')).toEqual(asXy);
  });

  test('follows the service for geometries without a CRS name', async () => {
    const ecql: WrittenFilter = { language: 'ecql', text: 'INTERSECTS(geom, POINT(10 20))' };

    expect(await pointOf(ecql, 'EPSG:4326')).toEqual(asXy);
    expect(await pointOf(ecql, 'EPSG:4326', { inAuthorityOrder: true })).toEqual(asYx);
    expect(await pointOf(ecql, 'EPSG:3857', { inAuthorityOrder: true })).toEqual(asXy);
    expect(await pointOf(pointInXml(''), 'EPSG:4326', { inAuthorityOrder: true })).toEqual(asYx);
  });

  test('is x first in ECQL for a named CRS, regardless of the service', async () => {
    const ecql: WrittenFilter = { language: 'ecql', text: 'INTERSECTS(geom, SRID=4326;POINT(10 20))' };

    expect(await pointOf(ecql, 'EPSG:4326', { inAuthorityOrder: true })).toEqual(asXy);
  });

  test('follows the CRS of the service and converts coordinates to the CRS of the data', async () => {
    const ecql: WrittenFilter = { language: 'ecql', text: 'INTERSECTS(geom, POINT(10 20))' };
    const srsName = 'http://www.opengis.net/def/crs/EPSG/0/4326';

    expect(await pointOf(ecql, 'EPSG:4326', { srsName })).toEqual(asYx);
    const [x = 0, y = 0] = await pointOf(ecql, 'EPSG:3857', { srsName: 'CRS:84' });
    expect(x).toBeCloseTo(1113194.9079, 3);
    expect(y).toBeCloseTo(2273030.927, 3);
  });
});

test('a box without a geometry attribute applies to the default geometry', async () => {
  const { attributes } = schemaIn('EPSG:4326');
  const schema = {
    attributes: [...attributes, { name: 'outline', type: 'geometry', crs: 'EPSG:4326' } as const],
    defaultGeometry: 'outline',
  };
  const box = '<gml:Box><gml:coordinates>1,2 3,4</gml:coordinates></gml:Box>';
  const text = `<Filter xmlns:gml="http://www.opengis.net/gml"><BBOX>${box}</BBOX></Filter>`;

  expect(await readFilterFor({ language: 'filter-xml', text }, schema)).toMatchObject({ left: { name: 'outline' } });
});

describe('invalid filters', () => {
  test.each<[WrittenFilter, string]>([
    [{ language: 'ecql', text: 'pop >' }, 'The filter is not valid ECQL at line 1, column 6: '],
    [{ language: 'ecql', text: 'pop > 1 AND\npup = 2' }, 'The filter is not valid ECQL at line 2, column 1: '],
    [
      { language: 'cql2-text', text: 'pop > 1 AND\npup = 2' },
      "The filter is not valid CQL2 at line 2, column 1: unknown attribute 'pup'; did you mean 'pop'?",
    ],
    [
      { language: 'cql2-json', text: '{"op":"not","args":[{"op":"=","args":[{"property":"pop"},"many"]}]}' },
      "The filter is not valid CQL2 JSON at $.args[0].args[1]: 'many' cannot be compared with numbers.",
    ],
    [
      { language: 'cql2-text', text: 'quantise(pop, 1) = 2' },
      "The filter is not valid CQL2 at line 1, column 1: unknown function 'quantise'.",
    ],
    [
      {
        language: 'filter-xml',
        text: '<Filter><PropertyIsNull><PropertyName>pup</PropertyName></PropertyIsNull></Filter>',
      },
      "The filter is not valid Filter Encoding at Filter/PropertyIsNull/PropertyName (line 1, column 25): unknown attribute 'pup'; did you mean 'pop'?",
    ],
    [
      pointInXml('EPSG:999999'),
      "The filter is not valid Filter Encoding at Filter/Intersects/Point (line 1, column 93): unknown coordinate reference system 'EPSG:999999'.",
    ],
  ])('rejects %j', async (written, message) => {
    await expect(readFilterFor(written, schemaIn('EPSG:4326'))).rejects.toMatchObject({
      code: 'filter-invalid',
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['//pop'],
    ['pop[1]'],
    ['../pop'],
    ['a/b/pop'],
    ["exec(java.lang.Runtime.getRuntime(),'touch x')"],
    ['pop | //pop'],
    ['@pop'],
    ['*'],
  ])('rejects the path %s without evaluating it', async (name) => {
    const text = `<Filter><PropertyIsNull><PropertyName>${name}</PropertyName></PropertyIsNull></Filter>`;

    await expect(readFilterFor({ language: 'filter-xml', text }, schemaIn('EPSG:4326'))).rejects.toMatchObject({
      code: 'filter-invalid',
    });
  });

  test.each([['svc:pop'], ['svc:blocks/svc:pop'], ['blocks/pop']])('accepts %s as an attribute name', async (name) => {
    const text = `<Filter><PropertyIsNull><PropertyName>${name}</PropertyName></PropertyIsNull></Filter>`;

    expect(await readFilterFor({ language: 'filter-xml', text }, schemaIn('EPSG:4326'))).toEqual({
      kind: 'isNull',
      value: { kind: 'attribute', type: 'number', name: 'pop' },
    });
  });

  test('rejects a filter that exceeds a size limit and names the limit', async () => {
    const deep = `<Filter>${'<Not>'.repeat(90)}<PropertyIsNull><PropertyName>pop</PropertyName></PropertyIsNull>${'</Not>'.repeat(90)}</Filter>`;
    const tooDeep = deep.replace('<Not>', '<Not>'.repeat(20)).replace('</Not>', '</Not>'.repeat(20));
    const polygon = `INTERSECTS(geom, LINESTRING(${Array.from({ length: 10_001 }, (_, at) => `${at} 0`).join(',')}))`;
    const schema = schemaIn('EPSG:4326');

    await expect(readFilterFor({ language: 'filter-xml', text: deep }, schema)).resolves.toBeDefined();
    await expect(readFilterFor({ language: 'filter-xml', text: tooDeep }, schema)).rejects.toMatchObject({
      code: 'document-too-deep',
      message: expect.stringContaining('100'),
    });
    await expect(readFilterFor({ language: 'ecql', text: polygon }, schema)).rejects.toMatchObject({
      message: expect.stringContaining('more than 10000 positions'),
    });
  });
});
