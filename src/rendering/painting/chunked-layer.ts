/** Sends layers with large styles to painting threads in chunks. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { type ChunkedValue, joinChunks, splitIntoChunks } from '../../workers/large-values.ts';
import type { PaintedLayer } from '../layers/map-surface.ts';
import { listSpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules, type StylePlan } from '../rules/style-plan.ts';

/** A layer whose rules are in chunks. */
export interface ChunkedLayer extends Omit<PaintedLayer, 'plan' | 'spatialConditions'> {
  readonly plan: Omit<StylePlan, 'groups'>;
  readonly groups: ChunkedValue;
  /** In the order of the conditions in the rules: copies of the rules contain other objects. */
  readonly resolvedConditions: readonly (ResolvedFilter | undefined)[];
}

/** Returns the same layer if its style is small. */
export async function splitLayer(layer: PaintedLayer): Promise<PaintedLayer | ChunkedLayer> {
  const { plan, spatialConditions, ...others } = layer;
  const { groups, ...planned } = plan;
  const split = await splitIntoChunks(groups);
  if (split === undefined) return layer;
  const conditions = spatialConditions.size === 0 ? [] : listSpatialConditions(listPlanRules(plan));
  return {
    ...others,
    plan: planned,
    groups: split,
    resolvedConditions: conditions.map((condition) => spatialConditions.get(condition)),
  };
}

export async function joinLayer(layer: PaintedLayer | ChunkedLayer): Promise<PaintedLayer> {
  if (!('resolvedConditions' in layer)) return layer;
  const { groups: split, resolvedConditions, plan: planned, ...others } = layer;
  const plan: StylePlan = { ...planned, groups: (await joinChunks(split)) as StylePlan['groups'] };
  const conditions = resolvedConditions.length === 0 ? [] : listSpatialConditions(listPlanRules(plan));
  const spatialConditions = new Map(
    conditions.flatMap((condition, index) => {
      const resolved = resolvedConditions[index];
      return resolved === undefined ? [] : [[condition, resolved] as const];
    }),
  );
  return { ...others, plan, spatialConditions };
}
