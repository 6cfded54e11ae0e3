/** Writes the tile sets of layers in capabilities of WMS 1.1.1. */
import { readTileDefaults } from '../../catalog/tile-layers/tile-defaults.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { TileServices } from '../tiles/map-tile.ts';
import { listLayerGridSets, listTileFormats } from '../tiles/tile-offer.ts';
import type { TileSetWriter } from '../wms/context/tile-integration.ts';
import { listWithMembers } from '../wmts/service.ts';
import { VENDOR_DTD, writeTileSets } from './wmsc-capabilities.ts';

/** Returns undefined if maps are not answered from tiles. */
export async function openTileSets({ catalog }: Pick<TileServices, 'catalog'>): Promise<TileSetWriter | undefined> {
  const { isIntegratedInWms } = await readTileDefaults(catalog);
  if (!isIntegratedInWms) return undefined;
  const writeOne = async (map: PublishedMap, name: string): Promise<string> => {
    const formats = await listTileFormats(catalog, map);
    const sets = await listLayerGridSets(catalog, map);
    return writeTileSets({ name, formats: formats.map(({ mediaType }) => mediaType), sets });
  };
  return {
    declarations: VENDOR_DTD,
    async write(map, formatName) {
      const written: string[] = [];
      for (const each of listWithMembers(map)) written.push(await writeOne(each, formatName(each)));
      return written.join('');
    },
  };
}
