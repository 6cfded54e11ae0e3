import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_PASSWORD, keystorePlace } from '../../test/support/keystores.ts';
import { noPrecondition } from '../lib/problems/precondition.ts';
import { serverPrincipal } from '../security/core/administrator.ts';
import { followKeystore } from './follow-changes.ts';

describe('loading of keys that other nodes write', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('loads the keys after each change of the keystore, and retries until it has reported them', async () => {
    const place = await keystorePlace();
    const other = await place.open();
    const results = ['fails', 'fails', 'works', 'works'];
    const calls: (string | undefined)[] = [];
    const warnings: unknown[] = [];
    const keystore = {
      refresh: async () => {
        const result = results.shift();
        calls.push(result);
        if (result === 'fails') throw new Error('The database is not reachable.');
      },
    };
    const logger = { warn: (details: unknown) => void warnings.push(details) };
    const stop = followKeystore({ ...place, keystore, logger });

    await other.changePassword(serverPrincipal, { old: FIRST_PASSWORD, next: 'second password' }, noPrecondition);
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(warnings).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(() => expect(calls).toEqual(['fails', 'fails', 'works']));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(3);

    await other.rotateDataKey(serverPrincipal);
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(3));
    stop();
    const count = calls.length;
    await other.rotateDataKey(serverPrincipal);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toHaveLength(count);
  });
});
