import { expect, test } from 'vitest';
import { findProcess, listProcessNames } from '../../styling/transformations/processes.ts';
import { getTransformation } from './registry.ts';

test('every process that styles can use has a transformation', () => {
  const names = listProcessNames();

  expect(names.map((name) => getTransformation({ name }).process.name)).toEqual(names);
});

test('a process is found by its name in any case, with or without a prefix', () => {
  expect(['vec:Heatmap', 'gs:heatmap', 'HEATMAP'].map((name) => findProcess(name)?.name)).toEqual([
    'Heatmap',
    'Heatmap',
    'Heatmap',
  ]);
  expect(findProcess('vec:Heat')).toBeUndefined();
});
