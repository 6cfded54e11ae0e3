/** Compares schemas, values and geometries. */
import { describe, expect, it } from 'vitest';
import { readXmlDocument } from '../http/read-xml-document.ts';
import { compareGeometries } from './compare-geometries.ts';
import { compareSamples } from './compare-samples.ts';
import { compareSchemas } from './compare-schemas.ts';
import { hasSameValue } from './compare-values.ts';
import { readProperties } from './read-schema.ts';

const schema = (elements: string) =>
  readXmlDocument(
    Buffer.from(`<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:topp="http://topp">
      <xsd:complexType name="roadsType"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>${elements}
      </xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>
      <xsd:element name="roads" substitutionGroup="gml:AbstractFeature" type="topp:roadsType"/></xsd:schema>`),
  );

describe('readProperties', () => {
  it('returns names and types without prefixes, also of restricted types', () => {
    const found = readProperties(
      schema(`<xsd:element name="geom" type="gml:PointPropertyType"/><xsd:element name="code">
        <xsd:simpleType><xsd:restriction base="xsd:string"><xsd:maxLength value="3"/></xsd:restriction></xsd:simpleType></xsd:element>`),
      'topp:roads',
    );

    expect(found).toEqual([
      { name: 'geom', type: 'PointPropertyType' },
      { name: 'code', type: 'string' },
    ]);
  });

  it('rejects a schema that defines the type in another document', () => {
    const text =
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="http://x/y.xsd"/></xs:schema>';

    expect(() => readProperties(readXmlDocument(Buffer.from(text)), 'topp:roads')).toThrow(
      "The schema does not contain the type 'roadsType'.",
    );
  });
});

describe('compareSchemas', () => {
  it('reports missing and additional properties, other types and another order', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, type: 'string' })) as [never, never, never];

    expect(compareSchemas([a, b, c], [a, b, c])).toEqual([]);
    expect(
      compareSchemas([a, b, c], [b, a, { name: 'd', type: 'int' }]).map(({ code, message }) => [code, message]),
    ).toEqual([
      ['property-missing', "The new server lacks the property 'c'."],
      ['property-extra', "Only the new server has the property 'd'."],
      ['order-differs', 'Order of properties: old a, b; new b, a.'],
    ]);
    expect(compareSchemas([a], [{ name: 'a', type: 'int' }])).toEqual([
      { check: 'schema', service: 'WFS', code: 'type-differs', message: "Type of 'a': old string, new int." },
    ]);
  });
});

describe('hasSameValue', () => {
  it.each([
    [12.3, 12.300000190734863],
    [0.1, 0.100_000_5],
    ['1191-01-01', '1191-01-01Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
    ['2020-01-01T01:00:00+01:00', '2020-01-01T00:00:00Z'],
    [{ a: [1, null] }, { a: [1, null], b: null }],
  ])('%j equals %j', (old, renewed) => {
    expect(hasSameValue(old, renewed)).toBe(true);
  });

  it.each([
    [1, 2],
    [1_000_000_000, 1_000_000_001],
    [0.1, 0.100_01],
    ['1', 1],
    ['', null],
    ['2020-01-01', '2020-01-02'],
    ['1191-01-01', '1191-01-01T00:00:00Z'],
    [[1, 2], [1]],
    [[1], { 0: 1 }],
  ])('%j differs from %j', (old, renewed) => {
    expect(hasSameValue(old, renewed)).toBe(false);
    expect(hasSameValue(renewed, old)).toBe(false);
  });
});

describe('compareGeometries', () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [7, 46.5],
      [8, 47],
    ],
  };

  it('allows differences of 1e-6', () => {
    expect(
      compareGeometries(line, {
        type: 'LineString',
        coordinates: [
          [7.000_000_9, 46.5],
          [8, 47],
        ],
      }),
    ).toBeUndefined();
  });

  it.each([
    [
      {
        type: 'LineString',
        coordinates: [
          [7.1, 46.5],
          [8, 47],
        ],
      },
      'coordinates differ by up to 0.1.',
    ],
    [
      {
        type: 'LineString',
        coordinates: [
          [46.5, 7],
          [47, 8],
        ],
      },
      'the servers write the axes in different orders.',
    ],
    [
      { type: 'LineString', coordinates: [[7, 46.5]] },
      'the LineString has 4 numbers on the old server and 2 on the new one.',
    ],
    [{ type: 'MultiLineString', coordinates: [line.coordinates] }, 'old LineString, new MultiLineString.'],
    [null, 'old LineString, new none.'],
  ])('describes the difference to %j', (renewed, expected) => {
    expect(compareGeometries(line, renewed)).toBe(expected);
  });

  it('compares the parts of collections', () => {
    const collection = (x: number) => ({
      type: 'GeometryCollection',
      geometries: [{ type: 'Point', coordinates: [x, 1] }],
    });

    expect(compareGeometries(collection(1), collection(1))).toBeUndefined();
    expect(compareGeometries(collection(1), collection(2))).toBe('coordinates differ by up to 1.');
  });
});

describe('compareSamples', () => {
  const feature = (id: string | undefined, name: string) => ({ id, geometry: null, properties: { name } });
  const describeSamples = (...lists: Parameters<typeof compareSamples>) =>
    compareSamples(...lists).map(({ message }) => message);

  it('pairs features by id in any order', () => {
    expect(
      describeSamples(
        [feature('r.1', 'a'), feature('r.2', 'b')],
        [feature('r.2', 'b'), feature('r.3', 'c'), feature('r.1', 'x')],
      ),
    ).toEqual(['Feature r.1, name: old "a", new "x".']);
  });

  it('reports features that the new server lacks', () => {
    expect(describeSamples([feature('r.1', 'a'), feature('r.2', 'b')], [feature('r.2', 'b')])).toEqual([
      'Feature r.1: the new server lacks it.',
    ]);
  });

  it('pairs features by position if the servers have no id in common', () => {
    expect(
      describeSamples([feature('fid-1', 'a'), feature('fid-2', 'b')], [feature('r.1', 'a'), feature('r.2', 'x')]),
    ).toEqual(['Feature fid-2, name: old "b", new "x".']);
  });

  it('counts further differences after the first twenty', () => {
    const many = (name: string) => Array.from({ length: 25 }, (_, index) => feature(`r.${index}`, name));

    expect(describeSamples(many('a'), many('b'))).toHaveLength(21);
    expect(describeSamples(many('a'), many('b')).at(-1)).toBe('5 more values differ.');
  });
});
