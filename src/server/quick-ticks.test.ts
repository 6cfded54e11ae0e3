import { expect, it } from 'vitest';
import { retainedTick } from './quick-ticks.ts';

it('what is kept is what Node makes for a tick', async () => {
  expect(Object.keys(await retainedTick)).toEqual(['callback', 'args']);
});
