import { describe, expect, it } from 'vitest';
import { type ClientLimitSettings, ClientLimits } from './client-limits.ts';
import { noProxies, parseTrustedProxies } from './request-head.ts';

function createLimits(settings: Partial<ClientLimitSettings>, maxTracked?: number) {
  const time = { ms: 1_000_000 };
  const limits = new ClientLimits(
    { perMinute: 0, concurrent: 0, exempt: noProxies, now: () => time.ms, ...settings },
    maxTracked,
  );
  /** How many of the requests are admitted. */
  const send = (address: string, count = 1) =>
    Array.from({ length: count }).filter(() => {
      try {
        limits.admit(address);
        return true;
      } catch {
        return false;
      }
    }).length;
  return { time, limits, send };
}

describe('the rate of one address', () => {
  it('admits the requests of a minute at once, and then one whenever its share of a minute has passed', () => {
    const { time, limits, send } = createLimits({ perMinute: 30 });

    expect(send('192.0.2.1', 40)).toBe(30);
    expect(() => limits.admit('192.0.2.1')).toThrow(
      expect.objectContaining({
        status: 429,
        details: { limit: 30, retryAfterSeconds: 2 },
        message: 'Too many requests from this address: the limit is 30 per minute. Retry in 2 seconds.',
      }),
    );
    time.ms += 1_999;
    expect(send('192.0.2.1')).toBe(0);
    time.ms += 1;
    expect(send('192.0.2.1', 2)).toBe(1);
    time.ms += 60_000;
    expect(send('192.0.2.1', 40)).toBe(30);
    expect(limits.countRejected()).toEqual({ rate: 23, concurrent: 0 });
  });

  it.each([7, 60, 601, 1_000_000])('never admits more than %i and its share of the time', (perMinute) => {
    const { time, send } = createLimits({ perMinute });
    let admitted = send('192.0.2.1', perMinute + 5);
    for (let second = 0; second < 60; second += 1) {
      time.ms += 1_000;
      admitted += send('192.0.2.1', Math.ceil(perMinute / 50));
    }

    expect(admitted).toBe(2 * perMinute);
  });

  it('does not count the requests of other addresses, but those of the same IPv6 network', () => {
    const { send } = createLimits({ perMinute: 2 });

    expect([send('192.0.2.1', 3), send('192.0.2.2', 3)]).toEqual([2, 2]);
    expect([send('2001:db8:1:2::1', 2), send('2001:db8:1:2:ffff::9'), send('2001:db8:1:3::1')]).toEqual([2, 0, 1]);
  });

  it('does not apply to exempt addresses', () => {
    const { send } = createLimits({ perMinute: 1, exempt: parseTrustedProxies(['10.0.0.0/8']) ?? noProxies });

    expect([send('10.1.2.3', 5), send('11.1.2.3', 5)]).toEqual([5, 1]);
  });

  it('forgets addresses whose minute is over, and the longest quiet ones beyond its maximum', () => {
    const { time, limits, send } = createLimits({ perMinute: 1 }, 10);
    for (let client = 0; client < 50; client += 1) send(`192.0.2.${client}`);
    expect(limits.countTracked()).toBe(10);
    expect([send('192.0.2.49'), send('192.0.2.0')]).toEqual([0, 1]);

    time.ms += 60_000;
    for (let client = 100; client < 106; client += 1) send(`192.0.2.${client}`);

    expect(limits.countTracked()).toBe(6);
  });
});

describe('requests of one address in progress', () => {
  it('are limited, and others are admitted when one ends', () => {
    const { limits, send } = createLimits({ concurrent: 2 });
    const end = limits.admit('192.0.2.1');
    limits.admit('192.0.2.1');

    expect([send('192.0.2.1'), send('192.0.2.2')]).toEqual([0, 1]);
    expect(() => limits.admit('192.0.2.1')).toThrow(
      expect.objectContaining({
        status: 429,
        details: { limit: 2, retryAfterSeconds: 1 },
        message: 'Too many concurrent requests from this address: the limit is 2. Retry when one of them has ended.',
      }),
    );
    end();
    expect(send('192.0.2.1', 2)).toBe(1);
    expect(limits.countRejected()).toEqual({ rate: 0, concurrent: 3 });
  });

  it('are forgotten with the last one, and do not use up the rate when they are rejected', () => {
    const { limits } = createLimits({ concurrent: 1, perMinute: 2 });
    const end = limits.admit('192.0.2.1');
    for (let attempt = 0; attempt < 5; attempt += 1) expect(() => limits.admit('192.0.2.1')).toThrow();
    end();
    limits.admit('192.0.2.1')();

    expect(() => limits.admit('192.0.2.1')).toThrow('2 per minute');
    expect(limits.countTracked()).toBe(1);
  });
});
