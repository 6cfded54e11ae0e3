import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AboutResource, filterResources, type ResourceFilter } from './resource-filter.ts';

const resources: readonly AboutResource[] = [
  { name: 'ajv-8.0.0', properties: { Version: '8.0.0', License: 'MIT' } },
  { name: 'gt-core-1.0', properties: { Version: '1.0', GeoServerModule: 'core', License: 'C++ (see LICENSE)' } },
  { name: 'gt-tiles-1.0', properties: { Version: '1.0', GeoServerModule: 'extension', Kind: 'core' } },
  { name: 'zod-3.0.0', properties: { Version: '3.0.0', License: 'ISC' } },
];

const everything: ResourceFilter = { manifest: null, key: null, value: null, from: null, to: null };

async function namesFor(filter: Partial<ResourceFilter>): Promise<readonly string[]> {
  const found = await filterResources(resources, { ...everything, ...filter });
  return found.map(({ name }) => name);
}

describe('resource filter', () => {
  test('returns everything without a filter', async () => {
    expect(await filterResources(resources, everything)).toEqual(resources);
  });

  test.each<[string, Partial<ResourceFilter>, readonly string[]]>([
    ['filters by name', { manifest: 'gt-.*' }, ['gt-core-1.0', 'gt-tiles-1.0']],
    ['matches the whole name, never a part of it', { manifest: 'gt' }, []],
    ['filters by a property', { key: 'License' }, ['ajv-8.0.0', 'gt-core-1.0', 'zod-3.0.0']],
    [
      'filters by a property given as an expression',
      { key: 'Lic.*|Kind' },
      ['ajv-8.0.0', 'gt-core-1.0', 'gt-tiles-1.0', 'zod-3.0.0'],
    ],
    ['filters by a value of any property', { value: 'core' }, ['gt-core-1.0', 'gt-tiles-1.0']],
    ['filters by the value of one property', { key: 'GeoServerModule', value: 'core' }, ['gt-core-1.0']],
    ['filters by the value of the same property only', { key: 'GeoServerModule', value: '1.0' }, []],
    ['accepts a plain value that is not a valid expression', { value: 'C\\+\\+.*' }, ['gt-core-1.0']],
    [
      'filters by a range of names, both ends included',
      { from: 'gt-core-1.0', to: 'gt-tiles-1.0' },
      ['gt-core-1.0', 'gt-tiles-1.0'],
    ],
    ['ignores a range with a missing end', { from: 'z' }, ['ajv-8.0.0', 'gt-core-1.0', 'gt-tiles-1.0', 'zod-3.0.0']],
    ['combines all filters', { manifest: '.*1.0', from: 'a', to: 'z', key: 'Kind', value: 'c.*' }, ['gt-tiles-1.0']],
    ['returns nothing without a match', { key: 'Nowhere' }, []],
  ])('%s', async (_case, filter, names) => {
    expect(await namesFor(filter)).toEqual(names);
  });

  test.each(['manifest', 'key', 'value'] as const)('rejects an invalid expression in %s', async (parameter) => {
    await expect(namesFor({ [parameter]: 'gt-(' })).rejects.toMatchObject({
      code: 'regex-invalid',
      status: 400,
      details: { field: parameter, position: 4 },
    });
  });

  test('finds the resource with exactly that value, whatever its characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), async (value) => {
        const odd: AboutResource = { name: 'odd', properties: { Odd: value } };

        const found = await filterResources([...resources, odd], { ...everything, key: 'Odd', value }).catch(
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'regex-invalid' });
            return [odd];
          },
        );

        expect(found).toEqual([odd]);
      }),
    );
  });

  test('does not block other requests with a malicious expression', async () => {
    const many = Array.from({ length: 5_000 }, (_each, index): AboutResource => {
      return { name: `${'a'.repeat(150)}${index}`, properties: {} };
    });
    let turnsOfOthers = 0;
    let others = setImmediate(function takeTurn() {
      turnsOfOthers += 1;
      others = setImmediate(takeTurn);
    });
    onTestFinished(() => clearImmediate(others));

    await filterResources(many, { ...everything, manifest: '(a|aa|a?){1,100}b' });

    expect(turnsOfOthers).toBeGreaterThan(0);
  });
});
