/** Translates the style of each feature to the subset that KML supports. */
import type { Rule } from '../../styling/model/model.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { findPackedColumns } from '../layers/vector-layer.ts';
import type { VectorLayer } from '../request/map-request.ts';
import { getMapScale, type MapSettings } from '../request/map-settings.ts';
import { findGeometryUsesInTurns } from '../rules/bind-style.ts';
import { resolveSpatialConditions } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';
import { type SearchOptions, startBatchSearch } from './batch-search.ts';
import { type PlacemarkStyles, placemarkSearch } from './placemark-search.ts';

/** Returns the address of the icon of a rule; undefined if it has none. */
export type IconResolver = (rule: Rule) => string | undefined;

/** Returns a style for each feature; undefined for features that no rule draws. */
export type PlacemarkStyler = (features: readonly Feature[]) => Promise<PlacemarkStyles>;

export interface PlacemarkOptions extends SearchOptions {
  readonly iconOf: IconResolver;
}

/** `description` describes the features. */
export async function createPlacemarkStyler(
  layer: VectorLayer,
  description: FeatureTypeDescription,
  settings: MapSettings,
  { iconOf, signal, runInThread }: PlacemarkOptions,
): Promise<PlacemarkStyler> {
  const plan = await planStyle(layer.style, replaceSystems(layer.source.description, description), settings);
  const rules = listPlanRules(plan);
  const shown = { ...layer.source, description };
  const spatialConditions = await resolveSpatialConditions(rules, shown, signal);
  const icons: (string | undefined)[] = [];
  let usesGeometry = spatialConditions.size > 0;
  for (const rule of rules) {
    usesGeometry ||= (await findGeometryUsesInTurns(rule)).size > 0;
    icons.push(iconOf(rule));
  }
  const query = { plan, spatialConditions, scale: getMapScale(settings), icons };
  const search = startBatchSearch(placemarkSearch, query, { signal, runInThread });
  const columns = findPackedColumns(description, plan);
  const places = usesGeometry ? columns : { ...columns, geometries: [] };
  return (features) => search(packFeatures(features, places));
}

/** Placemarks are in another CRS than the data. */
function replaceSystems(type: FeatureTypeDescription, shown: FeatureTypeDescription): FeatureTypeDescription {
  const byName = new Map(shown.attributes.map((each) => [each.name, each]));
  return { ...type, attributes: type.attributes.map((each) => byName.get(each.name) ?? each) };
}
