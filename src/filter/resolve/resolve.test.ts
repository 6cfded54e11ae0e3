import { describe, expect, test } from 'vitest';
import { rowSchema, type TestRow, testRowAccess } from '../../../test/support/filter-rows.ts';
import type { ResolvedFilter } from '../model/resolved-filter.ts';
import type { Schema } from '../model/schema.ts';
import { compilePredicate } from '../predicate/predicate.ts';
import { readEcqlFor } from './resolve.ts';

async function filterOf(text: string, schema: Schema = rowSchema): Promise<ResolvedFilter> {
  const outcome = await readEcqlFor(text, schema);
  if (outcome.kind === 'read') return outcome.value;
  throw new Error(outcome.complaint.message);
}

async function complaintOf(text: string, schema: Schema = rowSchema): Promise<string> {
  const outcome = await readEcqlFor(text, schema);
  if (outcome.kind === 'read') throw new Error('The filter was accepted.');
  const { line, column, message } = outcome.complaint;
  return `${line}:${column} ${message}`;
}

const row: TestRow = {
  id: 7,
  name: 'Zürich',
  code: null,
  pop: 10,
  area: 0.5,
  open: true,
  time: Date.parse('2008-11-01T00:00:00Z'),
  until: null,
  geom: {
    type: 'Polygon',
    dimension: 'XY',
    ordinates: Float64Array.of(0, 0, 2, 0, 2, 2, 0, 2, 0, 0),
    ends: [5],
    parts: [],
  },
};

describe('resolved filters', () => {
  test.each<[string, boolean]>([
    ['INCLUDE', true],
    ['EXCLUDE', false],
    ["name = 'Zürich'", true],
    ["name = 'zürich'", false],
    ["name LIKE 'Z%'", true],
    ["name ILIKE 'zÜ_ich'", true],
    ["pop = '10'", true],
    ["pop LIKE '1_'", true],
    ['area * 2 = 1', true],
    ['open = 1', true],
    ['time = 2008-11-01T00:00:00Z', true],
    ["time = '2008-11-01'", true],
    ['time = 2008-11-01T01:00:00+01:00', true],
    ['time BETWEEN 2008-11-01 AND 2008-11-02', true],
    ['time DURING 2008-11-01/P1D', false],
    ['time DURING OR AFTER P1D/2008-11-01T12:00:00Z', true],
    ["code = 'x'", false],
    ["NOT code = 'x'", false],
    ["code <> 'x'", false],
    ['code <> name', false],
    ["code NOT LIKE 'x%'", false],
    ["code <> 'x' OR pop = 10", true],
    ["NOT (code = 'x' AND pop = 11)", true],
    ['NOT (until AFTER 2008-11-01)', false],
    ["NOT (strLength(code) = 3 OR strToUpperCase(code) LIKE 'X%')", false],
    ['code IS NULL AND photo IS NULL', true],
    ['name EXISTS AND nothing DOES-NOT-EXIST', true],
    ["IN ('rows.7')", true],
    ["strToLowerCase(name) = 'zürich'", true],
    ['INTERSECTS(geom, POINT(2 2))', true],
    ['CONTAINS(geom, POINT(2 2))', false],
    ['TOUCHES(geom, POINT(2 2))', true],
    ['WITHIN(POINT(1 1), geom)', true],
    ['CONTAINS(POINT(1 1), geom)', false],
    ['EQUALS(geom, ENVELOPE(0, 2, 0, 2))', true],
    ['CROSSES(geom, LINESTRING(1 1, 5 5))', true],
    ['OVERLAPS(geom, ENVELOPE(1, 3, 1, 3))', true],
    ['DISJOINT(geom, POINT(3 3))', true],
    ["RELATE(geom, POINT(1 1), '0F2FF1FF2')", true],
    ["RELATE(geom, POINT(1 1), '0F2FF1FFF')", false],
    ["RELATE(POINT(1 1), geom, '0FFFFF212')", true],
    ['DWITHIN(geom, POINT(5 2), 3)', true],
    ['DWITHIN(geom, POINT(5 2), 299, kilometers)', false],
    ['DWITHIN(geom, POINT(5 2), 300, kilometers)', true],
    ['BEYOND(geom, POINT(5 2), 2.9)', true],
    ["BBOX(geom, 2, 2, 3, 3, 'EPSG:4326')", true],
    ["BBOX('', 3, 3, 2.5, 2.5)", false],
    ['INTERSECTS(geom, SRID=4326;POINT Z(1 1 50))', true],
    ['INTERSECTS(geom, SRID=3857;POINT(111319.5 111325.1))', true],
    ['INTERSECTS(geom, SRID=3857;POINT(222700 111325.1))', false],
    ["BBOX(geom, 222600, 0, 300000, 100, 'EPSG:3857')", true],
    ["BBOX(geom, 222700, 0, 300000, 100, 'urn:ogc:def:crs:EPSG::3857')", false],
  ])('evaluates %s to %j', async (text, expected) => {
    const matches = await compilePredicate(await filterOf(text), testRowAccess);

    expect(matches(row)).toBe(expected);
  });
});

