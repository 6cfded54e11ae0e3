/**
 * Prints every skipped test with its reason, and every test that passed only when it was repeated: it has a race. Skipped
 * tests fail the run in CI, where all tests must run.
 */
import type { Reporter, TestModule } from 'vitest/node';
import { isContinuousIntegration } from './continuous-integration.ts';

export class UnusualTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    for (const test of skipped) {
      const result = test.result();
      const reason = result.state === 'skipped' ? (result.note ?? 'no reason given') : '';
      process.stderr.write(`skipped: ${test.module.relativeModuleId}: ${test.fullName} (${reason})\n`);
    }
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')])) {
      if (test.diagnostic()?.flaky !== true) continue;
      const reason = test.result().errors?.[0]?.message.split('\n', 1)[0] ?? '';
      process.stderr.write(`repeated: ${test.module.relativeModuleId}: ${test.fullName} (${reason})\n`);
    }
    if (skipped.length > 0 && isContinuousIntegration()) {
      process.stderr.write(`${skipped.length} skipped tests count as failures in CI.\n`);
      process.exitCode = 1;
    }
  }
}
