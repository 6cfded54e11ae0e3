import { defineConfig } from 'vitest/config';
import { common } from './vitest.config.ts';

/** `npm run test:clients`: programs that are too large to be installed and started in every run. */
export default defineConfig({ test: { ...common, include: ['test/qgis/**/*.test.ts'] } });
