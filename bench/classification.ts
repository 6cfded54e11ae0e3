/** Five quantiles of a column in PostGIS, without HTTP: computed by the database, and from all values that it returns. */
import { classifyInSource } from '../src/services/classification/classify-in-source.ts';
import { SourceStatistics } from '../src/services/classification/source-statistics.ts';
import { classifyNumbers, type NumberClassification } from '../src/styling/classification/classify-numbers.ts';
import { NumberSample } from '../src/styling/classification/number-sample.ts';
import { postgisDriver } from '../src/vector/postgis/driver.ts';
import type { QueriedType } from '../src/vector/query/feature-query.ts';
import { queryFeatures } from '../src/vector/query/query-features.ts';
import { TABLE, tableStore } from './feature-data.ts';
import { percentile } from './percentile.ts';
import type { BenchedDatabase } from './postgis-tables.ts';

export interface ClassificationCost {
  readonly databaseMs: number;
  readonly readingMs: number;
}

const ROUNDS = 5;
const ATTRIBUTE = 'kind';
const quantiles = { method: 'quantile', intervals: 5, isOpen: false, hasShares: false } as const;
const never = new AbortController().signal;

export async function measureClassification(database: BenchedDatabase): Promise<ClassificationCost> {
  const source = await postgisDriver.open(tableStore(database).parameters, { resolvePath: async (named) => named });
  try {
    const description = await source.describe(TABLE, never);
    if (description === undefined) throw new Error('The table is not there.');
    const type = { source, description };
    const [databaseMs, readingMs]: [number[], number[]] = [[], []];
    // In alternation, so that other load of the machine affects both equally.
    for (let round = 0; round < ROUNDS; round += 1) {
      databaseMs.push(await measure(() => classifyInDatabase(type)));
      readingMs.push(await measure(() => classifyRows(type)));
    }
    return { databaseMs: percentile(databaseMs, 0.5), readingMs: percentile(readingMs, 0.5) };
  } finally {
    await source.close();
  }
}

async function classifyInDatabase(type: QueriedType): Promise<number> {
  const opened = { ...type, signal: never, within: <T>(work: () => Promise<T>) => work() };
  const worker = { classify: async (request: NumberClassification) => classifyNumbers(request) };
  const statistics = new SourceStatistics(opened, { attribute: ATTRIBUTE });
  return (await classifyInSource(statistics, quantiles, worker, never))?.length ?? 0;
}

async function classifyRows(type: QueriedType): Promise<number> {
  const sample = new NumberSample({ hasWeights: false });
  const { batches, description } = await queryFeatures(type, { attributes: [ATTRIBUTE] }, never);
  const place = description.attributes.findIndex(({ name }) => name === ATTRIBUTE);
  for await (const batch of batches) for (const { values } of batch) sample.add(Number(values[place]));
  const result = classifyNumbers({ ...quantiles, maxSingleValues: 0, data: sample.finish() });
  return 'classes' in result ? result.classes.length : 0;
}

async function measure(classify: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  if ((await classify()) === 0) throw new Error('There are no classes.');
  return performance.now() - startedAt;
}
