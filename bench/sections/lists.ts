/** Long lists. */
import { measureList } from '../lists.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, thousands } from './section.ts';

const COUNT = 5_000;
const MAX_MS = 30;

export async function benchLists({ report, seeded }: Bench): Promise<void> {
  const server = await startServerChild(await seeded(COUNT));
  for (const format of ['json', 'xml', 'html']) {
    const list = await measureList(server, `/workspaces.${format}`);
    report.add({
      what: `list ${thousands(COUNT)} workspaces, ${format.toUpperCase()}, p50`,
      measured: `${list.p50Ms.toFixed(1)} ms`,
      baseline: `${list.bareP50Ms.toFixed(1)} ms (bare Fastify, same size)`,
      ratio: (list.p50Ms / list.bareP50Ms).toFixed(2),
      aim: `at most ${MAX_MS} ms`,
      met: list.p50Ms <= MAX_MS,
    });
  }
  await server.stop();
}