describe('filters that do not match the schema', () => {
  test.each([
    ['a = 1', "1:1 unknown attribute 'a'; available attributes: 'name', 'code', 'pop'"],
    ["pop > 1 AND\n  nmae = 'x'", "2:3 unknown attribute 'nmae'; did you mean 'name'?"],
    ["strTrim(nmae) = 'x'", "1:9 unknown attribute 'nmae'"],
    ['strTrimm(name) = 1', "1:1 unknown function 'strTrimm'; did you mean 'strTrim'?"],
    ["property('nothing') = 1", "unknown attribute 'nothing'"],
    ["pop = 'many'", "1:7 'many' cannot be compared with numbers"],
    ['pop = 1e999', "1:7 '1e999' cannot be compared with numbers"],
    ["pop IN (1, 'x')", "1:12 'x' cannot be compared with numbers"],
    ['time > 12', "1:8 '12' cannot be compared with times"],
    ['time AFTER 2008-02-30', "1:12 '2008-02-30' cannot be compared with times"],
    ['pop AFTER 2008-02-01', "1:1 'pop' is not a date or time attribute"],
    ['open = 2', "1:8 '2' cannot be compared with true or false"],
    ['name = pop', "1:8 'pop' contains numbers and cannot be compared with text"],
    ['name + 1 = 2', "1:1 'name' contains text and cannot be compared with numbers"],
    ['geom = 1', "1:1 'geom' is a geometry; compare it with a spatial operator such as INTERSECTS or EQUALS"],
    ['photo = 1', "1:1 'photo' contains bytes, which can only be compared with NULL"],
    ['INTERSECTS(name, POINT(1 2))', "1:12 'name' is not a geometry attribute"],
    ['INTERSECTS(geom, 1)', '1:18 a geometry or the name of a geometry attribute was expected'],
    ['INTERSECTS(geom, buffer(name, 1))', "'name' is not a geometry attribute"],
    ['INTERSECTS(geom, POLYGON((0 0, 2 2, 2 0, 0 2, 0 0)))', '1:18 the geometry is not valid: self-intersection'],
    ['INTERSECTS(geom, LINESTRING(1 1, 1 1))', '1:18 the geometry is not valid: too few'],
    ['INTERSECTS(geom, POINT(1e999 1))', '1:18 a coordinate is too large'],
    ['INTERSECTS(geom, SRID=99999;POINT(1 2))', "1:18 unknown coordinate reference system 'EPSG:99999'"],
    ["BBOX(geom, 1, 2, 3, 4, 'here')", "1:6 unknown coordinate reference system 'here'"],
    ['pop = 1 AND DWITHIN(geom, POINT(1 2), 5, parsecs)', "1:13 unknown unit 'parsecs'"],
    ['pop = 1 pop', "1:9 AND, OR or the end was expected, but 'pop' was found"],
  ])('rejects %s', async (text, expected) => {
    expect(await complaintOf(text)).toContain(expected);
  });

  test('rejects a unit of length if the unit of the coordinates is unknown', async () => {
    const schema: Schema = { attributes: [{ name: 'geom', type: 'geometry' }] };

    expect(await complaintOf('DWITHIN(geom, POINT(1 2), 5, meters)', schema)).toContain('specify the distance without');
  });

  test('accepts a geometry in another CRS if the caller can convert it', async () => {
    const schema: Schema = {
      ...rowSchema,
      reproject: (geometry) => ({ ...geometry, ordinates: geometry.ordinates.map((each) => each / 1000) }),
    };
    const matches = await compilePredicate(
      await filterOf('INTERSECTS(geom, SRID=3857;POINT(1500 1500))', schema),
      testRowAccess,
    );

    expect(matches(row)).toBe(true);
  });
});

