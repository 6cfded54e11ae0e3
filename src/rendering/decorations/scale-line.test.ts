import { expect, test } from 'vitest';
import { chooseScaleBar, imperial, metric } from './scale-line.ts';

test.each([
  [1_774_000, metric, '1000 km'],
  [999_999, metric, '500 km'],
  [2_400, metric, '2 km'],
  [999, metric, '500 m'],
  [0.6, metric, '50 cm'],
  [0.004, metric, '0.2 cm'],
  [2_400, imperial, '1 mi'],
  [1_000, imperial, '2000 ft'],
  [40_000_000, imperial, '20000 mi'],
])('labels the longest bar of at most %d m: %#', (metres, units, label) => {
  const bar = chooseScaleBar(metres, units);

  expect(bar.label).toBe(label);
  expect(bar.metres).toBeLessThanOrEqual(metres);
  expect(bar.metres).toBeGreaterThan(metres / 3);
});
