/** The attributes that a style selects for vector tiles. */
import { Problem } from '../../lib/problems/problem.ts';
import type { UserStyle, VendorOption } from '../../styling/model/model.ts';
import { findLayerStyle } from '../access/map-styles.ts';
import type { StyledLayer } from '../access/published-map.ts';
import type { MapServices } from './map-services.ts';
import { loadReadyStyle } from './style-models.ts';

/** Returns undefined for all attributes, also if the layer has no style or an invalid one: tiles do not need it. */
export async function loadTileAttributes(
  services: MapServices,
  { layer, style: reference }: StyledLayer,
): Promise<readonly string[] | undefined> {
  const style = await findLayerStyle(services.catalog, layer, reference);
  if (style === undefined) return undefined;
  try {
    const { model } = await loadReadyStyle(services, style, layer);
    return listTileAttributes(model);
  } catch (error) {
    if (error instanceof Problem && error.code === 'wms-layer-not-drawable') return undefined;
    throw error;
  }
}

/** Returns the names of all options `vt-attributes` of a style; undefined without one. */
export function listTileAttributes({ featureTypeStyles }: UserStyle): readonly string[] | undefined {
  const lists = featureTypeStyles.flatMap(({ vendorOptions, rules }) => [
    ...listNames(vendorOptions),
    ...rules.flatMap((rule) => listNames(rule.vendorOptions)),
  ]);
  return lists.length === 0 ? undefined : [...new Set(lists.flat())];
}

function listNames(options: readonly VendorOption[] = []): readonly (readonly string[])[] {
  return options.flatMap(({ name, value }) => {
    if (name.trim().toLowerCase() !== 'vt-attributes' || value.kind !== 'literal') return [];
    const names = value.value.split(',').map((each) => each.trim());
    return [names.filter((each) => each !== '')];
  });
}
