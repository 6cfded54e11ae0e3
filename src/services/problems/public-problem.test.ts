import { expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { toPublicProblem } from './public-problem.ts';

it('shows the limit that a request exceeded', () => {
  const slow = problem('filter-too-slow', { seconds: 10 });
  const busy = problem('work-refused', { retryAfterSeconds: 5 });

  expect(toPublicProblem(slow)).toBe(slow);
  expect(toPublicProblem(busy)).toBe(busy);
});

it('hides stores, hosts and files', () => {
  const unreachable = problem('vector-type-unknown', { name: 'secret_table' });

  expect(toPublicProblem(unreachable)).toMatchObject({ code: 'feature-data-missing' });
});
