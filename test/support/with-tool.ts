/** Declares tests that need a tool: without it they are skipped with the reason, and fail in CI. */
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
      // For files that pass, the reporter prints only the number of skipped tests.
      console.warn(`skipped: ${title}: ${verdict.reason}`);
      describe.skip(`${title} (${verdict.reason})`, body);
      return;
    case 'fail':
      describe(title, () => {
        test('has the required tool', () => {
          throw new Error(verdict.reason);
        });
      });
  }
}
