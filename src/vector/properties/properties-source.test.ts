import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createDeletion, createInsertion, createMutatedDocument } from '../../../test/support/text-mutations.ts';
import { describeType, listCoordinates, readAllFeatures, readGeometry } from '../../../test/support/vector-reading.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { openPropertyDirectory } from './properties-source.ts';

const folder = useTemporaryFolder('properties');
const source = openPropertyDirectory(folder);

/** Writes the file of the type `it`. */
function write(content: string | Buffer): Promise<void> {
  return writeFile(join(folder, 'it.properties'), content);
}

async function valuesOf(content: string | Buffer): Promise<readonly unknown[]> {
  await write(content);
  return (await readAllFeatures(source, 'it')).map(({ id, values }) => [id, ...values]);
}

describe('property files', () => {
  it('declare their attributes in the first line', async () => {
    await write(
      '_=id:Integer,big:Long,height:Double,weight:Float,open:Boolean,day:Date,at:Timestamp,name:String:nillable,*place:Point:srid=4326,area:MultiPolygon:srid=3857:nillable,any:Geometry\n',
    );

    const description = await describeType(source, 'it');

    const value = { nillable: true, kind: 'value' };
    const geometry = { nillable: true, kind: 'geometry', dimension: 'XY' };
    expect(description).toEqual({
      name: 'it',
      attributes: [
        { ...value, name: 'id', type: 'integer' },
        { ...value, name: 'big', type: 'long' },
        { ...value, name: 'height', type: 'double' },
        { ...value, name: 'weight', type: 'float' },
        { ...value, name: 'open', type: 'boolean' },
        { ...value, name: 'day', type: 'date' },
        { ...value, name: 'at', type: 'timestamp' },
        { ...value, name: 'name', type: 'string' },
        { ...geometry, name: 'place', type: 'Point', crs: { code: 'EPSG:4326' } },
        { ...geometry, name: 'area', type: 'MultiPolygon', crs: { code: 'EPSG:3857' } },
        { ...geometry, name: 'any', type: 'Geometry', crs: {} },
      ],
      defaultGeometry: 'place',
      count: 0,
    });
  });

  it('use the first geometry as default, and their bounds and count come from the features', async () => {
    await write('_=name:String,a:Point:srid=4326,b:Point\n1=x|POINT(1 2)|POINT(9 9)\n2=y|POINT(3 -4)|\n3=z||\n');

    expect(await describeType(source, 'it')).toMatchObject({
      defaultGeometry: 'a',
      bounds: { minX: 1, minY: -4, maxX: 3, maxY: 2 },
      count: 3,
    });
  });

  it('can have no geometry, and class names as types or no types', async () => {
    await write('_=name,rank:java.lang.Integer\n');

    const description = await describeType(source, 'it');

    expect(description.defaultGeometry).toBeUndefined();
    expect(description.attributes).toMatchObject([{ type: 'string' }, { type: 'integer' }]);
  });

  it('have a feature per line with values of the declared types', async () => {
    const values = await valuesOf(
      '_=i:Integer,l:Long,d:Double,f:Float,b:Boolean,day:Date,at:Timestamp,s:String\n' +
        'it.1=-7|9007199254740993|1.5e3|0.25|true|2024-02-29|2026-01-02T03:04:05Z|Wald & Wiese\n',
    );

    expect(values).toEqual([
      [
        'it.1',
        -7,
        9007199254740993n,
        1500,
        0.25,
        true,
        new Date('2024-02-29T00:00:00Z'),
        new Date('2026-01-02T03:04:05Z'),
        'Wald & Wiese',
      ],
    ]);
  });

  it('have WKT geometries, x before y; single geometries are promoted to the multi type of the attribute', async () => {
    await write('_=g:MultiPolygon:srid=4326\na=POLYGON((10 50,11 50,11 51,10 50))\n');

    const [feature] = await readAllFeatures(source, 'it');

    const geometry = feature === undefined ? null : readGeometry(feature);
    expect(geometry && listCoordinates(geometry)).toEqual([
      [
        [
          [10, 50],
          [11, 50],
          [11, 51],
          [10, 50],
        ],
      ],
    ]);
  });

  it('report the height dimension of their geometries', async () => {
    await write('_=g:Point:srid=4326\na=POINT(1 2 3)\n');

    expect((await describeType(source, 'it')).attributes[0]).toMatchObject({ dimension: 'XYZ' });
  });

  it('read null from empty values, <null>, and missing trailing values', async () => {
    expect(await valuesOf('_=a:String,b:Integer,c:Point,d:String\n1=| <null> ||\n2=x\n3=\n')).toEqual([
      ['1', null, null, null, null],
      ['2', 'x', null, null, null],
      ['3', null, null, null, null],
    ]);
  });

  it('continue a line after a backslash and accept any line ending', async () => {
    const values = await valuesOf('_=a:String,\\\r\n    b:String\r\n1=one \\\r   and more|t\\\n\t wo\r2=x|y');

    expect(values).toEqual([
      ['1', 'one and more', 'two'],
      ['2', 'x', 'y'],
    ]);
  });

  it('can contain comments and empty lines anywhere', async () => {
    expect(await valuesOf('# what it is\n\n  ! more\n_=a:String\n#1=no\n\t\n2=yes # and no comment\n')).toEqual([
      ['2', 'yes # and no comment'],
    ]);
  });

  it('support Java escapes', async () => {
    const values = await valuesOf(
      '_=a\\:String,b\\:String\nk\\=1=a\\|b|tab\\tline\\nreturn\\rfeed\\f \\u00e4\\u20AC \\\\ \\z\n2=\\ x\\ |\\\\\n',
    );

    expect(values).toEqual([
      ['k=1', 'a|b', 'tab\tline\nreturn\rfeed\f ä€ \\ z'],
      ['2', ' x ', '\\'],
    ]);
  });

  it('can have colons and spaces in ids', async () => {
    expect(await valuesOf('_=a:String\nurn:x:1 = y=z\n')).toEqual([['urn:x:1', 'y=z']]);
  });

  it('are read as UTF-8 with or without a byte order mark, and as ISO 8859-1 otherwise', async () => {
    const latin = Buffer.from('_=a:String\n1=Köln\n', 'latin1');

    expect(await valuesOf(Buffer.from('\ufeff_=a:String\n1=Köln €\n'))).toEqual([['1', 'Köln €']]);
    expect(await valuesOf(latin)).toEqual([['1', 'Köln']]);
    expect((await describeType(source, 'it')).warnings).toEqual([
      "'it' contains lines that are not valid UTF-8; they are read as ISO-8859-1.",
    ]);
  });

  it('produce warnings for a geometry without a CRS and for duplicate ids', async () => {
    await write('_=g:Point\na=POINT(1 2)\na=POINT(2 3)\n');

    expect((await describeType(source, 'it')).warnings).toEqual([
      "The geometry 'g' of 'it' has no srid, so its coordinate reference system is unknown. Set the srs of the feature type.",
      "'it' has several features with the id 'a'.",
    ]);
  });

  it('are read in chunks regardless of where they are split', async () => {
    const long = 'x'.repeat(1_048_576 - '_=a:String\r\n1='.length - 1);
    for (const ending of ['\r\n', '\n', '\r', '\\\r\n  y\r\n']) {
      const values = await valuesOf(`_=a:String\r\n1=${long}${ending}2=z\n`);

      expect(values).toEqual([
        ['1', ending.includes('y') ? `${long}y` : long],
        ['2', 'z'],
      ]);
    }
  });

  it('are read again immediately after a change', async () => {
    await write('_=a:String\n1=x\n');
    expect((await describeType(source, 'it')).count).toBe(1);

    await write('_=b:Integer,g:Point\n1=1|\n2=2|\n');

    expect(await describeType(source, 'it')).toMatchObject({ count: 2, attributes: [{ name: 'b' }, { name: 'g' }] });
  });

  it('are listed even if damaged, and report the error on access', async () => {
    await write('no schema here');

    expect(await source.listTypes(new AbortController().signal)).toEqual([{ name: 'it', hasGeometry: false }]);
    await expect(describeType(source, 'it')).rejects.toThrow("The file 'it.properties' is not valid at byte 0");
  });

  it('are not found through a link that leaves the folder', async () => {
    await write('_=a:String\n');
    const link = join(folder, 'out.properties');
    await symlink('/etc/hostname', link);

    const types = await source.listTypes(new AbortController().signal);
    await rm(link);

    expect(types.map(({ name }) => name)).toEqual(['it']);
  });

  it.each([
    ['', 0, "in line 1, the attribute line is missing, for example '_=name:String,place:Point:srid=4326'"],
    [
      'a=b',
      0,
      "in line 1, the first line must declare the attributes, for example '_=name:String,place:Point:srid=4326'",
    ],
    ['_=', 0, 'in line 1, an attribute has no name'],
    ['_=a:String,a:Integer', 0, "in line 1, two attributes have the name 'a'"],
    ['_=a:Text', 0, "in line 1, the type 'Text' of 'a' is unknown; use String,"],
    ['_=a:constructor', 0, "in line 1, the type 'constructor' of 'a' is unknown"],
    ['_=a:String:srid=4326', 0, "in line 1, the suffix 'srid=4326' after the type of 'a' is unknown; use nillable"],
    [
      '_=a:Point:srid=x',
      0,
      "in line 1, the suffix 'srid=x' after the type of 'a' is unknown; use nillable or srid=4326",
    ],
    ['_=*a:String', 0, "in line 1, 'a' is marked with * as the default geometry, but is not a geometry"],
    ['_=*a:Point,*b:Point', 0, "in line 1, both 'a' and 'b' are marked with * as the default geometry"],
    ['_=a:String\n# x\n1=x\n2=a|b', 19, "in line 4, '2' has 2 values, but there are 1 attributes"],
    ['_=a:String\nonly text', 11, "in line 2, the line does not have the form 'id=value|value'"],
    ['_=a:String\n=x', 11, "in line 2, the id before '=' is missing"],
    ['_=a:String\n_=a:String', 11, 'in line 2, the attributes are declared twice'],
    ['_=a:String\n1=\\u12', 11, "in line 2, '\\u' must be followed by four hexadecimal digits"],
    ['_=a:String\n1=\\ud800', 11, 'in line 2, a surrogate pair is incomplete'],
    ['_=a:Integer\n1=1.5', 12, "in line 2, the value of 'a' is invalid because 1.5 is not an integer"],
    ['_=a:Integer\n1=2147483648', 12, "in line 2, the value of 'a' is invalid because 2147483648 is outside the range"],
    ['_=a:Double\n1=NaN', 11, "in line 2, the value of 'a' is invalid because 'NaN' is not a number"],
    ['_=a:Boolean\n1=maybe', 12, "in line 2, the value of 'a' is invalid because 'maybe' is neither true nor false"],
    ['_=a:Date\n1=2023-02-29', 9, "in line 2, the value of 'a' is invalid because '2023-02-29' is not a date"],
    [
      '_=a:Date\n1=2023-02-28T01:00:00Z',
      9,
      "'2023-02-28T01:00:00Z' has a time of day, which requires the type Timestamp",
    ],
    ['_=a:Timestamp\n1=yesterday', 14, "'yesterday' is not a date such as"],
    [
      '_=a:Point\n1=POINT(1)',
      10,
      "in line 2, the value of 'a' is invalid because a number was expected, but ')' was found",
    ],
    ['_=a:Point\n1=LINESTRING(1 1,2 2)', 10, 'the geometry is a LineString, but the column accepts only Point'],
  ])('are rejected as %j with the line and the reason', async (content, offset, reason) => {
    await write(content);

    const refusal = describeType(source, 'it');

    await expect(refusal).rejects.toMatchObject({ code: 'vector-file-malformed', details: { offset } });
    await expect(refusal).rejects.toThrow(reason);
  });

  it('are read, or rejected with a reason, after arbitrary mutations', { timeout: 120_000 }, async () => {
    const samples = [
      '# comment\n_=name:String,*place:Point:srid=4326,n:Integer,d:Date\na.1=x|POINT(1 2)|3|2026-01-01\na.2=\\u00e4\\|\\n|<null>|\\\n 4|\n',
      '_=g:Geometry,b:Boolean\r\n1=MULTIPOLYGON(((0 0,1 0,1 1,0 0)))|true\r\n2=GEOMETRYCOLLECTION(POINT Z(1 2 3))|false\r\n',
    ];
    const pieces = [
      '\\',
      '|',
      '=',
      ':',
      '\n',
      '\r',
      '#',
      '_=',
      '\\u',
      '(',
      ')',
      'EMPTY',
      ' ',
      '\0',
      '1e400',
      '*',
      ',',
      '\ud800',
    ];
    const mutation = fc.oneof(createInsertion(pieces), createDeletion(12));

    await fc.assert(
      fc.asyncProperty(createMutatedDocument(samples, mutation), async (text) => {
        await write(text);
        try {
          const description = await describeType(source, 'it');
          const features = await readAllFeatures(source, 'it');
          expect(features).toHaveLength(description.count ?? -1);
          expect(features.every(({ values }) => values.length === description.attributes.length)).toBe(true);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(error.code).toBe('vector-file-malformed');
        }
      }),
      { numRuns: 200 },
    );
  });
});
