import { expect, it } from 'vitest';
import { joinChunks, splitIntoChunks } from './large-values.ts';

const createLiterals = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'literal', value: `${index}` }));

it('copies small values at once', async () => {
  expect(await splitIntoChunks({ rules: createLiterals(900) })).toBeUndefined();
});

it('copies long lists in chunks, wherever they are', async () => {
  const call = { kind: 'function', name: 'Recode', arguments: createLiterals(5_000) };
  const value = {
    name: 'large',
    none: undefined,
    rules: [{ filter: { kind: 'not', filter: call } }, ...createLiterals(3_000), call, [call, null, 3], 'text'],
    numbers: Array.from({ length: 2_000 }, (_, index) => index),
  };

  const split = await splitIntoChunks(value);

  expect(split?.chunks.length).toBeGreaterThan(15);
  expect(Math.max(...(split?.chunks ?? []).map(({ length }) => length))).toBeLessThan(60_000);
  expect(JSON.stringify(split?.skeleton).length).toBeLessThan(20_000);
  expect(split && (await joinChunks(structuredClone(split)))).toEqual(value);
});
