/** The effect of one heavy client on others: `/livez`, requested at a steady rate by a separate process. */
import { catalogLoads } from '../bystanders/catalog-loads.ts';
import { changeLoads } from '../bystanders/change-loads.ts';
import { featureLoads } from '../bystanders/feature-loads.ts';
import { filterLoads } from '../bystanders/filter-loads.ts';
import type { LoadGroup } from '../bystanders/group.ts';
import { layerLoads } from '../bystanders/layer-loads.ts';
import { type Disturbance, startBystander } from '../bystanders/measure.ts';
import type { Row } from '../report.ts';
import type { Bench } from './section.ts';

const MAX_MORE_MS = 50;
const MAX_WORST_MS = 200;

const groups: readonly LoadGroup[] = [filterLoads, featureLoads, catalogLoads, changeLoads, layerLoads];

export async function benchBystanders(bench: Bench): Promise<void> {
  for (const group of groups) {
    if (group.names.some((name) => bench.isChosen(name))) await benchGroup(bench, group);
  }
}

async function benchGroup(bench: Bench, group: LoadGroup): Promise<void> {
  const { server, cases, close } = await group.open(bench);
  const bystander = await startBystander(server);
  try {
    for (const { name, what, prepare, run } of cases) {
      if (!bench.isChosen(name)) continue;
      await prepare?.();
      bench.report.add(createRow(`${name}: /livez while ${what}`, await bystander.measure(run)));
    }
  } finally {
    await bystander.stop();
    await server.stop();
    await close?.();
  }
}

function createRow(what: string, { without, during, bare, turn, answer }: Disturbance): Row {
  const moreMs = during.p99Ms - without.p99Ms;
  const ms = (value: number): string => value.toFixed(1);
  return {
    what,
    measured: `p50 ${ms(during.p50Ms)}, p99 ${ms(during.p99Ms)} (${moreMs < 0 ? '' : '+'}${ms(moreMs)}), worst ${ms(during.worstMs)} ms; longest turn ${ms(turn.cpuMs)} ms of processor time; the load: ${answer}`,
    baseline: `p50 ${ms(without.p50Ms)}, p99 ${ms(without.p99Ms)}, worst ${ms(without.worstMs)} ms without; a bare server beside the load p99 ${ms(bare.p99Ms)}, worst ${ms(bare.worstMs)} ms`,
    ratio: (during.p99Ms / without.p99Ms).toFixed(2),
    aim: `p99 at most ${MAX_MORE_MS} ms more, worst at most ${MAX_WORST_MS} ms`,
    met: moreMs <= MAX_MORE_MS && during.worstMs <= MAX_WORST_MS,
  };
}
