import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMappings, rockSchemas, type TypeSpec } from '../../../../test/support/mapped-types.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { inlineFilterRunner } from '../../../filter/run/filter-runner.ts';
import type { Feature, VectorSource } from '../../port/port.ts';
import { filterFeatures } from '../../support/filter-features.ts';
import { readMappingExpression } from '../mapping/expressions.ts';
import { openMapped } from './open-mapped.ts';
import { openSourceTables } from './source-tables.ts';

const attributes = [
  { name: 'text', nillable: true, kind: 'value', type: 'string' },
  { name: 'count', nillable: true, kind: 'value', type: 'integer' },
] as const;

const never = new AbortController().signal;

/** Creates batches of rows, from a source with or without filter support, with many additional unlinked rows. */
function sourceOf(
  rows: readonly Feature[],
  batchSize: number,
  { filters }: { readonly filters: boolean },
): VectorSource {
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    for (let at = 0; at < rows.length; at += batchSize) yield rows.slice(at, at + batchSize);
  }
  return {
    ...(filters ? { filters: true } : {}),
    listTypes: async () => [],
    describe: async (name) => ({ name, attributes }),
    read: (_, { filter, limit = Number.POSITIVE_INFINITY }) =>
      filterFeatures(batches(), {
        names: ['text', 'count'],
        filter: filter ?? { kind: 'constant', value: true },
        limit,
        runner: inlineFilterRunner,
        signal: new AbortController().signal,
      }),
    close: async () => undefined,
  };
}

function expressionOf(text: string): Expression {
  const outcome = readMappingExpression(text);
  if (outcome.kind !== 'read') throw new Error(outcome.message);
  return outcome.expression;
}

const unit: TypeSpec = { target: 'ro:RockUnit', table: 'units', attributes: [{ target: 'ro:RockUnit', id: 'text' }] };
const mappings = createMappings([unit]);

const texts = fc.constantFrom('a', 'b', 'u.1', 'u.2', '1', '2', '', 'é', '-3');
const rowLists = fc.array(fc.record({ text: fc.option(texts), count: fc.option(fc.integer({ min: -3, max: 3 })) }), {
  maxLength: 30,
});

function featuresOf(
  rows: readonly { readonly text: string | null; readonly count: number | null }[],
): readonly Feature[] {
  return rows.map(({ text, count }, index) => ({ id: `units.${index}`, values: [text, count] }));
}

describe('rows selected by values', () => {
  it('are the same, in the same order, with a source filter, cached rows or a full scan', async () => {
    const expressions = fc.constantFrom('text', 'count', "strConcat('u.', count)", 'getId()', "Recode(text, 'a', 'b')");
    const wanted = fc.array(fc.constantFrom('a', 'b', 'u.1', 'u.-3', '1', '-3', 'units.0', 'units.7', ''), {
      maxLength: 5,
    });

    await fc.assert(
      fc.asyncProperty(
        rowLists,
        fc.array(expressions, { minLength: 1, maxLength: 2 }),
        wanted,
        fc.integer({ min: 1, max: 10 }),
        async (rows, looked, values, batchSize) => {
          const features = featuresOf(rows);
          const many = Array.from({ length: 20_001 }, (_, index) => ({ id: `other.${index}`, values: [null, null] }));
          const sources = [
            sourceOf(features, batchSize, { filters: true }),
            sourceOf(features, batchSize, { filters: false }),
            sourceOf([...features, ...many], 10_000, { filters: false }),
          ];

          const [filtered, kept, scanned] = await Promise.all(
            sources.map(async (source) => {
              const tables = openSourceTables(mappings, async () => source);
              const table = await tables.open({ store: '["main.appschema","rocks"]', table: 'units' }, never);
              const found: string[] = [];
              for await (const { row, values: matched } of table.findRowsWithValues(looked.map(expressionOf), values)) {
                found.push(`${row.id}: ${matched.toSorted().join(' ')}`);
              }
              return found;
            }),
          );

          expect(filtered).toEqual(scanned);
          expect(kept).toEqual(scanned);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('rows with the same id', () => {
  it('form one feature in the order of the first rows, regardless of batches', async () => {
    await fc.assert(
      fc.asyncProperty(rowLists, fc.integer({ min: 1, max: 10 }), fc.boolean(), async (rows, batchSize, filters) => {
        const features = featuresOf(rows);
        const type: TypeSpec = {
          ...unit,
          attributes: [...unit.attributes, { target: 'ro:row', ocql: 'getId()', multiple: true }],
        };
        const mapped = openMapped({
          mappings: createMappings([type]),
          schemas: rockSchemas(),
          openSource: async () => sourceOf(features, batchSize, { filters }),
        });

        const found: unknown[] = [];
        for await (const batch of mapped.read('RockUnit', {}, never)) {
          found.push(...batch.map(({ id, children }) => [id, children.map(({ value }) => value)]));
        }

        const groups = Map.groupBy(features, ({ id, values }) => String(values[0] ?? id));
        expect(found).toEqual([...groups].map(([id, group]) => [id, group.map((row) => row.id)]));
      }),
      { numRuns: 100 },
    );
  });
});
