/** Reads and changes the tile settings of layers and groups. */
import { isAnonymous } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { defaultSets } from '../../tiles/default-sets.ts';
import { findSettingFaults, type SettingFault } from '../../tiles/settings/setting-faults.ts';
import type { GridSubset, TileSettings } from '../../tiles/settings/tile-settings.ts';
import { findStoredLevels } from '../../tiles/stored-levels.ts';
import { findTileFormat, tileFormats } from '../../tiles/tile-format.ts';
import { getClientName } from '../../tiles/tile-matrix-set.ts';
import { findTileMatrixSet } from '../grid-sets/find-set.ts';
import { readOfferedNames } from '../grid-sets/offered-names.ts';
import { findResourceById } from '../kinds/any-resource.ts';
import { featureTypeKind } from '../kinds/feature-type.ts';
import type { Resource } from '../kinds/resource.ts';
import {
  EVERY_TILE_LAYER,
  findTileOwner,
  formatTileOwner,
  TILE_LAYER,
  type TileOwner,
  tileLayerKind,
} from '../kinds/tile-layer.ts';
import { locateGroup } from '../layer-groups/layer-groups.ts';
import { createAccessDeniedProblem, type LayerLocator, locateLayer, type Viewer } from '../layers/layers.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { readTileDefaults } from './tile-defaults.ts';

/** The tile settings in documents. */
export interface TileLayerView {
  /** The id of the layer or group. */
  readonly id: string;
  /** `workspace:name`, or the name of a global group. */
  readonly name: string;
  readonly settings: TileSettings;
  /** Changes with the settings, the defaults and the layer. */
  readonly version: number;
}

/** An absent field stays unchanged, null restores the default. */
export type TileLayerDraft = { readonly [K in keyof TileSettings]?: TileSettings[K] | null } & {
  readonly name?: string | null;
  /** Input of older clients: true allows all styles of the layer. */
  readonly autoCacheStyles?: boolean | null;
};

/** Returns the settings with the defaults in place of absent ones. */
export async function findTileLayer(
  catalog: CatalogReader,
  place: LayerLocator,
  viewer: Viewer,
): Promise<TileLayerView> {
  const found = await locateTileOwner(catalog, place, viewer);
  const { settings, version } = await readStored(catalog, found);
  const defaults = await readTileDefaults(catalog);
  return {
    id: found.owner.id,
    name: formatTileOwner(found),
    settings: {
      inMemoryCached: true,
      mimeFormats: await listUsualFormats(catalog, found),
      gridSubsets: await listUsualSubsets(catalog, found),
      ...defaults.settings,
      ...settings,
    },
    version,
  };
}

export async function tileLayerExists(catalog: CatalogReader, place: LayerLocator): Promise<boolean> {
  return (await findOwner(catalog, place).catch(() => undefined)) !== undefined;
}

/** Lists the layers and groups with their own settings that the caller administers, sorted. */
export async function listTileLayers(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  { permissions }: Viewer,
): Promise<readonly { readonly name: string; readonly workspace: string | null }[]> {
  const home = workspaceName === undefined ? undefined : await findWorkspace(catalog, workspaceName);
  const listed: { readonly name: string; readonly workspace: string | null }[] = [];
  for (const record of await catalog.findByKey(tileLayerKind, 'every', EVERY_TILE_LAYER, Number.MAX_SAFE_INTEGER)) {
    const found = await findTileOwner(catalog, record);
    if (found === undefined) continue;
    const workspace = found.workspace?.name ?? null;
    const isListed = workspace === null ? permissions.administersAll() : permissions.administers(workspace);
    if (isListed && (home === undefined || found.workspace?.id === home.id)) {
      listed.push({ name: home === undefined ? formatTileOwner(found) : found.owner.name, workspace });
    }
  }
  return listed.sort((one, other) => (one.name < other.name ? -1 : 1));
}

export interface TileLayerUpdate {
  readonly draft: TileLayerDraft;
  /** Whether absent fields are unchanged or get their default. */
  readonly way: 'merge' | 'replace';
  readonly precondition: Precondition;
}

export async function changeTileLayer(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  { draft, way, precondition }: TileLayerUpdate,
): Promise<{ readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = [];
  await catalog.change(viewer.principal, `change the tile settings of ${place.name}`, async (transaction) => {
    const found = await locateTileOwner(transaction, place, viewer);
    checkSameName(found, draft.name);
    const { record, settings: current, version } = await readStored(transaction, found);
    checkPrecondition(precondition, version);
    const settings = mergeSettings(way === 'merge' ? current : {}, draft);
    await checkSettings(transaction, settings);
    warnings = listFormatWarnings(settings);
    if (record !== undefined) await transaction.update(tileLayerKind, { ...record, settings });
    else await transaction.insert(tileLayerKind, { parent: found.owner.id, name: TILE_LAYER, settings });
  });
  return { warnings };
}

/** Restores the defaults. Returns the id of the layer or group, whose tiles the caller deletes. */
export async function resetTileLayer(
  catalog: Catalog,
  place: LayerLocator,
  viewer: Viewer,
  precondition: Precondition,
): Promise<string> {
  let id = '';
  await catalog.change(viewer.principal, `reset the tile settings of ${place.name}`, async (transaction) => {
    const found = await locateTileOwner(transaction, place, viewer);
    id = found.owner.id;
    const { record, version } = await readStored(transaction, found);
    checkPrecondition(precondition, version);
    if (record !== undefined) await transaction.removeDeep(record.id);
  });
  return id;
}

