/** The outcome of tests with a missing tool: skipped with the reason in interactive runs, failed in CI. */
import type { Tool } from './tools.ts';

export type Verdict = { readonly kind: 'run' } | { readonly kind: 'skip' | 'fail'; readonly reason: string };

export function judgeTests(tool: Tool, continuousIntegration: boolean): Verdict {
  if (tool.find() !== undefined) return { kind: 'run' };
  return {
    kind: continuousIntegration ? 'fail' : 'skip',
    reason: `${tool.title} is missing; to get it: ${tool.byHand}`,
  };
}
