/** The whole configuration of a large server: export, diff, and an apply of many new objects. */
import { layers, measureApply, placeShapes, styles, workspaces } from '../apply.ts';
import { measureConfiguration, measureLookingAround } from '../configuration.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, SMALL, thousands } from './section.ts';

const APPLIED = 1_000;

export async function benchConfiguration({ report, seeded }: Bench): Promise<void> {
  const large = await startServerChild(await seeded(LARGE));
  const costs = await measureConfiguration(large);
  const around = await measureLookingAround(large);
  await large.stop();
  const within = (what: string, measured: number, unit: string, most: number) =>
    report.add({
      what,
      measured: `${measured.toFixed(unit === 's' ? 2 : 0)} ${unit}`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${most} ${unit}`,
      met: measured <= most,
    });
  const objects = `${thousands(costs.resources)} objects`;
  within(`export of ${objects}`, costs.exportMs / 1_000, 's', 3);
  within(`diff of ${objects}`, costs.diffMs / 1_000, 's', 3);
  within('memory of both', costs.peakMegabytes, 'MB', 300);
  within('the longest that a small read waits meanwhile', costs.longestReadMs, 'ms', 50);
  within(`all pages of 1,000 of ${objects}`, around.pagesMs / 1_000, 's', 3);
  within('one such page, the last', around.lastPageMs, 'ms', 50);
  within(`the doctor of ${objects}`, around.doctorMs / 1_000, 's', 3);
  within('the longest that a small read waits during pages and doctor', around.longestReadMs, 'ms', 50);

  const dataDir = await seeded(SMALL);
  const small = await startServerChild(dataDir);
  await placeShapes(small, dataDir);
  for (const kind of [workspaces, styles, layers]) {
    const applied = await measureApply(small, kind, { count: APPLIED, rounds: 3 });
    const each = (ms: number) => (ms / APPLIED).toFixed(2);
    report.add({
      what: `apply of ${thousands(APPLIED)} new ${kind.what} in one change`,
      measured: `${each(applied.togetherMs)} ms each (${each(applied.togetherProcessorMs)} ms of processor time)`,
      baseline: `${each(applied.singlyMs)} ms each (one by one)`,
      ratio: (applied.singlyMs / applied.togetherMs).toFixed(1),
      aim: `at most ${kind.maxMsEach} ms each`,
      met: applied.togetherMs / APPLIED <= kind.maxMsEach,
    });
  }
  await small.stop();
}
