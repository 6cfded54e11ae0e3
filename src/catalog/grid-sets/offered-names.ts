/** The grid sets that all layers offer: a setting of WMTS. */
import { problem } from '../../lib/problems/problem.ts';
import { listMembersNamed } from '../../lib/values/value-tree.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { GRID_SETS } from '../kinds/grid-set.ts';
import type { SettingValues } from '../kinds/setting.ts';
import { type ServiceSettings, serviceSettingsKind } from '../kinds/settings-records.ts';
import { type TileLayer, tileLayerKind } from '../kinds/tile-layer.ts';
import { findTileMatrixSet } from './find-set.ts';

/** Returns the names of the grid sets that all layers offer besides the default ones. */
export async function readOfferedNames(catalog: CatalogReader): Promise<readonly string[]> {
  const settings = await catalog.find(serviceSettingsKind, null, 'wmts');
  return settings === undefined ? [] : listOfferedNames(settings.values);
}

/** Returns the settings record of WMTS and the names of unknown grid sets in it. */
export async function findUnknownOffers(
  catalog: CatalogReader,
): Promise<{ readonly settings: ServiceSettings | undefined; readonly names: readonly string[] }> {
  const settings = await catalog.find(serviceSettingsKind, null, 'wmts');
  const names: string[] = [];
  for (const name of settings === undefined ? [] : listOfferedNames(settings.values)) {
    if ((await findTileMatrixSet(catalog, name)) === undefined) names.push(name);
  }
  return { settings, names };
}

/** Returns the tile settings of layers and groups that contain unknown grid sets. */
export async function findUnknownSubsets(
  catalog: CatalogReader,
): Promise<readonly { readonly tileLayer: TileLayer; readonly name: string }[]> {
  const found: { readonly tileLayer: TileLayer; readonly name: string }[] = [];
  for (const name of await catalog.listKeyValues(tileLayerKind, 'gridSet', {})) {
    if ((await findTileMatrixSet(catalog, name)) !== undefined) continue;
    const holders = await catalog.findByKey(tileLayerKind, 'gridSet', name, Number.MAX_SAFE_INTEGER);
    found.push(...holders.map((tileLayer) => ({ tileLayer, name })));
  }
  return found;
}

function listOfferedNames(values: SettingValues): readonly string[] {
  const list = values[GRID_SETS];
  if (typeof list !== 'object' || list === null) return [];
  return listMembersNamed(list, 'string').flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));
}

/** Offering a grid set is expensive for every layer: capabilities list its tiles. */
const MAX_OFFERED = 50;

/** Rejects settings of WMTS that name unknown grid sets. */
export async function checkOfferedNames(
  catalog: CatalogReader,
  values: SettingValues,
  isInWorkspace: boolean,
): Promise<void> {
  const names = listOfferedNames(values);
  const fault = await findOfferFault(catalog, names, isInWorkspace);
  if (fault === undefined) return;
  const field = `wmts.${GRID_SETS}`;
  throw problem('document-invalid', { complaints: [{ field, message: fault }], field });
}

async function findOfferFault(
  catalog: CatalogReader,
  names: readonly string[],
  isInWorkspace: boolean,
): Promise<string | undefined> {
  if (isInWorkspace && names.length > 0) return 'belongs to the settings of the server, not of a workspace';
  if (names.length > MAX_OFFERED) return `expected at most ${MAX_OFFERED} names, found ${names.length}`;
  for (const name of names) {
    if ((await findTileMatrixSet(catalog, name)) === undefined) {
      return `unknown grid set '${formatPrintableName(name)}'; /rest/gridsets lists all names`;
    }
  }
  return undefined;
}
