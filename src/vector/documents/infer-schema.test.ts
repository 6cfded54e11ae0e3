import fc from 'fast-check';
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { toIdentifiedDocument } from './bson-document.ts';
import { readDocumentSchema, writeDocumentSchema } from './document-schema.ts';
import { createSchemaInference } from './infer-schema.ts';

/** Converts like the driver. */
function typed(document: BSON.Document): BSON.Document {
  return BSON.deserialize(BSON.serialize(document), { promoteValues: false });
}

function infer(documents: readonly BSON.Document[], indexed: readonly string[] = []) {
  const inference = createSchemaInference();
  for (const document of documents) inference.add(toIdentifiedDocument(typed(document)).root);
  const schema = inference.buildSchema({ typeName: 'places', collection: 'places', indexed });
  return { schema, warnings: inference.listWarnings() };
}

/** Returns names with types, `*` for repeated fields. */
function typesOf(documents: readonly BSON.Document[], indexed: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    infer(documents, indexed).schema.attributes.map((each) => [
      each.name,
      each.kind === 'geometry' ? each.encoding : `${each.type}${each.isMany ? '*' : ''}`,
    ]),
  );
}

const point = { type: 'Point', coordinates: [50, 60] };

describe('document schemas', () => {
  it('are written as JSON that other servers read', () => {
    const { schema } = infer([{ _id: 1, geometry: point, properties: { city: 'Berne' } }]);

    expect(writeDocumentSchema(schema)).toBe(
      '{"typeName":"places","userData":{"collection":"places"},' +
        '"geometryDescriptor":{"localName":"geometry","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG:4326"}}},' +
        '"attributeDescriptors":[' +
        '{"localName":"geometry","type":{"binding":"org.locationtech.jts.geom.Geometry"},"userData":{"encoding":"GeoJSON","mapping":"geometry"}},' +
        '{"localName":"properties.city","minOccurs":0,"maxOccurs":1,"type":{"binding":"java.lang.String"},"userData":{"mapping":"properties.city"}}]}',
    );
  });

  it('are read from the JSON of other servers', () => {
    const text =
      '{"typeName":"places","userData":{"collection":"p"},"geometryDescriptor":{"localName":"location","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG:3857"}}},' +
      '"attributeDescriptors":[{"localName":"location","type":{"binding":"com.vividsolutions.jts.geom.Point"},"userData":{"encoding":"GeoJSON","mapping":"geometry"}},' +
      '{"localName":"city","minOccurs":0,"maxOccurs":1,"defaultValue":null,"type":{"binding":"java.lang.String"},"userData":{"mapping":"properties.city"}}]}';

    expect(readDocumentSchema(text)).toEqual({
      typeName: 'places',
      collection: 'p',
      geometry: { name: 'location', crs: 'EPSG:3857' },
      attributes: [
        { kind: 'geometry', name: 'location', path: 'geometry', encoding: 'GeoJSON' },
        { kind: 'value', name: 'city', path: 'properties.city', type: 'string', isMany: false },
      ],
    });
  });

  it.each([
    ['[', /not valid JSON/],
    ['{}', /no 'typeName'/],
    ['{"typeName":"a"}', /no 'attributeDescriptors' list/],
    ['{"typeName":"a","attributeDescriptors":[{}]}', /no 'localName'/],
    [
      '{"typeName":"a","attributeDescriptors":[{"localName":"x"},{"localName":"x"}]}',
      /two attributes have the same name/,
    ],
    ['{"typeName":"a","geometryDescriptor":{"localName":"g"},"attributeDescriptors":[]}', /its geometry 'g'/],
  ])('are rejected if the text is %s', (text, reason) => {
    expect(() => readDocumentSchema(text)).toThrow(reason);
  });

  it('have a type for every kind of value', () => {
    expect(
      typesOf([
        {
          _id: new BSON.ObjectId(),
          text: 'a',
          flag: true,
          int: 1,
          long: BSON.Long.fromString('9007199254740993'),
          double: 1.5,
          decimal: BSON.Decimal128.fromString('1.10'),
          date: new Date(0),
          owner: new BSON.ObjectId(),
          bytes: new BSON.Binary(Buffer.from('x')),
          uuid: new BSON.UUID(),
          nothing: null,
        },
      ]),
    ).toEqual({
      text: 'string',
      flag: 'boolean',
      int: 'integer',
      long: 'long',
      double: 'double',
      decimal: 'decimal',
      date: 'timestamp',
      owner: 'string',
      bytes: 'bytes',
      uuid: 'uuid',
      nothing: 'string',
    });
  });

  it('include nested objects and arrays of objects', () => {
    const station = {
      name: 'station 1',
      contact: { mail: 'a@b.c', phone: { home: 1 } },
      tags: ['a', 'b'],
      empty: [],
      measurements: [
        { name: 'temp', values: [{ time: 1, value: 20 }] },
        { name: 'wind', unit: 'km/h', values: [] },
      ],
    };

    expect(typesOf([station])).toEqual({
      name: 'string',
      'contact.mail': 'string',
      'contact.phone.home': 'integer',
      tags: 'list*',
      empty: 'list*',
      'measurements.name': 'string*',
      'measurements.values.time': 'integer*',
      'measurements.values.value': 'integer*',
      'measurements.unit': 'string*',
      'measurements.values': 'list*',
    });
  });

  it('widen types that differ between documents', () => {
    const documents = [
      { a: 1, b: 1, c: 1, d: new Date(0), e: 1, f: 'x', g: null },
      {
        a: BSON.Long.fromNumber(2),
        b: 1.5,
        c: BSON.Decimal128.fromString('1'),
        d: 'soon',
        e: true,
        f: { y: 1 },
        g: 3,
        h: 1,
      },
    ];

    expect(typesOf(documents)).toEqual({
      a: 'long',
      b: 'double',
      c: 'decimal',
      d: 'string',
      e: 'string',
      f: 'string',
      'f.y': 'integer',
      g: 'integer',
      h: 'integer',
    });
  });

  it('use the indexed geometry as default and its declared CRS', () => {
    const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
    const documents = [{ first: point, second: { ...point, crs } }];

    expect(infer(documents).schema.geometry).toEqual({ name: 'first', crs: 'EPSG:4326' });
    expect(infer(documents, ['second']).schema.geometry).toEqual({ name: 'second', crs: 'EPSG:3857' });
    expect(infer([{ a: 1 }]).schema.geometry).toBeUndefined();
  });

  it('treat coordinate pairs as points if the name or an index indicates it', () => {
    const documents = [{ loc: [1, 2], range: [1, 2], at: [3, 4], position: { lng: 5, lat: 6 }, size: { x: 1, y: 2 } }];

    expect(typesOf(documents, ['at'])).toEqual({
      at: 'Legacy',
      loc: 'Legacy',
      range: 'list*',
      position: 'Legacy',
      'size.x': 'integer',
      'size.y': 'integer',
    });
  });

  it('contain no geometry if some documents have other values', () => {
    expect(typesOf([{ where: point }, { where: 'unknown' }])).toEqual({ where: 'string' });
  });

  it('omit names that paths cannot express, with a warning', () => {
    const { schema, warnings } = infer([{ 'a.b': 1, $c: 2, '': 3, d: 4 }]);

    expect(schema.attributes.map(({ name }) => name)).toEqual(['d']);
    expect(warnings).toEqual(['Fields are omitted if their name is empty, begins with $ or contains a dot.']);
  });

  it('support fields named like object members', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c","toString":"t"}');

    expect(typesOf([hostile])).toEqual({
      '__proto__.polluted': 'integer',
      constructor: 'string',
      toString: 'string',
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('stay small for any documents', () => {
    let deep: BSON.Document = { end: 1 };
    for (let level = 0; level < 90; level += 1) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`field${index}`, index]));
    const long = { list: Array.from({ length: 200_000 }, (_, index) => ({ [`x${index}`]: 1 })) };

    const { schema, warnings } = infer([deep, wide, long]);

    expect(schema.attributes).toHaveLength(1_000);
    expect(warnings).toHaveLength(3);
  });

  it('are read back unchanged for any documents', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 }), (documents) => {
        const { schema } = infer(documents);

        expect(readDocumentSchema(writeDocumentSchema(schema))).toEqual(schema);
      }),
    );
  });
});
