/** How far from their shapes the symbols of features reach, for queries by position. */
import type { MapSettings } from '../request/map-settings.ts';
import { isFeatureDependent } from '../rules/bind-style.ts';
import { computeReach, listPlanRules, type StylePlan } from '../rules/style-plan.ts';

/** Symbols may be large, but users expect features near the point they click. */
export const MAX_RADIUS_PIXELS = 50;

/** Returns the largest radius of any feature. Sizes that depend on attributes are known only after reading. */
export function computeLargestRadius(plan: StylePlan, { getLengths }: MapSettings): number {
  const symbolizers = listPlanRules(plan).flatMap((rule) => rule.symbolizers);
  const radii = symbolizers
    .filter(({ kind }) => kind !== 'textSymbolizer')
    .map((each) => (isFeatureDependent(each) ? MAX_RADIUS_PIXELS : computeReach(each, getLengths(each)) / 2));
  return Math.min(Math.max(0, ...radii), MAX_RADIUS_PIXELS);
}
