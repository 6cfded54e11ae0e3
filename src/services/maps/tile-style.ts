/** The options of a style for vector tiles. */
import { Problem } from '../../lib/problems/problem.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import { findLayerStyle } from '../access/map-styles.ts';
import type { StyledLayer } from '../access/published-map.ts';
import type { MapServices } from './map-services.ts';
import { loadReadyStyle } from './style-models.ts';

export interface TileStyle {
  /** Undefined for all attributes. */
  readonly attributes?: readonly string[] | undefined;
  /** Whether features with equal attributes are merged. */
  readonly coalesces: boolean;
  /** Whether tiles have a layer of label points. */
  readonly hasLabels: boolean;
  /** The attributes of that layer; by default those of the tile. */
  readonly labelAttributes?: readonly string[] | undefined;
}

const plain: TileStyle = { coalesces: false, hasLabels: false };

/** Returns no options if the layer has no style or an invalid one: tiles do not need it. */
export async function loadTileStyle(
  services: MapServices,
  { layer, style: reference }: StyledLayer,
): Promise<TileStyle> {
  const style = await findLayerStyle(services.catalog, layer, reference);
  if (style === undefined) return plain;
  try {
    const { model } = await loadReadyStyle(services, style, layer);
    return readTileStyle(model);
  } catch (error) {
    if (error instanceof Problem && error.code === 'wms-layer-not-drawable') return plain;
    throw error;
  }
}

/** The options of all rules and feature type styles count together. */
export function readTileStyle({ featureTypeStyles }: UserStyle): TileStyle {
  const options = featureTypeStyles.flatMap(({ vendorOptions = [], rules }) => [
    ...vendorOptions,
    ...rules.flatMap((rule) => rule.vendorOptions ?? []),
  ]);
  const listTexts = (wanted: string): readonly string[] =>
    options.flatMap(({ name, value }) =>
      name.trim().toLowerCase() === wanted && value.kind === 'literal' ? value.value.trim() : [],
    );
  const listNames = (wanted: string): readonly string[] | undefined => {
    const texts = listTexts(wanted);
    const names = texts.flatMap((text) => text.split(',').map((each) => each.trim()));
    return texts.length === 0 ? undefined : [...new Set(names.filter((each) => each !== ''))];
  };
  const isOn = (wanted: string): boolean => listTexts(wanted).some((text) => text.toLowerCase() === 'true');
  return {
    attributes: listNames('vt-attributes'),
    coalesces: isOn('vt-coalesce'),
    hasLabels: isOn('vt-labels'),
    labelAttributes: listNames('vt-label-attributes'),
  };
}
