import { describe, expect, it } from 'vitest';
import { LoginThrottle } from './login-throttle.ts';

const limits = { windowMs: 60_000, perAccountAndAddress: 3, perAddress: 5, perAccount: 8, accountDelayMs: 1_000 };

const home = '192.0.2.1';
const away = '198.51.100.1';

function throttleAt() {
  const world = { nowMs: 1_000_000 };
  const throttle = new LoginThrottle(limits, () => world.nowMs);
  const guess = (account: string, address: string, times = 1) => {
    for (let each = 0; each < times; each += 1) {
      throttle.begin(account, address);
    }
  };
  return { world, throttle, guess };
}

const tooMany = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'too-many-attempts', status: 429, details: { retryAfterSeconds } });

describe('guessing a password', () => {
  it('is stopped for one account from one address, until the window ends', () => {
    const { world, guess } = throttleAt();
    guess('admin', home, 3);

    world.nowMs += 59_001;
    expect(() => guess('admin', home)).toThrow(tooMany(1));
    world.nowMs += 999;
    expect(() => guess('admin', home)).not.toThrow();
  });

  it('says when to come back', () => {
    const { world, guess } = throttleAt();
    guess('admin', home, 3);

    expect(() => guess('admin', home)).toThrow(tooMany(60));
    world.nowMs += 30_500;
    expect(() => guess('admin', home)).toThrow(tooMany(30));
  });

  it('does not lock out the rightful user elsewhere', () => {
    const { guess } = throttleAt();
    guess('admin', home, 3);

    expect(() => guess('admin', away)).not.toThrow();
  });

  it('does not lock out others at the same address, at first', () => {
    const { guess } = throttleAt();
    guess('admin', home, 3);

    expect(() => guess('ann', home)).not.toThrow();
  });

  it('is stopped from one address whatever the account', () => {
    const { guess } = throttleAt();
    for (const account of ['a', 'b', 'c', 'd', 'e']) {
      guess(account, home);
    }

    expect(() => guess('f', home)).toThrow(tooMany(60));
    expect(() => guess('f', away)).not.toThrow();
  });

  it('of one account from everywhere is slowed down, and still answered', () => {
    const { throttle } = throttleAt();
    const delays = Array.from({ length: 10 }, (_, index) => throttle.begin('admin', `203.0.113.${index}`).delayMs);

    expect(delays).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1_000, 1_000]);
  });

  it('is counted before it is looked at, so that many at once are as many', () => {
    const { guess } = throttleAt();

    expect(() => guess('admin', home, 4)).toThrow(tooMany(60));
  });

  it('from one IPv6 network counts as from one address', () => {
    const { guess } = throttleAt();
    guess('admin', '2001:db8::1');
    guess('admin', '2001:db8:0:0:ffff::2');
    guess('admin', '2001:db8:0:0:1:2:3:4');

    expect(() => guess('admin', '2001:db8::99')).toThrow(tooMany(60));
    expect(() => guess('admin', '2001:db8:0:1::1')).not.toThrow();
    expect(() => guess('admin', '2001:db9::1')).not.toThrow();
  });

  it('cannot fill the memory with made-up names', () => {
    const { throttle, guess } = throttleAt();
    guess('admin', home, 3);

    for (let index = 0; index < 30_000; index += 1) {
      throttle.begin(`made-up ${'x'.repeat(1000)} ${index}`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    }

    // What was counted first is forgotten first.
    expect(() => guess('admin', home)).not.toThrow();
  });
});

describe('the right password', () => {
  it('forgives the typing errors before it', () => {
    const { throttle, guess } = throttleAt();
    guess('admin', home, 3);
    throttle.succeeded('admin', home);

    expect(() => guess('admin', home, 3)).not.toThrow();
    expect(() => guess('admin', home)).toThrow(tooMany(60));
  });

  it('never counts against its address or its account', () => {
    const { throttle } = throttleAt();
    for (let login = 0; login < 100; login += 1) {
      expect(throttle.begin('admin', home).delayMs).toBe(0);
      throttle.succeeded('admin', home);
    }
  });

  it('of one account does not forgive guesses at another', () => {
    const { throttle, guess } = throttleAt();
    guess('admin', home, 3);
    throttle.begin('ann', home);
    throttle.succeeded('ann', home);

    expect(() => guess('admin', home)).toThrow(tooMany(60));
  });
});
