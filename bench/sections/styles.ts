/** Uploads of many and of large styles. */
import { startServerChild } from '../server-child.ts';
import { measureLargeStyle, measureStyles } from '../styles.ts';
import { type Bench, thousands } from './section.ts';

const MEGABYTE = 1_000_000;
const MAX_MEGABYTE_MS = 100;

export async function benchStyles({ report, directory }: Bench): Promise<void> {
  const server = await startServerChild(await directory());
  const styles = await measureStyles(server);
  const growth = styles.lastMs / styles.firstMs;
  report.add({
    what: `upload a style of 20 KB and read it back, the last of ${thousands(styles.styles)}`,
    measured: `${styles.lastMs.toFixed(2)} ms`,
    baseline: `${styles.firstMs.toFixed(2)} ms (the first)`,
    ratio: growth.toFixed(2),
    aim: 'ratio at most 1.2',
    met: growth <= 1.2,
  });
  const smallMs = await measureLargeStyle(server, MEGABYTE / 10);
  const largeMs = await measureLargeStyle(server, MEGABYTE);
  await server.stop();
  report.add({
    what: 'upload a style of 1 MB',
    measured: `${largeMs.toFixed(0)} ms`,
    baseline: `${smallMs.toFixed(0)} ms (one of 100 KB)`,
    ratio: (largeMs / smallMs).toFixed(2),
    aim: `at most ${MAX_MEGABYTE_MS} ms`,
    met: largeMs <= MAX_MEGABYTE_MS,
  });
}
