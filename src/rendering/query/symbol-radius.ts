/** How far from its shape the symbols of a feature reach, for queries by position. */
import type { Symbolizer } from '../../styling/model/model.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { isFeatureDependent } from '../rules/bind-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules, compileGroup } from '../rules/rule-choice.ts';
import type { SpatialTests } from '../rules/spatial-conditions.ts';
import { computeReach, listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import { memoizeByFeature } from '../symbols/symbolizer-painters.ts';

/** Symbols may be large, but users expect features near the point they click. */
export const MAX_RADIUS_PIXELS = 50;

type ComputeRadius = (feature: FeatureCursor) => number;

/** Returns the radius of a feature in pixels; undefined if no rule draws it. */
export type ReadRadius = (batch: FeatureBatch, feature: number) => number | undefined;

export function createRadiusReader(plan: StylePlan, places: SpatialTests, settings: MapSettings): ReadRadius {
  const groups = plan.groups.map((group) => compileGroup(group, places, (each) => compileRadius(each, settings)));
  const cursor = new FeatureCursor(plan);
  const rules: CompiledRule<ComputeRadius>[] = [];
  return (batch, feature) => {
    cursor.moveTo(batch, feature);
    let radius: number | undefined;
    for (const group of groups) {
      collectRules(group, cursor, rules);
      for (const { painters } of rules) {
        for (const compute of painters) radius = Math.max(radius ?? 0, compute(cursor));
      }
    }
    return radius === undefined ? undefined : Math.min(radius, MAX_RADIUS_PIXELS);
  };
}

/** Labels are placed far from shapes and do not count: a point beside a feature would find it by its label. */
function compileRadius(symbolizer: Symbolizer, { getLengths }: MapSettings): ComputeRadius {
  if (symbolizer.kind === 'textSymbolizer') return () => 0;
  const lengths = getLengths(symbolizer);
  // Naming a geometry does not make the size depend on the feature.
  const { geometry: _, ...sized } = symbolizer;
  return memoizeByFeature(sized, (bound) => computeReach(bound, lengths) / 2);
}

/** Returns the largest radius of any feature. Sizes that depend on attributes are known only after reading. */
export function computeLargestRadius(plan: StylePlan, { getLengths }: MapSettings): number {
  const symbolizers = listPlanRules(plan).flatMap((rule) => rule.symbolizers);
  const radii = symbolizers
    .filter(({ kind }) => kind !== 'textSymbolizer')
    .map((each) => (isFeatureDependent(each) ? MAX_RADIUS_PIXELS : computeReach(each, getLengths(each)) / 2));
  return Math.min(Math.max(0, ...radii), MAX_RADIUS_PIXELS);
}
