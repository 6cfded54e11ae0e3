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

it.each([
  [problem('vector-file-truncated', { file: 'secret.fgb', offset: 7, expectedBytes: 8 }), 'is truncated'],
  [problem('vector-file-malformed', { file: 'secret.fgb', offset: 7, reason: 'it is odd' }), 'has invalid content'],
  [
    problem('vector-file-unsupported', { file: 'secret.fgb', reason: 'it is new' }),
    'has content that is not supported',
  ],
  [problem('vector-file-unreadable', { file: 'secret.fgb', reason: 'it is a folder' }), 'cannot be read'],
])('says what is wrong with a file, without its name: $code', (thrown, fault) => {
  expect(toPublicProblem(thrown)).toMatchObject({
    code: 'feature-data-damaged',
    message: `The data of this layer is unavailable: its file ${fault}. An administrator can replace the file; the log of the server has the reason.`,
  });
});

it('asks to retry if the data changed', () => {
  for (const thrown of [problem('remote-file-changed', { file: 'secret.fgb' }), problem('vector-type-changed', {})])
    expect(toPublicProblem(thrown)).toMatchObject({ code: 'feature-data-changing' });
});

it('says that missing files and unreachable servers are unavailable', () => {
  for (const thrown of [
    problem('vector-file-missing', { file: 'secret.fgb' }),
    problem('url-unreachable', { url: 'http://secret.example', reason: 'it is down' }),
  ])
    expect(toPublicProblem(thrown)).toMatchObject({ code: 'feature-data-missing' });
});
