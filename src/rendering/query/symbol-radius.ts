/** How far from their shapes the symbols of features reach, for queries by position. */
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { isFeatureDependent } from '../rules/bind-style.ts';
import { computeReach, listPlanRules, type StylePlan } from '../rules/style-plan.ts';

/** Symbols may be large, but users expect features near the point they click. */
export const MAX_RADIUS_PIXELS = 50;

/** Returns the largest radius of any feature. Sizes that depend on attributes are known only after reading. */
export async function computeLargestRadius(plan: StylePlan, { getLengths }: MapSettings): Promise<number> {
  let largest = 0;
  for (const { symbolizers } of listPlanRules(plan)) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    for (const each of symbolizers) {
      if (each.kind === 'textSymbolizer') continue;
      const radius = isFeatureDependent(each) ? MAX_RADIUS_PIXELS : computeReach(each, getLengths(each)) / 2;
      largest = Math.max(largest, radius);
    }
  }
  return Math.min(largest, MAX_RADIUS_PIXELS);
}
