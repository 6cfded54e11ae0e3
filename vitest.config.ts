import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { SkippedTestsReporter } from './test/support/skipped-tests-reporter.ts';

/** What holds for all tests, also for those of other configurations. */
export const common = {
  globalSetup: ['test/support/global-setup.ts'],
  // Two cores are the least that runs this; vitest would leave one of them idle.
  maxWorkers: 2,
  reporters: ['default', new SkippedTestsReporter()],
  // How long anything takes says nothing: machines may be slow or busy. These limits are for what hangs.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 120_000 } },
} satisfies ViteUserConfig['test'];

/** Two projects: what runs inside one process, and what starts the real server and may take its time. */
export default defineConfig({
  test: {
    ...common,
    projects: [
      {
        extends: true,
        test: {
          name: 'inside',
          include: ['src/**/*.test.ts', 'test/{clients,http,security,contract,structure,support,nodes}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'] },
      },
    ],
  },
});
