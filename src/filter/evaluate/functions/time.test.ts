import { expect, test, vi } from 'vitest';
import { timeFunctions } from './time.ts';

test('names of months, weekdays and zones are formatted with the same formatters for all features', () => {
  const format = timeFunctions.get('dateformat');
  const pattern = 'E EEEE MMM MMMM z';
  format?.([pattern, '2024-05-01T12:00:00Z']);
  const constructed = vi.spyOn(Intl, 'DateTimeFormat');

  const written = format?.([pattern, '2024-06-02T12:00:00Z']);

  expect(written).toMatch(/^Sun Sunday Jun June \S+$/);
  expect(constructed).not.toHaveBeenCalled();
  constructed.mockRestore();
});
