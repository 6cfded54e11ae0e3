import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../../../test/support/test-server.ts';
import { limits } from '../settings/limits.ts';
import { HistoryRetention } from './history-retention.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;

/** A change log; `entryDays` are the days of its entries. */
function retention(days: number, entryDays: number[]) {
  const calls: (readonly [number, number])[] = [];
  const reported: unknown[] = [];
  let failure: Error | undefined;
  const subject = new HistoryRetention({
    storage: {
      async deleteChanges(beforeMs, limit) {
        calls.push([beforeMs / DAY_MS, limit]);
        if (failure !== undefined) throw failure;
        return entryDays.splice(0, Math.min(limit, entryDays.filter((day) => day * DAY_MS < beforeMs).length)).length;
      },
    },
    days,
    clock: () => NOW_MS + Date.now(),
    limits: { firstAfterMs: 1_000, everyMs: DAY_MS, entriesPerStep: 2, pauseMs: 10 },
    report: (entries) => reported.push(entries),
    warn: (reason) => reported.push(reason),
  });
  const fail = (reason: Error | undefined) => {
    failure = reason;
  };
  return { subject, asked: calls, said: reported, entryDays, fail };
}

describe('history retention', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('waits after the start and then deletes expired entries in small steps', async () => {
    const { subject, asked: calls, said: reported, entryDays } = retention(10, [1, 2, 3, 4, 989, 995]);

    subject.start();
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(entryDays).toEqual([3, 4, 989, 995]);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(entryDays).toEqual([995]);
    expect(calls.map(([day, limit]) => [Math.floor(day), limit])).toEqual([
      [990, 2],
      [990, 2],
      [990, 2],
      [990, 2],
    ]);
    expect(reported).toEqual([5]);
  });

  it('runs every day', async () => {
    const { subject, said: reported, entryDays } = retention(10, [995, 996]);

    subject.start();
    await vi.advanceTimersByTimeAsync(7 * DAY_MS);

    expect(entryDays).toEqual([]);
    expect(reported).toEqual([1, 1]);
  });

  it('keeps everything with 0 days', async () => {
    const { subject, asked: calls } = retention(0, [1, 2, 3]);

    subject.start();
    await vi.advanceTimersByTimeAsync(10 * DAY_MS);

    expect(calls).toEqual([]);
  });

  it('logs a warning on failure and retries the next day', async () => {
    const { subject, said: reported, entryDays, fail } = retention(10, [1, 2]);
    const reason = new Error('the disk is full');
    fail(reason);

    subject.start();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([reported, entryDays]).toEqual([[reason], [1, 2]]);
    fail(undefined);
    await vi.advanceTimersByTimeAsync(DAY_MS);

    expect([reported, entryDays]).toEqual([[reason, 2], []]);
  });

  it('stops with the server', async () => {
    const { subject, asked: calls, said: reported, fail } = retention(10, [1, 2, 3, 4]);

    subject.start();
    await vi.advanceTimersByTimeAsync(1_000);
    fail(new Error('The storage is closed'));
    subject.stop();
    await vi.advanceTimersByTimeAsync(10 * DAY_MS);

    expect(calls).toHaveLength(1);
    expect(reported).toEqual([]);
  });
});

describe('server with expired history', () => {
  it('deletes the entries, but neither records nor used numbers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let nowMs = NOW_MS;
    const server = await startTestServer({ flags: ['--history-days', '30'], clock: () => nowMs });
    onTestFinished(() => server.close());
    const { storage } = server.server;
    await server.post('/workspaces', '{"workspace":{"name":"kept"}}');
    await server.post('/workspaces', '{"workspace":{"name":"gone"}}');
    const deleted = await server.get('/workspaces/gone.json');
    await server.delete('/workspaces/gone');
    const remaining = await server.get('/workspaces/kept.json');
    const lastOld = storage.position();
    nowMs += 31 * DAY_MS;
    await server.post('/workspaces', '{"workspace":{"name":"new"}}');

    await vi.advanceTimersByTimeAsync(limits.history.firstAfterMs);
    await vi.waitFor(async () => {
      expect((await storage.listChanges(0, 100)).map(({ sequence }) => sequence)).toEqual([lastOld + 1]);
    }, 120_000);

    const after = await server.get('/workspaces/kept.json');
    expect([after.status, after.headers['etag'], after.text]).toEqual([200, remaining.headers['etag'], remaining.text]);
    expect(storage.position()).toBe(lastOld + 1);
    const again = await server.post('/workspaces', '{"workspace":{"name":"gone"}}');
    expect(again.headers['graticule-change']).toBe(String(lastOld + 2));
    expect((await server.get('/workspaces/gone.json')).headers['etag']).not.toBe(deleted.headers['etag']);
    expect(await storage.findIntegrityProblems()).toEqual([]);
  });
});
