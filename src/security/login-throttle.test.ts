import { describe, expect, it } from 'vitest';
import { AttemptsInMemory } from './attempts-in-memory.ts';
import { type Attempt, type AttemptOutcome, LoginThrottle } from './login-throttle.ts';

const limits = { windowMs: 60_000, perAccountAndAddress: 3, perAddress: 5, perAccount: 8, accountDelayMs: 1_000 };

const home = '192.0.2.1';
const away = '198.51.100.1';

function throttleAt() {
  const world = { nowMs: 1_000_000 };
  const throttle = new LoginThrottle(limits, new AttemptsInMemory(() => world.nowMs));
  /** Makes attempts one after the other, all with the same outcome. */
  const go = async (outcome: AttemptOutcome, account: string, address: string, times = 1) => {
    for (let each = 0; each < times; each += 1) {
      (await throttle.begin(account, address)).end(outcome);
    }
  };
  const guess = (account: string, address: string, times = 1) => go('wrong', account, address, times);
  return { world, throttle, go, guess };
}

const tooMany = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'too-many-attempts', status: 429, details: { retryAfterSeconds } });

/** Records attempts in the order in which they are admitted or refused. */
function watch(begun: readonly Promise<Attempt>[]) {
  const seen = { admitted: [] as Attempt[], refused: 0 };
  for (const each of begun) {
    each.then(
      (attempt) => seen.admitted.push(attempt),
      () => {
        seen.refused += 1;
      },
    );
  }
  return seen;
}

const settled = () => new Promise(setImmediate);

describe('password guessing', () => {
  it('is blocked for one account from one address until the window ends', async () => {
    const { world, guess } = throttleAt();
    await guess('admin', home, 3);

    world.nowMs += 59_001;
    await expect(guess('admin', home)).rejects.toThrow(tooMany(1));
    world.nowMs += 999;
    await guess('admin', home);
  });

  it('is answered with the time to wait', async () => {
    const { world, guess } = throttleAt();
    await guess('admin', home, 3);

    await expect(guess('admin', home)).rejects.toThrow(tooMany(60));
    world.nowMs += 30_500;
    await expect(guess('admin', home)).rejects.toThrow(tooMany(30));
  });

  it('does not lock out the account at another address', async () => {
    const { guess } = throttleAt();
    await guess('admin', home, 3);

    await guess('admin', away);
  });

  it('does not lock out other accounts at the same address at first', async () => {
    const { guess } = throttleAt();
    await guess('admin', home, 3);

    await guess('ann', home);
  });

  it('is blocked from one address across accounts', async () => {
    const { guess } = throttleAt();
    for (const account of ['a', 'b', 'c', 'd', 'e']) {
      await guess(account, home);
    }

    await expect(guess('f', home)).rejects.toThrow(tooMany(60));
    await guess('f', away);
  });

  it('is slowed down for one account across addresses, but still answered', async () => {
    const { throttle } = throttleAt();
    const delays: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const attempt = await throttle.begin('admin', `203.0.113.${index}`);
      delays.push(attempt.delayMs);
      attempt.end('wrong');
    }

    expect(delays).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1_000, 1_000]);
  });

  it('checks no more parallel passwords than failures are allowed', async () => {
    const { throttle } = throttleAt();

    const seen = watch(Array.from({ length: 10 }, () => throttle.begin('admin', home)));
    await settled();
    expect([seen.admitted.length, seen.refused]).toEqual([3, 0]);
    for (const attempt of [...seen.admitted]) {
      attempt.end('wrong');
    }
    await settled();

    expect([seen.admitted.length, seen.refused]).toEqual([3, 7]);
  });

  it('checks only as many parallel passwords as earlier failures have left', async () => {
    const { throttle, guess } = throttleAt();
    await guess('admin', home, 2);

    const seen = watch(Array.from({ length: 10 }, () => throttle.begin('admin', home)));
    await settled();
    expect([seen.admitted.length, seen.refused]).toEqual([1, 0]);
    await seen.admitted[0]?.end('right');
    await settled();

    expect([seen.admitted.length, seen.refused]).toEqual([4, 0]);
  });

  it('counts one IPv6 network as one address', async () => {
    const { guess } = throttleAt();
    await guess('admin', '2001:db8::1');
    await guess('admin', '2001:db8:0:0:ffff::2');
    await guess('admin', '2001:db8:0:0:1:2:3:4');

    await expect(guess('admin', '2001:db8::99')).rejects.toThrow(tooMany(60));
    await guess('admin', '2001:db8:0:1::1');
    await guess('admin', '2001:db9::1');
  });

  it.each([
    ['case', 'Mapper', 'MAPPER'],
    ['surrounding blanks', ' mapper', 'mapper\t '],
    ['full-width letters', 'ｍapper', 'mappeｒ'],
    ['invisible characters', 'map\u200bper', 'm\u00ada\u034fpper\ufe0f'],
  ])('counts another spelling of the account (%s) together', async (_what, one, other) => {
    const { guess } = throttleAt();
    await guess('mapper', home);
    await guess(one, home);
    await guess(other, home);

    await expect(guess('mapper', home)).rejects.toThrow(tooMany(60));
    await guess('mapper2', home);
  });

  it.each([
    ['stra\u00dfe', 'STRASSE'],
    ['Andr\u00e9', 'andre\u0301'],
    ['\u01c5', '\u01c6'],
    ['\u03a3\u03c2', '\u03c3\u03c3'],
  ])('counts guesses at %s as guesses at %s', async (one, other) => {
    const { guess } = throttleAt();
    await guess(one, home, 3);

    await expect(guess(other, home)).rejects.toThrow(tooMany(60));
  });

  it('does not exhaust the memory with invented names', async () => {
    const { guess } = throttleAt();
    await guess('admin', home, 3);

    for (let index = 0; index < 30_000; index += 1) {
      const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      await guess(`made-up ${'x'.repeat(1000)} ${index}`, address);
    }

    // The oldest counters are dropped first.
    await guess('admin', home);
  });

  it('does not exhaust the memory with waiting attempts', async () => {
    const { throttle } = throttleAt();

    const seen = watch(Array.from({ length: 2_010 }, () => throttle.begin('admin', home)));
    await settled();

    expect([seen.admitted.length, seen.refused]).toEqual([3, 7]);
  });
});

