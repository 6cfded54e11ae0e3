import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type MachineFacts, noMachineFacts } from './sample.ts';
import { SystemMonitor } from './system-monitor.ts';

const facts: MachineFacts = { ...noMachineFacts, operatingSystem: 'Some Linux', processes: 7 };

function monitorOver(read: () => Promise<MachineFacts>) {
  const reported: unknown[] = [];
  const monitor = new SystemMonitor({
    probe: { read },
    clock: Date.now,
    intervalMs: 1_000,
    report: (reason) => reported.push(reason),
  });
  onTestFinished(() => monitor.stop());
  const shownAs = (name: string) => monitor.getLatest().metrics.find((metric) => metric.name === name)?.value;
  return { monitor, reported, shownAs };
}

describe('system monitor', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('returns the values of Node immediately, and the others as soon as they are available', async () => {
    const { promise, resolve } = Promise.withResolvers<MachineFacts>();
    const { monitor, shownAs } = monitorOver(() => promise);

    monitor.start();
    expect(shownAs('LOGICAL_CPUS')).toBeGreaterThan(0);
    expect(shownAs('RUNNING_PROCESS')).toBe('NOT AVAILABLE');

    resolve(facts);
    await monitor.waitUntilIdle();
    expect(shownAs('RUNNING_PROCESS')).toBe(7);
  });

  test('samples after each interval until it is stopped', async () => {
    let looks = 0;
    const { monitor, shownAs } = monitorOver(async () => ({ ...facts, processes: ++looks }));

    monitor.start();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(shownAs('RUNNING_PROCESS')).toBe(3);

    monitor.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(3);
  });

  test('never samples twice concurrently, and continues with partial data', async () => {
    let looks = 0;
    const { promise, resolve } = Promise.withResolvers<MachineFacts>();
    const { monitor } = monitorOver(() => {
      looks += 1;
      return promise;
    });

    monitor.start();
    const first = monitor.getLatest();
    await vi.advanceTimersByTimeAsync(10_500);

    expect(looks).toBe(1);
    expect(monitor.getLatest().sampledAtMs).toBeGreaterThan(first.sampledAtMs);
    resolve(facts);
  });

  test('reports a failure once, drops outdated values, and recovers', async () => {
    let works = true;
    const failure = new Error('no /proc');
    const { monitor, reported, shownAs } = monitorOver(async () => {
      if (!works) {
        throw failure;
      }
      return facts;
    });
    monitor.start();
    await monitor.waitUntilIdle();
    expect(monitor.isWatching()).toBe(true);

    works = false;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reported).toEqual([failure]);
    expect(shownAs('RUNNING_PROCESS')).toBe('NOT AVAILABLE');
    expect(monitor.isWatching()).toBe(false);

    works = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shownAs('RUNNING_PROCESS')).toBe(7);
    expect(monitor.isWatching()).toBe(true);
  });

  test('does not keep the process alive', () => {
    vi.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();

    monitorOver(async () => facts).monitor.start();

    expect(timers()).toBe(before);
  });
});
