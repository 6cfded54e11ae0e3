import { describe, expect, test } from 'vitest';
import {
  column,
  createCollection,
  encodeText,
  geometryColumn,
  type MadeUpSet,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import { kml } from './kml.ts';

describe('KML', () => {
  test('writes a folder per type, with placemarks that use the schema of the type', async () => {
    const towns: MadeUpSet = {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('name', 'string'), column('big', 'boolean')],
      rows: [
        [wkt('POINT Z (7.123456789 46.5 400)'), 'a & b', true],
        [null, null, null],
      ],
    };

    expect(await encodeText(kml, createCollection([towns]))).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
        '<Schema name="towns" id="towns"><SimpleField name="name" type="string"/>' +
        '<SimpleField name="big" type="bool"/></Schema>' +
        '<Folder><name>towns</name>' +
        '<Placemark id="towns.1"><name>towns.1</name><ExtendedData><SchemaData schemaUrl="#towns">' +
        '<SimpleData name="name">a &amp; b</SimpleData><SimpleData name="big">1</SimpleData>' +
        '</SchemaData></ExtendedData><Point><coordinates>7.12345679,46.5,400</coordinates></Point></Placemark>' +
        '<Placemark id="towns.2"><name>towns.2</name><ExtendedData><SchemaData schemaUrl="#towns">' +
        '</SchemaData></ExtendedData></Placemark>' +
        '</Folder></Document></kml>',
    );
  });

  test('is well-formed for arbitrary names', async () => {
    const odd: MadeUpSet = {
      name: '1 <odd> & "name"',
      attributes: [column('a<"b', 'string')],
      rows: [['\u0000]]>\ud800']],
    };

    const text = await encodeText(kml, createCollection([odd, odd]));

    const reading = startReadingXml(text, { maxDepth: 10, maxNodes: 100 });
    expect(reading.advance(text.length)?.local).toBe('kml');
  });
});