async function readStored(catalog: CatalogReader, { owner }: TileOwner) {
  const record = await catalog.find(tileLayerKind, owner.id, TILE_LAYER);
  const { version } = await readTileDefaults(catalog);
  return {
    record,
    settings: record?.settings ?? {},
    version: Math.max(owner.version, record?.version ?? 0, version),
  };
}

/** Only administrators of its workspace can read and change the settings, and export tiles. */
export async function locateTileOwner(catalog: CatalogReader, place: LayerLocator, viewer: Viewer): Promise<TileOwner> {
  const found = await findOwner(catalog, place);
  if (found === undefined) throw createUnknownProblem(place);
  const { permissions, principal } = viewer;
  const { owner, workspace } = found;
  if (workspace === null ? permissions.administersAll() : permissions.administers(workspace.name)) return found;
  const isHidden =
    workspace !== null && permissions.decide({ workspace: workspace.name, layer: owner.name }, 'read') === 'hide';
  throw isHidden && !isAnonymous(principal) ? createUnknownProblem(place) : createAccessDeniedProblem(principal);
}

/** Layers and groups of a workspace share one set of names. */
async function findOwner(catalog: CatalogReader, place: LayerLocator): Promise<TileOwner | undefined> {
  const found = await locateLayer(catalog, place);
  if (found !== undefined) return { owner: found.layer, workspace: found.workspace };
  const group = await locateGroup(catalog, place);
  return group && { owner: group.group, workspace: group.workspace };
}

function createUnknownProblem({ name, workspace }: LayerLocator): Problem {
  return problem('layer-unknown', { name: formatPrintableName(name), workspace });
}

function checkSameName(found: TileOwner, sent: string | null | undefined): void {
  const name = formatTileOwner(found);
  if (sent == null || sent === '' || sent === name || sent === found.owner.name) return;
  throw problem('tile-layer-renamed', { name, sent: formatPrintableName(sent), field: 'GeoServerLayer.name' });
}

function mergeSettings(current: TileSettings, draft: TileLayerDraft): TileSettings {
  const { name: _, autoCacheStyles, ...sent } = draft;
  const merged = Object.entries({ ...current, ...sent }).filter(([, value]) => value != null);
  const settings: TileSettings = Object.fromEntries(merged);
  const hasStyles = settings.parameterFilters?.some(({ kind }) => kind === 'style');
  if (autoCacheStyles !== true || hasStyles) return settings;
  const styles = { kind: 'style', key: 'STYLES', defaultValue: '' } as const;
  return { ...settings, parameterFilters: [...(settings.parameterFilters ?? []), styles] };
}

async function checkSettings(catalog: CatalogReader, settings: TileSettings): Promise<void> {
  const faults: SettingFault[] = [...findSettingFaults(settings)];
  if (faults.length === 0) {
    for (const [index, { gridSetName }] of (settings.gridSubsets ?? []).entries()) {
      if ((await findTileMatrixSet(catalog, gridSetName)) !== undefined) continue;
      const message = `unknown grid set '${formatPrintableName(gridSetName)}'; /rest/gridsets lists all names`;
      faults.push({ field: `gridSubsets[${index}].gridSetName`, message });
    }
  }
  const complaints = faults.map(({ field, message }) => ({ field: `GeoServerLayer.${field}`, message }));
  const [first] = complaints;
  if (first !== undefined) throw problem('document-invalid', { complaints, field: first.field });
}

/** Settings of other servers can contain formats that this server does not write. */
function listFormatWarnings({ mimeFormats = [] }: TileSettings): readonly string[] {
  const unknown = mimeFormats.filter((each) => findTileFormat(each) === undefined);
  if (unknown.length === 0) return [];
  const names = unknown.map((each) => `'${formatPrintableName(each)}'`).join(', ');
  const known = tileFormats.map(({ mediaType }) => mediaType).join(', ');
  return [`Unknown tile formats are not offered: ${names}. Supported formats: ${known}.`];
}

async function findOwnerResource(catalog: CatalogReader, { owner }: TileOwner): Promise<Resource | undefined> {
  return owner.kind === 'layer' ? findResourceById(catalog, owner.parent ?? '') : undefined;
}

async function listUsualFormats(catalog: CatalogReader, found: TileOwner): Promise<readonly string[]> {
  const { owner } = found;
  const resource = await findOwnerResource(catalog, found);
  const hasFeatures = owner.kind === 'layerGroup' || resource?.kind === featureTypeKind.kind;
  const offered = tileFormats.filter(({ isVector }) => !isVector || hasFeatures);
  return offered.map(({ mediaType }) => mediaType);
}

/** Layers of tile archives have the levels of the stored tiles. */
async function listUsualSubsets(catalog: CatalogReader, found: TileOwner): Promise<readonly GridSubset[]> {
  const names = [...defaultSets.map(getClientName), ...(await readOfferedNames(catalog))];
  const stored = (await findOwnerResource(catalog, found))?.tileZooms;
  return Promise.all(
    names.map(async (gridSetName): Promise<GridSubset> => {
      const set = stored && (await findTileMatrixSet(catalog, gridSetName));
      if (stored === undefined || set === undefined) return { gridSetName };
      const { minLevel, maxLevel } = findStoredLevels(set, stored);
      return { gridSetName, zoomStart: minLevel, zoomStop: maxLevel };
    }),
  );
}
