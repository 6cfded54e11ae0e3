/** Counts the features of a map that each rule of a style draws, for legends. */

import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Rule, Symbolizer } from '../../styling/model/model.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers, type RunTransformation } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules, compileGroup } from '../rules/rule-choice.ts';
import { resolveSpatialConditions, startSpatialTests } from '../rules/spatial-conditions.ts';
import { isFirstRuleOnly, isInScale, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';

export type RuleCounts = ReadonlyMap<Rule, number>;

/** Omits rules that draw nothing. Rules of rasters count as 1, because they have no features. */
export async function countRules(
  request: MapRequest,
  budget: Pick<MapBudget, 'milliseconds'>,
  signal: AbortSignal,
  transform?: RunTransformation,
): Promise<RuleCounts> {
  const settings = await resolveMapSettings(request);
  const late = AbortSignal.timeout(budget.milliseconds);
  const counts = new Map<Rule, number>();
  try {
    for (const { layer, prepare } of await expandLayers(request.layers, settings, { transform })) {
      const ended = AbortSignal.any([signal, late]);
      if (layer.kind === 'vector') {
        await prepare(ended);
        await countLayer(layer, settings, counts, ended);
      } else for (const { rules } of layer.style.featureTypeStyles) for (const rule of rules) counts.set(rule, 1);
    }
    return counts;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw problem('map-too-slow', { seconds: budget.milliseconds / 1_000 });
    throw error;
  }
}

async function countLayer(
  layer: VectorLayer,
  settings: MapSettings,
  counts: Map<Rule, number>,
  signal: AbortSignal,
): Promise<void> {
  const { frame, system, scaleDenominator } = settings;
  const { source, style } = layer;
  const plan = await planStyle(style, source.description, settings);
  const [drawn] = plan.geometries;
  if (drawn === undefined) return;
  const crs = getGeometryCrs(source.description, drawn);
  const seen = computeVisibleBox(frame, 0);
  const boxes = await computeFeatureBoxes(system, seen, listWorldShifts(system, seen), crs);
  if (boxes.length === 0) return;
  const { world } = await resolveMapSystem(crs);
  const answer = await queryFeatures(source, buildLayerQuery(layer, plan, boxes, world), signal);
  const inScale = style.featureTypeStyles.map(({ rules }) => rules.filter((rule) => isInScale(rule, scaleDenominator)));
  const shown = { ...source, description: answer.description };
  const conditions = await resolveSpatialConditions(inScale.flat(), shown, signal);
  const inPlace = await startSpatialTests(conditions, shown, signal);
  const places = { ...findPackedColumns(answer.description, plan), geometries: [] };
  const cursor = new FeatureCursor(plan);
  const matching: CompiledRule<Symbolizer>[] = [];
  // Compile the original rule objects, because the caller identifies rules by reference.
  const groups = style.featureTypeStyles.map((each, index) => {
    const rules = inScale[index] ?? [];
    const compiled = compileGroup(
      { rules, isFirstOnly: isFirstRuleOnly(each) },
      inPlace.tests,
      (symbolizer) => symbolizer,
    );
    return { compiled, ruleOf: new Map(compiled.rules.map((rule, index) => [rule, rules[index]] as const)) };
  });
  for await (const features of applyTimeout(source, answer.batches)) {
    await inPlace.load(features);
    const batch = packFeatures(features, places);
    for (let index = 0; index < features.length; index += 1) {
      const others = yieldIfDue();
      if (others !== undefined) await others;
      signal.throwIfAborted();
      cursor.moveTo(batch, index);
      for (const { compiled, ruleOf } of groups) {
        collectRules(compiled, cursor, matching);
        for (const each of matching) {
          const rule = ruleOf.get(each);
          if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + 1);
        }
      }
    }
  }
}
