/** Runs the commands of a guide and compares what they print with what the guide shows. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { projectFolder } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
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

/** The variables of a shell in which this source is installed as the global command `graticule`. */
export async function createInstalledEnvironment(): Promise<Readonly<Record<string, string>>> {
  const prefix = await temporaryFolder();
  const packages = join(prefix, 'lib', 'node_modules');
  await mkdir(join(prefix, 'bin'));
  await mkdir(packages, { recursive: true });
  await symlink(projectFolder, join(packages, 'graticule'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(projectFolder, 'src/start.cjs')}' "$@"\n`;
  await writeFile(join(prefix, 'bin', 'graticule'), command, { mode: 0o755 });
  return {
    npm_config_prefix: prefix,
    npm_config_loglevel: 'error',
    PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  };
}
