/** Tags of the parameters of tiles, by which tiles with some values are truncated. */
import type { StyleReference } from '../../catalog/kinds/style.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { tagParameters } from '../../tiles/cache/tile-key.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { Parameters } from '../ows/parameters.ts';
import { createParameterProblem, isDeclared } from '../ows/service-parameters.ts';
import { filterTileParameters } from './parameter-filters.ts';
import { pixelRatioParameter } from './pixel-ratio.ts';
import { selectTileStyle } from './select-tile.ts';
import { readTileOptions, type TileOptions } from './tile-options.ts';
import { appearanceOptions, dataOptions } from './tile-parameters.ts';

const STYLES = 'styles';

/** The style is null for the default. Vector tiles do not depend on the appearance. */
export function tagTileParameters(
  style: StyleReference | null,
  { written: { layer, look } }: TileOptions,
  { isVector }: { readonly isVector: boolean },
): string {
  const others = Object.entries({ ...layer, ...(isVector ? {} : look) });
  return tagParameters([
    [STYLES, style ?? ''],
    ...others.filter(([name, value]) => name !== pixelRatioParameter.name && value !== ''),
  ]);
}

/**
 * Returns the tags of tiles whose requests have these parameters, and any other ones: values are those that the filters
 * of the layer choose. Throws a Problem for a parameter that tiles do not have, because no tile would match.
 */
export async function tagRequestedParameters(
  catalog: CatalogReader,
  map: PublishedMap,
  sent: Parameters,
  limits: DocumentLimits,
): Promise<string> {
  for (const name of sent.keys()) {
    if (name !== STYLES && !isDeclared(dataOptions, name) && !isDeclared(appearanceOptions, name)) {
      throw createParameterProblem('parameters', name, 'STYLES or a parameter of tiles, such as CQL_FILTER or TIME');
    }
  }
  const chosen = await filterTileParameters(catalog, map, sent);
  const others = [...chosen].filter(([name, value]) => name !== STYLES && sent.has(name) && value !== '');
  await readTileOptions(new Map(others), limits, { isVector: false });
  const style = sent.get(STYLES);
  const selected = style === undefined ? undefined : await selectTileStyle(catalog, map, style, STYLES);
  return tagParameters([...(selected === undefined ? [] : [[STYLES, selected ?? ''] as const]), ...others]);
}
