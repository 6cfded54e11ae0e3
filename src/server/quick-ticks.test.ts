import { expect, it } from 'vitest';
import { keptTick } from './quick-ticks.ts';

it('what is kept is what Node makes for a tick', async () => {
  expect(Object.keys(await keptTick)).toEqual(['callback', 'args']);
});
