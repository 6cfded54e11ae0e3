import { expect, it } from 'vitest';
import type { Filter } from '../../filter/model/filter.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Rule } from '../../styling/model/model.ts';
import type { PaintedLayer } from '../layers/map-surface.ts';
import { joinLayer, splitLayer } from './chunked-style.ts';

const createLayer = (rules: readonly Rule[], spatialConditions: ReadonlyMap<Filter, ResolvedFilter>): PaintedLayer =>
  ({ plan: { groups: [{ rules }], values: ['kind'] }, spatialConditions, shifts: [0] }) as unknown as PaintedLayer;

const box = { minX: 0, minY: 0, maxX: 1, maxY: 1 };
const createCondition = (name: string) => ({ kind: 'boundingBox', property: name, bounds: box }) as unknown as Filter;

it('sends small styles as they are', async () => {
  const layer = createLayer([{ kind: 'rule', symbolizers: [] }], new Map());

  expect(await splitLayer(layer)).toBe(layer);
});

it('keeps the spatial conditions of a large style at the rules that contain them', async () => {
  const [first, second] = [createCondition('first'), createCondition('second')];
  const rules = Array.from({ length: 2_000 }, (_, index): Rule => {
    if (index === 7) return { kind: 'rule', filter: { kind: 'or', filters: [first, second] }, symbolizers: [] };
    return { kind: 'rule', name: `rule ${index}`, symbolizers: [] };
  });
  const resolved = { kind: 'isNull', value: { kind: 'attribute', name: 'second', type: 'text' } } as const;
  const layer = createLayer(rules, new Map([[second, resolved]]));

  const sent = await splitLayer(layer);
  const joined = await joinLayer(structuredClone(sent));

  expect(sent).not.toHaveProperty('plan.groups');
  expect(joined).toEqual(layer);
  const filter = joined.plan.groups[0]?.rules[7]?.filter;
  const condition = filter?.kind === 'or' ? filter.filters[1] : undefined;
  expect(condition && joined.spatialConditions.get(condition)).toEqual(resolved);
});
