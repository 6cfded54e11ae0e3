/** Very many layers, published by several clients over REST. */
import { measureManyLayers } from '../many-layers.ts';
import { type Bench, LARGE, thousands } from './section.ts';

/** The size of a large catalog by default; BENCH_LAYERS overrides it. */
const LAYERS = Number(process.env['BENCH_LAYERS'] ?? LARGE);

export async function benchLayers({ report, directory }: Bench): Promise<void> {
  const { layers, firstMs, lastMs, restartMs, listMs, deleteMs } = await measureManyLayers(await directory(), LAYERS);
  const growth = lastMs / firstMs;
  report.add({
    what: `publish a layer, the last 1,000 of ${thousands(layers)} by 8 clients`,
    measured: `${lastMs.toFixed(2)} ms`,
    baseline: `${firstMs.toFixed(2)} ms (the second 1,000)`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.3',
    met: growth <= 1.3,
  });
  const within = (what: string, ms: number, most: number) =>
    report.add({
      what,
      measured: `${ms.toFixed(1)} ms`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${most} ms`,
      met: ms <= most,
    });
  within(`start with ${thousands(layers)} layers`, restartMs, 1_000);
  within(`list a workspace of 100 layers among ${thousands(layers)}`, listMs, 10);
  within(`delete a layer among ${thousands(layers)}`, deleteMs, 20);
}
