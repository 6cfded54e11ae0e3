import { describe, expect, it } from 'vitest';
import { attachCause } from '../../lib/problems/disk-problem.ts';
import { problem } from '../../lib/problems/problem.ts';
import { openWithRetry, type RetryOptions } from './open-with-retry.ts';

const patient: RetryOptions = { forMs: Number.POSITIVE_INFINITY, pauseMs: 0 };

const unavailable = (code: string) =>
  attachCause(problem('storage-unavailable', {}), Object.assign(new Error(`It says ${code}.`), { code }));

/** Opens with the given failures before the last attempt. */
async function tried(
  failures: readonly unknown[],
  patience = patient,
): Promise<{ outcome: unknown; reported: unknown[] }> {
  const left = [...failures];
  const reported: unknown[] = [];
  const open = async () => {
    if (left.length > 0) throw left.shift();
    return 'open';
  };
  const outcome = await openWithRetry(open, patience, (reason) => reported.push(reason)).catch(
    (error: unknown) => error,
  );
  return { outcome, reported };
}

describe('opening with retries', () => {
  it('retries while a database is unavailable, slow or out of connections, and reports each reason once', async () => {
    const failures = ['ECONNREFUSED', 'ECONNREFUSED', '57P03', '53300'].map(unavailable);
    const busy = problem('storage-busy', { retryAfterSeconds: 5 });

    const { outcome, reported } = await tried([...failures, busy]);

    expect(outcome).toBe('open');
    expect(reported).toEqual(['It says ECONNREFUSED.', 'It says 57P03.', 'It says 53300.', busy.message]);
  });

  it.each([
    ['a wrong password', unavailable('28P01')],
    ['no such database', unavailable('3D000')],
    ['no such host', unavailable('ENOTFOUND')],
    ['a full disk', problem('storage-full', {})],
    ['an internal error', new TypeError('x is not a function')],
  ])('does not retry for %s', async (_what, failure) => {
    expect(await tried([failure])).toEqual({ outcome: failure, reported: [] });
  });

  it('fails when its time is over', async () => {
    const [first, second] = [unavailable('ECONNREFUSED'), unavailable('57P03')];

    expect(await tried([first, second], { forMs: -1, pauseMs: 0 })).toEqual({ outcome: first, reported: [] });
  });
});
