/** Describes tests that need a tool: a missing one shows as skipped with the reason, and as failed in CI. */
import { describe, test } from 'vitest';
import { isContinuousIntegration } from './continuous-integration.ts';
import { type ToolName, tools } from './tools.ts';
import { judgeTests } from './without-tool.ts';

export function describeWithTool(name: ToolName, title: string, body: () => void): void {
  const verdict = judgeTests(tools[name], isContinuousIntegration());
  switch (verdict.kind) {
    case 'run':
      describe(title, body);
      return;
    case 'skip':
      // The reporter prints only how many tests it skipped in a file that passes.
      console.warn(`skipped: ${title}: ${verdict.reason}`);
      describe.skip(`${title} (${verdict.reason})`, body);
      return;
    case 'fail':
      describe(title, () => {
        test('has the tool it needs', () => {
          throw new Error(verdict.reason);
        });
      });
  }
}
