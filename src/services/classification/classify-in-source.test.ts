/** Classes computed by databases equal the classes of the values that they return. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  freshGeopackagePath,
  openAsWriter,
  openGeopackage,
  valueAttribute,
} from '../../../test/support/geopackages.ts';
import { openPostgis } from '../../../test/support/postgis-sources.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createType } from '../../../test/support/vector-writing.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import { classificationMethods, isInRange, type ValueClass } from '../../styling/classification/classes.ts';
import { classifyNumbers, type NumberClassification } from '../../styling/classification/classify-numbers.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { VectorSource } from '../../vector/port/port.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { classifyInSource, type RangeClassification } from './classify-in-source.ts';
import { SourceStatistics } from './source-statistics.ts';

const never = new AbortController().signal;
const worker = { classify: async (request: NumberClassification) => classifyNumbers(request) };

/** Few different numbers, so that some are equal, and some that only their exact conversion keeps apart. */
const number = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0.1, 0.30000000000000004, 16_777_217, -1e-9, 2.5),
  fc.constant(null),
);
const samples = fc.sample(fc.array(number, { maxLength: 40 }), { seed: 97, numRuns: 12 });
const methods = classificationMethods.filter((each) => each !== 'uniqueInterval' && each !== 'equalArea');

/** The same type with only the rows of one sample. */
async function openSample(source: VectorSource, sample: number): Promise<QueriedType> {
  const description = await source.describe('numbers', never);
  if (description === undefined) throw new Error('The table does not exist.');
  const outcome = await readEcqlFor(`sample = ${sample}`, createDescribedSchema(description));
  if (outcome.kind !== 'read') throw new Error('The filter is invalid.');
  const filter = outcome.value;
  const limited: VectorSource = {
    ...source,
    computeStatistics: async (of, request, signal) => source.computeStatistics?.(of, { ...request, filter }, signal),
    select: async (of, query, signal) =>
      (await source.select?.(of, { ...query, filter }, signal)) ?? Promise.reject(new Error('not supported')),
  };
  return { source: limited, description };
}

async function readValues(type: QueriedType, attribute: string): Promise<readonly (number | undefined)[]> {
  const { batches, description } = await queryFeatures(type, { attributes: [attribute] }, never);
  const place = description.attributes.findIndex(({ name }) => name === attribute);
  const values: (number | undefined)[] = [];
  for await (const batch of batches)
    for (const feature of batch) {
      const value = feature.values[place];
      values.push(value === null || value === undefined ? undefined : Number(value));
    }
  return values;
}

function classifyInMemory(request: NumberClassification): readonly ValueClass[] {
  const result = classifyNumbers(request);
  return 'classes' in result ? result.classes : [];
}

/** A value on a break can be in either class, because the breaks differ in their last digits. */
function withoutShares(classes: readonly ValueClass[] | undefined): unknown {
  return classes?.map(({ share: _, ...rest }) => rest);
}

function selectUsed(values: readonly (number | undefined)[], deviations = Number.POSITIVE_INFINITY): readonly number[] {
  const finite = values.filter((each): each is number => Number.isFinite(each));
  const mean = finite.reduce((sum, each) => sum + each, 0) / finite.length;
  const deviation = Math.sqrt(finite.reduce((sum, each) => sum + (each - mean) ** 2, 0) / finite.length);
  return finite.filter((each) => deviation === 0 || Math.abs(each - mean) <= deviations * deviation);
}

/** Sums in another order differ in their last digits. */
function round(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each)),
  );
}

