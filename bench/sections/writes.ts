/** Durable writes: sequential, in a large catalog, and in parallel. */
import { measureDurableInserts } from '../durable-inserts.ts';
import { measureParallelWrites } from '../parallel-writes.ts';
import { startServerChild } from '../server-child.ts';
import { measureWrites } from '../writes.ts';
import { type Bench, LARGE, SMALL, thousands } from './section.ts';

const WRITES = 2_000;
const CLIENTS = 16;

export async function benchWrites({ report, directory, seeded }: Bench): Promise<void> {
  const large = await startServerChild(await seeded(LARGE));
  const atLarge = await measureWrites(large, WRITES, 'bench');
  await large.stop();
  const small = await startServerChild(await seeded(SMALL));
  const atSmall = await measureWrites(small, WRITES, 'bench');
  const inserts = measureDurableInserts(await directory(), WRITES);
  report.add({
    what: 'create a workspace, p50',
    measured: `${atSmall.p50Ms.toFixed(2)} ms`,
    baseline: `${inserts.p50Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p50Ms / inserts.p50Ms).toFixed(2),
    aim: '-',
    met: true,
  });
  report.add({
    what: 'create a workspace, p99',
    measured: `${atSmall.p99Ms.toFixed(2)} ms`,
    baseline: `${inserts.p99Ms.toFixed(2)} ms (one durable insert)`,
    ratio: (atSmall.p99Ms / inserts.p99Ms).toFixed(2),
    aim: 'at most 20 ms',
    met: atSmall.p99Ms <= 20,
  });
  const growth = atLarge.p50Ms / atSmall.p50Ms;
  report.add({
    what: `write cost at ${thousands(LARGE)} objects`,
    measured: `${atLarge.p50Ms.toFixed(2)} ms`,
    baseline: `${atSmall.p50Ms.toFixed(2)} ms at ${thousands(SMALL)}`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.2',
    met: growth <= 1.2,
  });
  const writes = await measureParallelWrites(small, CLIENTS);
  await small.stop();
  const gain = writes.togetherPerSecond / writes.alonePerSecond;
  report.add({
    what: `create workspaces, ${CLIENTS} clients`,
    measured: `${writes.togetherPerSecond.toFixed(0)} a second`,
    baseline: `${writes.alonePerSecond.toFixed(0)} a second (one client)`,
    ratio: gain.toFixed(2),
    aim: 'ratio at least 3',
    met: gain >= 3,
  });
}
