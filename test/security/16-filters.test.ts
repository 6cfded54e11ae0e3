/** Lesson 16: filter values reach databases as parameters only, and names only as names of existing columns. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEcqlFilter } from '../../src/filter/ecql/ecql.ts';
import type { Filter } from '../../src/filter/model/filter.ts';
import type { GeometryLiteral } from '../../src/filter/model/geometry-literal.ts';
import { readFilterFor, type WrittenFilter } from '../../src/filter/read-filter.ts';
import { createFilterSchema } from '../../src/vector/port/filter-schema.ts';
import type { Attribute, Feature, FeatureTypeDescription, VectorSource } from '../../src/vector/port/port.ts';
import type { FeatureQuery } from '../../src/vector/query/feature-query.ts';
import { queryFeatures } from '../../src/vector/query/query-features.ts';
import { Unspeakable, writeCql2Json, writeCql2Text, writeXmlFilter } from '../support/filter-languages.ts';
import { openGeopackage } from '../support/geopackages.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const hostile = [
  "' OR '1'='1",
  "'; DROP TABLE rows; --",
  '"; DROP TABLE rows; --',
  "\\'; DELETE FROM rows; --",
  "') OR TRUE --",
  '1 OR 1=1',
  '$1::text',
  '?1',
  ':name',
  '$$; SELECT pg_sleep(60); $$',
  "' || (SELECT passwd FROM pg_shadow) || '",
  '%',
  '_%',
  '*',
  '[a-z]',
  "E'\\x41'",
  '/* */ UNION SELECT * FROM rows',
  "load_extension('x')",
  "exec(java.lang.Runtime.getRuntime(),'touch x')",
  '{{7*7}}',
  '<x/>&lt;',
  '\u{1f30d}\u0301\u202e',
];
const oddColumn = 'odd"; DROP TABLE rows; --';

const value = (name: string, type: 'string' | 'integer' | 'timestamp'): Attribute => ({
  name,
  nillable: true,
  kind: 'value',
  type,
});
const attributes: readonly Attribute[] = [
  value('name', 'string'),
  value(oddColumn, 'string'),
  value('number', 'integer'),
  value('time', 'timestamp'),
  { name: 'geom', nillable: true, kind: 'geometry', type: 'Point', dimension: 'XY', crs: { code: 'EPSG:4326' } },
];

async function* features(): AsyncGenerator<readonly Feature[]> {
  yield hostile.map((text, index) => ({
    id: String(index),
    values: [
      text,
      text,
      index,
      new Date(0),
      { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(index, 0), ends: [], parts: [] },
    ],
  }));
}

async function fill(source: VectorSource): Promise<void> {
  const session = await source.startWriting?.(never);
  await session?.write({ name: 'rows', attributes, batches: features() }, 'append');
  await session?.commit();
}

const never = new AbortController().signal;

async function describeRows(source: VectorSource): Promise<FeatureTypeDescription> {
  const description = await source.describe('rows', never);
  if (description === undefined) throw new Error('The table is gone.');
  return description;
}

const languages: readonly (readonly [string, (filter: Filter) => WrittenFilter])[] = [
  ['ECQL', (filter) => ({ language: 'ecql', text: writeEcqlFilter(filter) })],
  ['Filter 1.0', (filter) => ({ language: 'filter-xml', text: writeXmlFilter(filter, '1.0') })],
  ['Filter 1.1', (filter) => ({ language: 'filter-xml', text: writeXmlFilter(filter, '1.1') })],
  ['Filter 2.0', (filter) => ({ language: 'filter-xml', text: writeXmlFilter(filter, '2.0') })],
  ['CQL2 text', (filter) => ({ language: 'cql2-text', text: writeCql2Text(filter) })],
  ['CQL2 JSON', (filter) => ({ language: 'cql2-json', text: writeCql2Json(filter) })],
];

const property = (name: string) => ({ kind: 'property', name }) as const;
const literal = (text: string) => ({ kind: 'literal', value: text }) as const;
const equal = (name: string, text: string): Filter => ({
  kind: 'comparison',
  operator: 'equal',
  left: property(name),
  right: literal(text),
});
const point: GeometryLiteral = { kind: 'geometry', type: 'Point', coordinates: [0, 0] };

/** Filters that select the one row with exactly this text. */
const exact: readonly (readonly [string, (text: string) => Filter])[] = [
  ['a literal', (text) => equal('name', text)],
  ['a literal for a column with an unusual name', (text) => equal(oddColumn, text)],
  ['a case-insensitive literal', (text) => ({ ...equal('name', text), matchCase: false }) as Filter],
  ['a list', (text) => ({ kind: 'membership', value: property('name'), list: [literal(text), literal("'")] })],
  ['a range', (text) => ({ kind: 'between', value: property('name'), lower: literal(text), upper: literal(text) })],
  [
    'a pattern',
    (text) => ({
      kind: 'like',
      value: property('name'),
      pattern: text.replace(/[%_\\]/g, '\\$&'),
      wildCard: '%',
      singleCharacter: '_',
      escape: '\\',
    }),
  ],
  [
    'a function',
    (text) => ({
      kind: 'comparison',
      operator: 'equal',
      left: { kind: 'function', name: 'strConcat', arguments: [property('name'), literal('!')] },
      right: literal(`${text}!`),
    }),
  ],
];