describe('distances in metres', () => {
  test.each<[string, string, boolean]>([
    ['EPSG:3857', 'DWITHIN(geom, POINT(5 2), 3, meters)', true],
    ['EPSG:3857', 'DWITHIN(geom, POINT(5 2), 9, feet)', false],
    ['EPSG:4326', 'DWITHIN(geom, POINT(5 2), 334, kilometers)', true],
    ['EPSG:4326', 'DWITHIN(geom, POINT(5 2), 333, kilometers)', false],
  ])('are converted to the units of %s: %s', async (crs, text, expected) => {
    const schema: Schema = { attributes: [{ name: 'geom', type: 'geometry', crs }] };
    const matches = await compilePredicate(await filterOf(text, schema), testRowAccess);

    expect(matches(row)).toBe(expected);
  });
});

describe('functions of geometries', () => {
  const schema: Schema = {
    attributes: [
      { name: 'geom', type: 'geometry', crs: 'EPSG:3857' },
      { name: 'name', type: 'text' },
    ],
  };

  test.each<[string, boolean]>([
    ['numPoints(geom) > 0', true],
    ['area(buffer(geom, 2)) > 12', true],
    ['INTERSECTS(buffer(geom, 3.1), POINT(5 2))', true],
    ['INTERSECTS(buffer(geom, 2.9), POINT(5 2))', false],
    ['DWITHIN(centroid(geom), POINT(5 2), 9, meters)', true],
    ['dimension(geometry()) = 2', true],
    ["property('name') LIKE '%' AND PropertyExists('name') = true AND PropertyExists('other') = false", true],
    ["strMatches(geometryType(geom), '(Multi)?Polygon') = true", true],
    ['distance(geom, POINT(5 2)) = 3', true],
    ['area(geom) = 0 OR isValid(geom) = false', false],
  ])('match a feature or not: %s', async (text, expected) => {
    const matches = await compilePredicate(await filterOf(text, schema), testRowAccess);

    expect(matches(row)).toBe(expected);
  });
});

describe('oversized resolved filters', () => {
  test.each([
    ['a megabyte of conditions', 'pop=1 OR '.repeat(111_000), '1:1 the text exceeds 500000 characters'],
    ['too many conditions', 'pop=1 OR '.repeat(20_000), '1:1 the filter has more than 10000 conditions'],
    ['too many boxes', 'BBOX(geom,1,2,3,4)OR '.repeat(501), '1:10501 the filter has more than 500 spatial conditions'],
    ['an endless list', `pop IN (${'1,'.repeat(200_000)}`, '1:1 a list has more than 100000 values'],
    ['a polygon with too many corners', polygon(11_000), '1:18 the geometry has more than 10000 positions'],
    ['a pattern that is too long', `name LIKE '${'%a'.repeat(6_000)}`, '1:1 a pattern is longer than 10000 characters'],
    ['brackets', '('.repeat(100_000), 'nested more than 100 levels deep'],
    ['open brackets', '['.repeat(100_000), 'nested more than 100 levels deep'],
  ])('rejects a filter with %s', async (_, start, expected) => {
    const ends: Readonly<Record<string, string>> = { p: 'pop=1', n: "'", B: 'pop=1' };
    const end = start.startsWith('pop IN') ? '1)' : (ends[start.charAt(0)] ?? '');

    expect(await complaintOf(start + end)).toContain(expected);
  });

  test('matches a pattern with many wildcards without backtracking', async () => {
    const matches = await compilePredicate(await filterOf(`name LIKE '${'%a'.repeat(2_000)}b'`), testRowAccess);

    expect(matches({ ...row, name: 'a'.repeat(20_000) })).toBe(false);
  });
});

function polygon(corners: number): string {
  const positions = Array.from({ length: corners }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI;
    return `${Math.round(1e6 * Math.cos(angle))} ${Math.round(1e6 * Math.sin(angle))}`;
  });
  return `INTERSECTS(geom, POLYGON((${positions.join(',')}, ${positions[0]})))`;
}
