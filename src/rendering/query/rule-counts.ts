/** Counts the features of a map that each rule of a style draws, for legends. */

import { problem } from '../../lib/problems/problem.ts';
import type { Rule } from '../../styling/model/model.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { expandLayers } from '../layers/transformed-layers.ts';
import { applyTimeout, buildLayerQuery, findPackedColumns, getGeometryCrs } from '../layers/vector-layer.ts';
import type { MapBudget, MapRequest, VectorLayer } from '../request/map-request.ts';
import { type MapSettings, resolveMapSettings } from '../request/map-settings.ts';
import { findGeometryUsesInTurns } from '../rules/bind-style.ts';
import { resolveSpatialConditions } from '../rules/spatial-conditions.ts';
import { isFirstRuleOnly, isInScale, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { type QueryThreads, type SearchOptions, startBatchSearch } from './batch-search.ts';
import { ruleSearch } from './rule-search.ts';

export type RuleCounts = ReadonlyMap<Rule, number>;

/** Omits rules that draw nothing. Rules of rasters count as 1, because they have no features. */
export async function countRules(
  request: MapRequest,
  budget: Pick<MapBudget, 'milliseconds'>,
  signal: AbortSignal,
  { transform, search: runInThread }: QueryThreads = {},
): Promise<RuleCounts> {
  const settings = await resolveMapSettings(request);
  const late = AbortSignal.timeout(budget.milliseconds);
  const counts = new Map<Rule, number>();
  try {
    for (const { layer, prepare } of await expandLayers(request.layers, settings, { transform, signal: late })) {
      const ended = AbortSignal.any([signal, late]);
      if (layer.kind === 'vector') {
        await prepare(ended);
        await countLayer(layer, settings, counts, { signal: ended, runInThread });
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
  { signal, runInThread }: SearchOptions,
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
  // Test the original rule objects, because the caller identifies rules by reference.
  const rules = inScale.flat();
  const spatialConditions = await resolveSpatialConditions(rules, shown, signal);
  let usesGeometry = spatialConditions.size > 0;
  for (const rule of rules) usesGeometry ||= (await findGeometryUsesInTurns(rule)).size > 0;
  const groups = style.featureTypeStyles.map((each, index) => ({
    rules: inScale[index] ?? [],
    isFirstOnly: isFirstRuleOnly(each),
  }));
  const { values, geometries } = plan;
  const query = { plan: { groups, values, geometries }, spatialConditions };
  const search = startBatchSearch(ruleSearch, query, { signal, runInThread });
  const columns = findPackedColumns(answer.description, plan);
  const places = usesGeometry ? columns : { ...columns, geometries: [] };
  for await (const features of applyTimeout(source, answer.batches)) {
    signal.throwIfAborted();
    const found = await search(packFeatures(features, places));
    for (const [index, rule] of rules.entries()) {
      const count = found[index] ?? 0;
      if (count > 0) counts.set(rule, (counts.get(rule) ?? 0) + count);
    }
  }
}