/** Filters that are rejected for every user: the name is unknown, or the value is neither a number nor a time. */
const refused: readonly (readonly [string, (text: string) => Filter])[] = [
  ['the name of an attribute', (text) => equal(text, 'x')],
  ['the name of an attribute in a function', (text) => equalCall('strLength', property(text))],
  ['the name of a function', (text) => equalCall(text, property('name'))],
  ['a number', (text) => equal('number', `${text} `)],
  ['a time', (text) => ({ kind: 'temporal', operator: 'after', value: property('time'), time: literal(text) })],
  [
    'the name of a geometry',
    (text) => ({ kind: 'spatial', operator: 'intersects', left: property(text), right: point }),
  ],
  [
    'a unit',
    (text) => ({
      kind: 'distance',
      operator: 'within',
      left: property('geom'),
      right: point,
      distance: 1,
      units: text,
    }),
  ],
  [
    'the name of a coordinate reference system',
    (text) => ({
      kind: 'spatial',
      operator: 'intersects',
      left: property('geom'),
      right: { ...point, srsName: text },
    }),
  ],
];

function equalCall(name: string, input: ReturnType<typeof property>): Filter {
  const left = { kind: 'function', name, arguments: [input] } as const;
  return { kind: 'comparison', operator: 'equal', left, right: literal('1') };
}

/** In every filter language that supports the operation. */
function spoken(filter: Filter): readonly (readonly [string, WrittenFilter])[] {
  return languages.flatMap(([language, write]) => {
    try {
      return [[language, write(filter)] as const];
    } catch (error) {
      if (error instanceof Unspeakable) return [];
      throw error;
    }
  });
}

function attacksOn(opened: () => VectorSource): void {
  let description: FeatureTypeDescription;
  const ask = async (query: FeatureQuery): Promise<readonly unknown[]> => {
    const answer = await queryFeatures({ source: opened(), description }, query, never);
    const found: unknown[] = [];
    for await (const batch of answer.batches) for (const feature of batch) found.push(feature.values[0]);
    return found;
  };
  const select = async (written: WrittenFilter): Promise<readonly unknown[]> =>
    ask({ filter: await readFilterFor(written, createFilterSchema(description.attributes)) });

  beforeAll(async () => {
    description = await describeRows(opened());
  });

  test.each(exact)('compares hostile text literally as %s', async (_title, filterFor) => {
    for (const text of hostile)
      for (const [language, written] of spoken(filterFor(text)))
        expect(await select(written), `${language}: ${text}`).toEqual([text]);
  });

  test.each(refused)('rejects hostile text as %s', async (_title, filterFor) => {
    for (const text of hostile)
      for (const [language, written] of spoken(filterFor(text)))
        await expect(select(written), `${language}: ${text}`).rejects.toMatchObject({
          code: expect.stringMatching(/^(?:filter-invalid|xml-malformed)$/),
        });
  });

  test('finds no feature with hostile text as an identifier', async () => {
    for (const text of hostile)
      for (const [language, written] of spoken({ kind: 'identifiers', identifiers: [`rows.${text}`, text] }))
        expect(await select(written), `${language}: ${text}`).toEqual([]);
  });

  test('rejects hostile text as the name of an attribute to sort by or to return', async () => {
    for (const text of hostile) {
      await expect(ask({ sort: [{ attribute: text, isDescending: false }] })).rejects.toMatchObject({ status: 400 });
      await expect(ask({ attributes: [text] })).rejects.toMatchObject({ status: 400 });
      await expect(ask({ after: text, limit: 1 })).rejects.toMatchObject({ status: 400 });
    }
  });

  test('leaves the data unchanged', async () => {
    expect(await ask({ sort: [{ attribute: oddColumn, isDescending: true }] })).toHaveLength(hostile.length);
    expect((await describeRows(opened())).attributes).toEqual(description.attributes);
  });
}

describe('hostile text in a filter on a GeoPackage', () => {
  let folder: string;
  let source: VectorSource;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graticule-filters-'));
    source = await openGeopackage(join(folder, 'data.gpkg'));
    await fill(source);
  });
  afterAll(() => rm(folder, { recursive: true }));

  attacksOn(() => source);
});

describeWithPostgis('hostile text in a filter on PostGIS', (postgis) => {
  let source: VectorSource;
  beforeAll(async () => {
    await postgis.query('CREATE SCHEMA attacked');
    source = await openPostgis(postgis.connection, { schema: 'attacked' });
    await fill(source);
  });

  attacksOn(() => source);
});
