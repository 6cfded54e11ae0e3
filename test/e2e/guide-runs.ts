/** Runs the commands of a guide and compares what they print with what the guide shows. */
import { expect } from 'vitest';
import { commandBlocks, createComparison, type RunOptions, runCommands } from './written-commands.ts';

export async function expectGuideWorks(guide: string, options: RunOptions): Promise<void> {
  const blocks = await commandBlocks(guide);
  const findMissingLine = createComparison();

  const results = await runCommands(
    blocks.map(({ commands }) => commands),
    options,
  );

  expect(results.length).toBeGreaterThan(0);
  expect(results).toHaveLength(blocks.length);
  for (const [index, { line, output }] of blocks.entries()) {
    const result = results[index];
    const where = `${guide}:${line}, which printed:\n${result?.output}`;
    expect(result?.exitCode, `the exit code at ${where}`).toBe(0);
    expect(findMissingLine(output, result?.output ?? ''), `the first line that is missing at ${where}`).toBeUndefined();
  }
}
