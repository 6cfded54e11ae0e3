import { expect, it } from 'vitest';
import { retainedTick } from './quick-ticks.ts';

it('the retained object is a tick object of Node', async () => {
  expect(Object.keys(await retainedTick)).toEqual(['callback', 'args']);
});
