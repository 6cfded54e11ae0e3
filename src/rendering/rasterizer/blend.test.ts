import { expect, test } from 'vitest';
import { compositeModes } from '../../styling/content/vendor-options.ts';
import { blendModes } from './blend.ts';

test('all modes that the check of styles accepts are drawn', () => {
  expect([...blendModes].sort()).toEqual([...compositeModes].sort());
});
