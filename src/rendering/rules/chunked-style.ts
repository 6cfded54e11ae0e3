/** Sends layers with large styles to other threads in chunks. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { type ChunkedValue, joinChunks, splitIntoChunks } from '../../workers/large-values.ts';
import type { RuleGroup } from './rule-choice.ts';
import { listSpatialConditions, type SpatialConditions } from './spatial-conditions.ts';
import { listPlanRules } from './style-plan.ts';

export interface StyledLayer {
  readonly plan: { readonly groups: readonly RuleGroup[] };
  /** The spatial conditions in the rules of the plan. */
  readonly spatialConditions: SpatialConditions;
}

/** A layer whose rules are in chunks. */
export interface ChunkedLayer<L extends StyledLayer> {
  readonly layer: Omit<L, 'plan' | 'spatialConditions'>;
  readonly plan: Omit<L['plan'], 'groups'>;
  readonly groups: ChunkedValue;
  /** In the order of the conditions in the rules: copies of the rules contain other objects. */
  readonly resolvedConditions: readonly (ResolvedFilter | undefined)[];
}

/** Returns the same layer if its style is small. */
export async function splitLayer<L extends StyledLayer>(layer: L): Promise<L | ChunkedLayer<L>> {
  const { plan: _, spatialConditions, ...others } = layer;
  const plan: L['plan'] = layer.plan;
  const { groups, ...planned } = plan;
  const split = await splitIntoChunks(groups);
  if (split === undefined) return layer;
  const conditions = spatialConditions.size === 0 ? [] : listSpatialConditions(listPlanRules(plan));
  return {
    layer: others,
    plan: planned,
    groups: split,
    resolvedConditions: conditions.map((condition) => spatialConditions.get(condition)),
  };
}

export async function joinLayer<L extends StyledLayer>(sent: L | ChunkedLayer<L>): Promise<L> {
  if (!('resolvedConditions' in sent)) return sent;
  const { layer, plan: planned, groups: split, resolvedConditions } = sent;
  const plan = { ...planned, groups: (await joinChunks(split)) as L['plan']['groups'] };
  const conditions = resolvedConditions.length === 0 ? [] : listSpatialConditions(listPlanRules(plan));
  const spatialConditions = new Map(
    conditions.flatMap((condition, index) => {
      const resolved = resolvedConditions[index];
      return resolved === undefined ? [] : [[condition, resolved] as const];
    }),
  );
  return { ...layer, plan, spatialConditions } as unknown as L;
}
