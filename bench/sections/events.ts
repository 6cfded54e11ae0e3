/** Events: how soon they come, and what they cost. */
import { measureEventDelay, measureListenedWrites } from '../events.ts';
import { startServerChild } from '../server-child.ts';
import type { Bench } from './section.ts';

const STREAMS = 10;

export async function benchEvents({ report, directory }: Bench): Promise<void> {
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
}
