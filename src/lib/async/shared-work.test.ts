import { describe, expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

const never = new AbortController().signal;

describe('shared work', () => {
  it('runs once for concurrent callers and again for a later caller', async () => {
    const shared = createSharedWork<number>();
    let done = 0;
    const work = async () => {
      done += 1;
      return done;
    };

    const together = await Promise.all([shared.share('a', never, work), shared.share('a', never, work)]);
    const other = await shared.share('b', never, work);
    const later = await shared.share('a', never, work);

    expect([together, other, later]).toEqual([[1, 1], 2, 3]);
  });

  it('rejects for every caller if the work fails', async () => {
    const shared = createSharedWork<number>();
    const fail = () => Promise.reject(new Error('broken'));

    const outcomes = await Promise.allSettled([shared.share('a', never, fail), shared.share('a', never, fail)]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('continues when one caller leaves and is aborted when all have left', async () => {
    const shared = createSharedWork<string>();
    const [one, two] = [new AbortController(), new AbortController()];
    let stopped = false;
    const work = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(signal.reason);
        });
      });

    const first = shared.share('a', one.signal, work);
    const second = shared.share('a', two.signal, work);
    one.abort(new Error('gone'));
    const afterOne = stopped;
    two.abort(new Error('gone too'));

    await expect(Promise.allSettled([first, second])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ]);
    expect([afterOne, stopped]).toEqual([false, true]);
  });
});
