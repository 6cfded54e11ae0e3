/**
 * Splits a map into runs that are painted one after the other. A run is one layer, or consecutive feature type styles
 * with the same `sortByGroup`, of one or several layers, whose features are painted in a common order.
 */
import type { MapLayer, VectorLayer } from '../request/map-request.ts';
import type { PaintedGroup, StylePlan } from '../rules/style-plan.ts';

/** A layer with the part of its style that is painted. */
export interface LayerPart {
  readonly layer: VectorLayer;
  readonly plan: StylePlan;
}

export type PaintingRun =
  | { readonly kind: 'coverage'; readonly layer: Extract<MapLayer, { readonly kind: 'coverage' }> }
  | ({ readonly kind: 'alone' } & LayerPart)
  | { readonly kind: 'together'; readonly name: string; readonly parts: readonly LayerPart[] };

/** Each vector layer has a plan. */
export function planPaintingRuns(
  layers: readonly MapLayer[],
  plans: readonly (StylePlan | undefined)[],
): readonly PaintingRun[] {
  const runs: PaintingRun[] = [];
  for (const [index, layer] of layers.entries()) {
    const plan = plans[index];
    if (layer.kind === 'coverage') runs.push({ kind: 'coverage', layer });
    else if (plan !== undefined) for (const groups of splitByOrder(plan)) addPart(runs, layer, plan, groups);
  }
  return runs.map(simplifySingleRun);
}

/**
 * Splits a run so that at most this number of feature type styles is painted at once, each into a picture of its own.
 * The features are read again for each part.
 */
export function splitRun(run: PaintingRun, maxGroups: number): readonly PaintingRun[] {
  if (run.kind !== 'alone') return [run];
  const { groups } = run.plan;
  const parts: PaintingRun[] = [];
  for (let first = 0; first < groups.length; first += maxGroups)
    parts.push({ ...run, plan: { ...run.plan, groups: groups.slice(first, first + maxGroups) } });
  return parts;
}

/** Splits groups into consecutive groups with the same order, or without one. */
function splitByOrder({ groups }: StylePlan): readonly (readonly PaintedGroup[])[] {
  const stretches: PaintedGroup[][] = [];
  for (const group of groups) {
    const last = stretches.at(-1);
    if (last !== undefined && toOrderKey(last[0]) === toOrderKey(group)) last.push(group);
    else stretches.push([group]);
  }
  return stretches;
}

function toOrderKey(group: PaintedGroup | undefined): string {
  return JSON.stringify(group?.zOrder ?? null);
}

function addPart(runs: PaintingRun[], layer: VectorLayer, plan: StylePlan, groups: readonly PaintedGroup[]): void {
  const zOrder = groups[0]?.zOrder;
  if (zOrder === undefined) {
    runs.push({ kind: 'alone', layer, plan: { ...plan, groups } });
    return;
  }
  const values = [...new Set([...plan.values, ...zOrder.sort.map(({ attribute }) => attribute)])];
  const part = { layer, plan: { ...plan, groups, values, sort: zOrder.sort } };
  const last = runs.at(-1);
  const isNext = last?.kind === 'together' && last.name === zOrder.name;
  const parts = isNext ? [...last.parts, part] : [part];
  if (isNext) runs.pop();
  runs.push({ kind: 'together', name: zOrder.name, parts });
}

/** Reduces a single feature type style to a plain run with sorted features. */
function simplifySingleRun(run: PaintingRun): PaintingRun {
  if (run.kind !== 'together') return run;
  const [only, ...others] = run.parts;
  return only !== undefined && others.length === 0 && only.plan.groups.length === 1 ? { kind: 'alone', ...only } : run;
}
