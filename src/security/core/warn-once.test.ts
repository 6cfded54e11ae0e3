import { expect, it } from 'vitest';
import { createWarnOnce } from './warn-once.ts';

it('logs a problem once, again when it changes, and again when it returns after it was cleared', () => {
  const said: unknown[] = [];
  const warnings = createWarnOnce((message, details) => said.push([message, details]));

  for (const reason of ['a', 'a', 'b', 'b']) {
    warnings.warn('x', 'down', { reason });
  }
  warnings.warn('y', 'down', { reason: 'b' });
  warnings.clear('x');
  warnings.warn('x', 'down', { reason: 'b' });

  expect(said).toEqual(['a', 'b', 'b', 'b'].map((reason) => ['down', { reason }]));
});
