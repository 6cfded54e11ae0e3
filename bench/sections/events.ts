/** Events: their delay and their cost. */
import { measureEventDelay, measureLargeEvent, measureListenedWrites } from '../events.ts';
import { seedLargeChange } from '../seed.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const STREAMS = 10;

export async function benchEvents(bench: Bench): Promise<void> {
  const { report, directory } = bench;
  const server = await startServerChild(await directory());
  const delay = await measureEventDelay(server, 1_000);
  report.add({
    what: 'from the reply to a write to its event on an open stream, p99',
    measured: `${delay.toFixed(2)} ms`,
    baseline: '-',
    ratio: '-',
    aim: 'at most 20 ms',
    met: delay <= 20,
  });
  for (const clients of [1, 16]) {
    const { alone, listened } = await measureListenedWrites(server, {
      streams: STREAMS,
      clients,
      count: 500,
      rounds: 3,
    });
    report.add({
      what: `writes by ${clients} at once with ${STREAMS} streams open`,
      measured: `${listened.toFixed(0)}/s`,
      baseline: `${alone.toFixed(0)}/s with none`,
      ratio: (alone / listened).toFixed(2),
      aim: 'ratio at most 1.2',
      met: alone / listened <= 1.2,
    });
  }
  await server.stop();
  await benchLargeEvent(bench);
}

/** One change with as many items as a large site has objects. */
async function benchLargeEvent({ report, directory }: Bench): Promise<void> {
  const dataDir = await directory();
  const after = await seedLargeChange(dataDir, LARGE);
  const server = await startServerChild(dataDir);
  const { ms, megabytes, peakMegabytes, longestReadMs } = await measureLargeEvent(server, after, STREAMS);
  await server.stop();
  const within = (what: string, measured: number, unit: string, most: number) =>
    report.add({
      what,
      measured: `${measured.toFixed(0)} ${unit}`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${thousands(most)} ${unit}`,
      met: measured <= most,
    });
  const event = `an event of ${thousands(LARGE)} items (${megabytes.toFixed(0)} MB)`;
  within(`${event} to ${STREAMS} streams`, ms, 'ms', 30_000);
  within(`memory of ${event}`, peakMegabytes, 'MB', 300);
  within(`the longest that a small read waits for ${event}`, longestReadMs, 'ms', 50);
}
