/** The tile formats that a layer can have, whether its settings offer them or not. */
import { type TileFormat, tileFormats } from '../../tiles/tile-format.ts';
import { listStyledLayers, type PublishedMap } from '../access/published-map.ts';
import { hasFeatureTiles, isDrawable } from '../maps/drawable-layers.ts';

/** Images if all layers can be drawn, and vector tiles if a layer has them. */
export function listPossibleFormats(map: PublishedMap): readonly TileFormat[] {
  const isPicture = isDrawn(map);
  const hasFeatures = listStyledLayers(map, null).some(({ layer }) => hasFeatureTiles(layer));
  return tileFormats.filter(({ isVector }) => (isVector ? hasFeatures : isPicture));
}

/** Returns whether all its layers can be drawn. */
export function isDrawn(map: PublishedMap): boolean {
  return listStyledLayers(map, null).every(({ layer }) => isDrawable(layer));
}

export function getMapId(map: PublishedMap): string {
  return map.kind === 'layer' ? map.layer.id : map.group.id;
}
