import { describe, expect, test } from 'vitest';
import {
  column,
  createCollection,
  encodeText,
  geometryColumn,
  type MadeUpSet,
  wkt,
} from '../../../test/support/feature-collections.ts';
import { wktSamples } from '../../../test/support/geometry-samples.ts';
import { csv } from './csv.ts';

const towns: MadeUpSet = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string'), column('pop', 'long'), column('since', 'timestamp')],
  rows: [
    [wkt('POINT (7.123456789 46.5)'), 'Zürich, "alt"', 12, new Date('2020-01-02T03:04:05Z')],
    [null, '', null, null],
    [wkt('POINT EMPTY'), 'two\nlines', -1, null],
  ],
};

describe('CSV', () => {
  test('writes ids first, quotes values that need it, and leaves null values empty', async () => {
    expect(await encodeText(csv, createCollection([towns]))).toBe(
      'FID,the_geom,name,pop,since\r\n' +
        'towns.1,"POINT (7.12345679 46.5)","Zürich, ""alt""",12,2020-01-02T03:04:05Z\r\n' +
        'towns.2,,"",,\r\n' +
        'towns.3,"POINT EMPTY","two\nlines",-1,\r\n',
    );
  });

  test('writes another separator on request, and y first if the CRS requires it', async () => {
    const options = { decimals: 2, separator: ';' };

    const text = await encodeText(csv, createCollection([{ ...towns, isNorthFirst: true }], { options }));

    expect(text).toContain('FID;the_geom;name;pop;since\r\n');
    expect(text).toContain('towns.1;"POINT (46.5 7.12)";"Zürich, ""alt""";12;');
  });

  test('writes only the header for an empty result', async () => {
    expect(await encodeText(csv, createCollection([{ ...towns, rows: [] }]))).toBe('FID,the_geom,name,pop,since\r\n');
  });

  test.for(wktSamples)('writes %s unchanged', async (text) => {
    const set: MadeUpSet = { attributes: [geometryColumn()], rows: [[wkt(text)]] };

    expect(await encodeText(csv, createCollection([set]))).toBe(`FID,the_geom\r\nplaces.1,"${text}"\r\n`);
  });
});
