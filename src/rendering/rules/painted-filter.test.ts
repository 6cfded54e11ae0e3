/** Verifies that databases return only features that rules may paint, without a difference in the map. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUserStyle, never, smallMap, wideBudget } from '../../../test/support/drawn-layers.ts';
import { openPostgis } from '../../../test/support/postgis-sources.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { FeatureTypeDescription, VectorSource } from '../../vector/port/port.ts';
import { drawMap } from '../draw-map.ts';

const property = (name: string): string => `<ogc:PropertyName>${name}</ogc:PropertyName>`;
const is = (operator: string, name: string, value: string): string =>
  `<ogc:PropertyIs${operator}>${property(name)}<ogc:Literal>${value}</ogc:Literal></ogc:PropertyIs${operator}>`;
const rule = (filter: string, color = '#ff0000'): string =>
  `<Rule>${filter}<PointSymbolizer><Graphic><Mark><Fill><CssParameter name="fill">${color}</CssParameter></Fill></Mark><Size>1</Size></Graphic></PointSymbolizer></Rule>`;
const where = (condition: string): string => rule(`<ogc:Filter>${condition}</ogc:Filter>`);
const upper = `<ogc:PropertyIsEqualTo><ogc:Function name="strToUpperCase">${property('word')}</ogc:Function><ogc:Literal>A</ogc:Literal></ogc:PropertyIsEqualTo>`;

describeWithPostgis('features in PostGIS', (postgis) => {
  let source: VectorSource;
  let description: FeatureTypeDescription;

  beforeAll(async () => {
    await postgis.query(`CREATE TABLE cells AS SELECT n AS id, ST_SetSRID(ST_MakePoint(n % 20 + 0.5, n / 20 + 0.5), 4326) AS geom,
      CASE n % 5 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 THEN '01' WHEN 3 THEN '1' END AS word, CASE n % 2 WHEN 0 THEN '2024-03-31' ELSE '2024-03-31T00:00:00Z' END AS written,
      (CASE n % 4 WHEN 0 THEN 'a' ELSE 'b ' END)::char(3) AS padded,
      CASE WHEN n % 7 > 0 THEN n END AS number, n::float8 / 3 AS share, (n / 10.0)::float4 AS rounded, n::numeric / 10 AS exact,
      9007199254740990 + n AS long, n AS rank, n % 3 = 0 AS flag FROM generate_series(0, 399) AS n`);
    await postgis.query('ALTER TABLE cells ADD PRIMARY KEY (id)');
    source = await openPostgis(postgis.connection);
    const found = await source.describe('cells', never);
    if (found === undefined) throw new Error('The table is missing.');
    description = found;
  });
  afterAll(() => source?.close());

  async function drawn(style: UserStyle, from: VectorSource): Promise<Buffer> {
    const layer = { kind: 'vector', title: 'cells', source: { source: from, description }, style } as const;
    return Buffer.from((await drawMap({ ...smallMap, layers: [layer] }, wideBudget, never)).bytes);
  }

  /** Returns the number of features read, and whether the map equals the map of all features. */
  async function readFor(...groups: readonly string[]): Promise<{ readonly count: number; readonly isSame: boolean }> {
    let count = 0;
    const counting: VectorSource = {
      ...source,
      pack: async (of, query, attributes, signal) => {
        const batches = await source.pack?.(of, query, attributes, signal);
        return batches && counted(batches);
      },
    };
    async function* counted(batches: AsyncIterable<FeatureBatch>): AsyncGenerator<FeatureBatch> {
      for await (const batch of batches) {
        count += batch.count;
        yield batch;
      }
    }
    const style = createUserStyle(...groups);
    const { pack: _, ...unpacked } = source;
    const isSame = (await drawn(style, counting)).equals(await drawn(style, unpacked));
    return { count, isSame };
  }

  it.each([
    ['a text condition', [where(is('EqualTo', 'word', 'a'))], 80],
    ['a list of values', [`${where(is('EqualTo', 'word', 'a'))}${where(is('EqualTo', 'word', 'b'))}`], 160],
    [
      'a list of values in several groups',
      [where(is('EqualTo', 'word', 'a')), where(is('LessThan', 'rank', '10'))],
      88,
    ],
    ['a number condition', [where(is('GreaterThanOrEqualTo', 'number', '390'))], 8],
    ['a negated number condition', [where(is('NotEqualTo', 'number', '5'))], 399],
    [
      'a range',
      [
        where(
          `<ogc:PropertyIsBetween>${property('share')}<ogc:LowerBoundary><ogc:Literal>1</ogc:Literal></ogc:LowerBoundary><ogc:UpperBoundary><ogc:Literal>2</ogc:Literal></ogc:UpperBoundary></ogc:PropertyIsBetween>`,
        ),
      ],
      4,
    ],
    ['a boolean condition', [where(is('EqualTo', 'flag', 'true'))], 134],
    ['a null condition', [where(`<ogc:PropertyIsNull>${property('word')}</ogc:PropertyIsNull>`)], 80],
    ['a negated range', [where(`<ogc:Not>${is('LessThan', 'rank', '380')}</ogc:Not>`)], 20],
    [
      'a negated range of numbers, some of which are null',
      [where(`<ogc:Not>${is('LessThan', 'number', '380')}</ogc:Not>`)],
      75,
    ],
    [
      'a doubly negated inequality of numbers, some of which are null',
      [where(`<ogc:Not><ogc:Not>${is('NotEqualTo', 'number', '5')}</ogc:Not></ogc:Not>`)],
      399,
    ],
    [
      'a number condition combined with a function',
      [where(`<ogc:And>${upper}${is('LessThan', 'rank', '100')}</ogc:And>`)],
      100,
    ],
  ])('reads only matching features for %s', async (_, groups, count) => {
    expect(await readFor(...groups)).toEqual({ count, isSame: true });
  });

  it.each([
    ['a rule is an else rule', [`${where(is('EqualTo', 'word', 'a'))}${rule('<ElseFilter/>', '#0000ff')}`]],
    ['a rule has no filter', [`${where(is('EqualTo', 'word', 'a'))}${rule('')}`]],
    ['another group has no filter', [where(is('EqualTo', 'word', 'a')), rule('')]],
    ['a function decides', [where(upper)]],
    ['a function may decide', [where(`<ogc:Or>${upper}${is('LessThan', 'rank', '100')}</ogc:Or>`)]],
    ['text looks like a date', [where(is('EqualTo', 'written', '2024-03-31'))]],
    ['text looks like a number', [where(is('EqualTo', 'word', '1'))]],
    ['numbers are rounded', [where(is('EqualTo', 'rounded', '0.1'))]],
    ['decimal numbers are exact', [where(is('EqualTo', 'exact', '0.1'))]],
    ['numbers exceed the safe range', [where(is('GreaterThan', 'long', '9007199254740993'))]],
    ['text is compared by order', [where(is('GreaterThan', 'word', 'a'))]],
    ['text is compared by inequality', [where(`<ogc:Not>${is('EqualTo', 'padded', 'a')}</ogc:Not>`)]],
    ['the attribute is unknown', [where(is('NotEqualTo', 'nothing', 'a'))]],
  ])('reads all features if %s', async (_, groups) => {
    expect(await readFor(...groups)).toEqual({ count: 400, isSame: true });
  });
});
