/** Runs before the tests: finds or installs what they need, and says in one line per tool what is missing. */
import { aptPackages } from './apt.ts';
import { isContinuousIntegration } from './continuous-integration.ts';
import { prepareTool } from './prepare-tool.ts';
import { tools } from './tools.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const system = aptPackages(say);
for (const tool of Object.values(tools).filter((one) => one.neededBy.length > 0)) {
  const preparation = await prepareTool(tool, system);
  if (preparation.kind === 'installed') say(`${tool.title}: installed (${preparation.packages.join(', ')})`);
  if (preparation.kind === 'missing') {
    const areas = tool.neededBy.join(', ');
    const consequence = isContinuousIntegration() ? `needed by ${areas}` : `tests of ${areas} will be skipped`;
    say(`${tool.title}: missing (${preparation.reason}); ${consequence}; to get it: ${tool.byHand}`);
    if (isContinuousIntegration()) process.exitCode = 1;
  }
}