describe('correct password', () => {
  it('clears the failures before it', async () => {
    const { go, guess } = throttleAt();
    await guess('admin', home, 2);
    await go('right', 'admin', home);

    await guess('admin', home, 3);
    await expect(guess('admin', home)).rejects.toThrow(tooMany(60));
  });

  it('never counts against its address or its account', async () => {
    const { throttle } = throttleAt();
    for (let login = 0; login < 100; login += 1) {
      const attempt = await throttle.begin('admin', home);
      expect(attempt.delayMs).toBe(0);
      attempt.end('right');
    }
  });

  it('is checked for many concurrent users, a few at a time', async () => {
    const { throttle } = throttleAt();
    const seen = watch(Array.from({ length: 300 }, (_, index) => throttle.begin(`user ${index}`, home)));

    for (let done = 0; done < 300; done += 1) {
      await settled();
      expect(seen.admitted.length).toBe(Math.min(300, done + limits.perAddress));
      seen.admitted[done]?.end('right');
    }

    expect(seen.refused).toBe(0);
  });

  it('does not clear the failures of another account', async () => {
    const { go, guess } = throttleAt();
    await guess('admin', home, 3);
    await go('right', 'ann', home);

    await expect(guess('admin', home)).rejects.toThrow(tooMany(60));
  });

  it('does not clear the failures of an account with a similar spelling', async () => {
    const { go, guess } = throttleAt();
    await guess('mapper', home, 2);
    await go('right', 'Mapper', home);
    await guess('mapper', home);

    await expect(guess('mapper', home)).rejects.toThrow(tooMany(60));
  });
});

describe('unanswered attempt', () => {
  it('does not count, regardless of the number', async () => {
    const { go, guess } = throttleAt();

    await go('unanswered', 'ann', home, 100);

    await guess('ann', home, 3);
    await guess('admin', home);
  });
});

describe('credentials that were correct before', () => {
  it('are checked without waiting, despite guesses and waiting attempts at that address', async () => {
    const { throttle, guess } = throttleAt();
    await guess('ann', home, 3);
    watch([throttle.begin('bob', home), throttle.begin('bob', home), throttle.begin('bob', home)]);

    const attempt = throttle.beginKnown('ann', home);
    attempt.end('right');

    expect(attempt.delayMs).toBe(0);
    await expect(guess('ann', home)).rejects.toThrow(tooMany(60));
  });

  it('count as a guess when they are no longer correct', async () => {
    const { throttle, guess } = throttleAt();
    await guess('ann', home, 2);

    throttle.beginKnown('ann', home).end('wrong');

    await expect(guess('ann', home)).rejects.toThrow(tooMany(60));
  });
});