async function expectEqualClasses(source: VectorSource, attributes: readonly string[]): Promise<void> {
  for (const [sample] of samples.entries()) {
    const type = await openSample(source, sample);
    for (const attribute of attributes) {
      const values = await readValues(type, attribute);
      const statistics = new SourceStatistics({ ...type, signal: never, within: (work) => work() }, { attribute });
      for (const [index, method] of methods.entries()) {
        const classification: RangeClassification = {
          method,
          intervals: 2 + ((sample + index) % 4),
          isOpen: sample % 3 === 0,
          hasShares: true,
          ...(sample % 4 === 1 ? { deviations: 1.5 } : {}),
        };
        const data = { values: Float64Array.from(values, (value) => value ?? Number.NaN) };

        const classes = await classifyInSource(statistics, classification, worker, never);

        const title = `${attribute} ${JSON.stringify({ values, classification })}`;
        expect(round(withoutShares(classes)), title).toEqual(
          round(withoutShares(classifyInMemory({ ...classification, maxSingleValues: 0, data }))),
        );
        const used = selectUsed(values, classification.deviations);
        expect(
          classes?.map(({ share }) => share),
          title,
        ).toEqual(
          classes?.map(
            (range) => used.filter((each) => range.kind === 'range' && isInRange(range, each)).length / used.length,
          ),
        );
      }
      const counts = new Map<number, number>();
      for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
      const counted = (await statistics.countValues(counts.size)) ?? [];
      expect(new Map(counted.map(({ value, count }) => [Number(value), count]))).toEqual(counts);
      if (counts.size > 0) expect(await statistics.countValues(counts.size - 1)).toBeUndefined();
    }
  }
}

describe('a GeoPackage', () => {
  const folder = useTemporaryFolder('statistics');

  it('computes the same classes in SQL', async () => {
    const path = freshGeopackagePath(folder);
    const source = await openGeopackage(path);
    const attributes = [
      valueAttribute('sample', 'integer'),
      valueAttribute('amount', 'double'),
      valueAttribute('size', 'long'),
    ];
    await createType(source, { name: 'numbers', attributes });
    const database = openAsWriter(path);
    const insert = database.prepare('INSERT INTO numbers (sample, amount, size) VALUES (?, ?, ?)');
    for (const [sample, values] of samples.entries())
      for (const value of values) insert.run(sample, value, value === null ? null : BigInt(Math.round(value)));

    await expectEqualClasses(source, ['amount', 'size']);

    database.exec("INSERT INTO numbers (sample, amount) VALUES (0, 'seven'), (0, 9e999), (0, x'00')");
    const statistics = await source.computeStatistics?.('numbers', { kind: 'moments', attribute: 'amount' }, never);
    expect(statistics).toBeUndefined();
    database.close();
  });
});

describeWithPostgis('a PostGIS table', (postgis) => {
  let source: VectorSource | undefined;
  afterAll(() => source?.close());

  it('computes the same classes in SQL', async () => {
    await postgis.query(
      `CREATE TABLE numbers (id serial PRIMARY KEY, sample int, amount float8, short real, price numeric, size int8, padded char(5))`,
    );
    for (const [sample, values] of samples.entries())
      await postgis.query(
        `INSERT INTO numbers (sample, amount, short, price, size, padded)
         SELECT $1, v, v, v, round(v), 'ab' FROM unnest(CAST($2 AS float8[])) AS v`,
        [sample, values],
      );
    await postgis.query(`INSERT INTO numbers (sample, amount, short, price)
      VALUES (1, 'NaN', '-Infinity', 1e400), (1, 'Infinity', 'NaN', 'NaN'), (2, 1e300, 0.1, 1e-400)`);
    source = await openPostgis(postgis.connection);

    await expectEqualClasses(source, ['amount', 'short', 'price', 'size']);

    const padded = await source.computeStatistics?.(
      'numbers',
      { kind: 'values', attribute: 'padded', limit: 9 },
      never,
    );
    const [feature] = (await (async () => {
      for await (const batch of source.read('numbers', { limit: 1 }, never)) return batch;
      return [];
    })()) as readonly { readonly values: readonly unknown[] }[];
    expect(padded).toMatchObject({ kind: 'values', counts: [{ value: feature?.values.at(-1) }] });
  });

  it('leaves sums beyond the range of numbers to the reader', async () => {
    await postgis.query('CREATE TABLE huge (id serial PRIMARY KEY, amount float8)');
    await postgis.query('INSERT INTO huge (amount) VALUES (1.5e308), (1.6e308)');
    source ??= await openPostgis(postgis.connection);

    expect(await source.computeStatistics?.('huge', { kind: 'moments', attribute: 'amount' }, never)).toBeUndefined();
  });
});
