import { describe, expect, test } from 'vitest';
import { column, geometryColumn } from '../../../../test/support/feature-collections.ts';
import { geometryTypes } from '../../../geometry/geometry.ts';
import { valueTypes } from '../../../vector/port/port.ts';
import type { DescribedType } from './described-type.ts';
import { writeJsonSchema } from './json-schema.ts';
import { writeImportingSchema, writeXmlSchema } from './xml-schema.ts';

const towns: DescribedType = {
  typeName: { prefix: 'acme', uri: 'http://acme.example/ns?a&b', local: 'towns' },
  description: {
    attributes: [
      geometryColumn('MultiPolygon'),
      { ...column('name', 'string'), nillable: false },
      { ...column('tags', 'string'), maxOccurs: -1 },
      column('since', 'timestamp'),
      column('area', 'double'),
    ],
  },
};

describe('type schemas', () => {
  test('an XML schema targets one GML version', () => {
    expect(writeXmlSchema([towns], '3.2.1')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2"' +
        ' xmlns:acme="http://acme.example/ns?a&amp;b" elementFormDefault="qualified"' +
        ' targetNamespace="http://acme.example/ns?a&amp;b">' +
        '<xsd:import namespace="http://www.opengis.net/gml/3.2"' +
        ' schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>' +
        '<xsd:complexType name="townsType"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType">' +
        '<xsd:sequence>' +
        '<xsd:element maxOccurs="1" minOccurs="0" name="the_geom" nillable="true" type="gml:MultiSurfacePropertyType"/>' +
        '<xsd:element maxOccurs="1" minOccurs="1" name="name" type="xsd:string"/>' +
        '<xsd:element maxOccurs="unbounded" minOccurs="0" name="tags" nillable="true" type="xsd:string"/>' +
        '<xsd:element maxOccurs="1" minOccurs="0" name="since" nillable="true" type="xsd:dateTime"/>' +
        '<xsd:element maxOccurs="1" minOccurs="0" name="area" nillable="true" type="xsd:double"/>' +
        '</xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>' +
        '<xsd:element name="towns" substitutionGroup="gml:AbstractFeature" type="acme:townsType"/>' +
        '</xsd:schema>',
    );
  });

  test.for([
    ['2.1.2', 'http://www.opengis.net/gml', '2.1.2/feature.xsd', 'gml:_Feature', 'gml:MultiPolygonPropertyType'],
    ['3.1.1', 'http://www.opengis.net/gml', '3.1.1/base/gml.xsd', 'gml:_Feature', 'gml:MultiSurfacePropertyType'],
  ] as const)('an XML schema for %s uses the names of that version', ([version, gml, location, feature, geometry]) => {
    const text = writeXmlSchema([towns], version);

    expect(text).toContain(
      `<xsd:import namespace="${gml}" schemaLocation="http://schemas.opengis.net/gml/${location}"/>`,
    );
    expect(text).toContain(`substitutionGroup="${feature}"`);
    expect(text).toContain(`type="${geometry}"`);
  });

  test('has a type for every kind of attribute', () => {
    const attributes = [
      ...geometryTypes.map((type) => geometryColumn(type)),
      ...valueTypes.map((type) => column(type, type)),
    ];
    const types = [{ ...towns, description: { attributes } }];

    for (const version of ['2.1.2', '3.1.1', '3.2.1'] as const) {
      expect(writeXmlSchema(types, version).match(/type="(?:gml|xsd):[A-Za-z0-9]+"/g)).toHaveLength(attributes.length);
    }
  });

  test('a JSON schema has the members that clients expect', () => {
    expect(JSON.parse(writeJsonSchema([towns]))).toEqual({
      elementFormDefault: 'qualified',
      targetNamespace: 'http://acme.example/ns?a&b',
      targetPrefix: 'acme',
      featureTypes: [
        {
          typeName: 'towns',
          properties: [
            {
              name: 'the_geom',
              maxOccurs: 1,
              minOccurs: 0,
              nillable: true,
              type: 'gml:MultiPolygon',
              localType: 'MultiPolygon',
            },
            { name: 'name', maxOccurs: 1, minOccurs: 1, nillable: false, type: 'xsd:string', localType: 'string' },
            { name: 'tags', maxOccurs: -1, minOccurs: 0, nillable: true, type: 'xsd:string', localType: 'string' },
            {
              name: 'since',
              maxOccurs: 1,
              minOccurs: 0,
              nillable: true,
              type: 'xsd:date-time',
              localType: 'date-time',
            },
            { name: 'area', maxOccurs: 1, minOccurs: 0, nillable: true, type: 'xsd:number', localType: 'number' },
          ],
        },
      ],
    });
  });

  test('an XML schema for several namespaces imports each of them', () => {
    expect(writeImportingSchema([{ uri: 'urn:a', location: 'http://localhost/?a&b' }])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">' +
        '<xsd:import namespace="urn:a" schemaLocation="http://localhost/?a&amp;b"/></xsd:schema>',
    );
  });
});
