/** Parses the text of `/metrics` and compares it with the declared metrics. */
import { expect } from 'vitest';
import { type Metric, metricSections } from '../../src/operations/metrics/metric-table.ts';

export const declaredMetrics: readonly Metric[] = Object.values(metricSections).flatMap((section) =>
  Object.values(section),
);

/** Returns the names of the metrics in the text; each of them must be declared, with the same help, type and labels. */
export function expectDeclaredMetrics(text: string): ReadonlySet<string> {
  const lines = text.trimEnd().split('\n');
  const found = new Set<string>();
  let metric: Metric | undefined;
  for (const [index, line] of lines.entries()) {
    const [, named] = /^# HELP (\S+)/.exec(line) ?? [];
    if (named !== undefined) {
      metric = declaredMetrics.find(({ name }) => name === named);
      expect(metric, `${named} is not declared`).toBeDefined();
      expect(line).toBe(`# HELP ${named} ${metric?.help}`);
      expect(lines[index + 1]).toBe(`# TYPE ${named} ${metric?.type}`);
      expect(found.has(named), `${named} occurs twice`).toBe(false);
      found.add(named);
    } else if (!line.startsWith('#')) {
      expectDeclaredSample(line, metric);
    }
  }
  return found;
}

function expectDeclaredSample(line: string, metric: Metric | undefined): void {
  const [, sample = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
  const suffix = sample.slice(metric?.name.length ?? 0);
  expect(metric?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''], line).toContain(suffix);
  expect(sample.startsWith(metric?.name ?? '-'), line).toBe(true);
  const names = [...labels.matchAll(/([a-z]+)="/g)].map(([, name]) => name);
  expect(names, line).toEqual([...Object.keys(metric?.labels ?? {}), ...(suffix === '_bucket' ? ['le'] : [])]);
}
