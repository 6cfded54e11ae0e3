import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Metric, metricSections } from './metric-table.ts';

const all: readonly Metric[] = Object.values(metricSections).flatMap((section) => Object.values(section));

test('names are unique and follow the conventions of Prometheus', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, type, unit } of all) {
    expect(name).toMatch(/^(graticule|process)_[a-z][a-z_]*$/);
    // Counters end with _total, and units are the last or the second last part of a name.
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(/_(bytes|seconds)(_total)?$/.exec(name)?.[1] ?? 'none', name).toBe(unit);
    if (type === 'histogram') expect(unit).toBe('seconds');
  }
});

test('each metric has a sentence, and names an existing file that records it', () => {
  for (const { help, name, recordedIn, labels } of all) {
    expect(help, name).toMatch(/^[A-Z1].*\.$/);
    expect(existsSync(join(import.meta.dirname, '../..', recordedIn)), recordedIn).toBe(true);
    for (const [label, meaning] of Object.entries(labels)) {
      expect(label).toMatch(/^[a-z]+$/);
      expect(meaning, `${name} ${label}`).toMatch(/\.$/);
    }
  }
});
