/**
 * Runs before the tests: finds or installs the required tools (with `--large`, only the large ones), and reports
 * missing ones.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { aptPackages } from './apt.ts';
import { isContinuousIntegration } from './continuous-integration.ts';
import { prepareTool } from './prepare-tool.ts';
import { tools } from './tools.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const system = aptPackages(say);
const wantsLarge = process.argv.includes('--large');
for (const tool of Object.values(tools).filter(({ isLarge = false }) => isLarge === wantsLarge)) {
  const preparation = await prepareTool(tool, system);
  if (preparation.kind === 'installed') say(`${tool.title}: installed (${preparation.packages.join(', ')})`);
  if (preparation.kind === 'missing') {
    const areas = tool.neededBy.join(', ');
    const consequence = isContinuousIntegration() ? `needed by ${areas}` : `tests of ${areas} will be skipped`;
    say(`${tool.title}: missing (${preparation.reason}); ${consequence}; to get it: ${tool.byHand}`);
    if (isContinuousIntegration()) process.exitCode = 1;
  }
}

// A separate package: the client generator needs another TypeScript version.
const clients = fileURLToPath(new URL('../clients', import.meta.url));
execFileSync('npm', ['ci', '--prefix', clients, '--no-audit', '--no-fund', '--loglevel=error'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
