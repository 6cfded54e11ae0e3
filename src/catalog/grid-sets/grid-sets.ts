/** Manages grid sets: those of administrators beside the built-in ones. */
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, formatPrintableName } from '../../records/names.ts';
import type { GridDefinition } from '../../tiles/grids/grid-definition.ts';
import { findReadyGrid, listBuiltInNames } from '../../tiles/grids/ready-sets.ts';
import { GRID_SETS, gridSetKind } from '../kinds/grid-set.ts';
import { formatTileLayerName, tileLayerKind } from '../kinds/tile-layer.ts';
import { createGridDefinition, type GridSetDraft } from './grid-set-draft.ts';
import { readOfferedNames } from './offered-names.ts';

/** A grid set in documents. */
export interface GridSetView {
  readonly definition: GridDefinition;
  /** 0 for a built-in grid set. */
  readonly version: number;
}

/** The number of layers that an error lists. */
const MAX_REPORTED_USERS = 10;

const nameRule = { what: 'grid set', field: 'gridSet.name' };

/** Lists the names of all grid sets, sorted. */
export async function listGridSetNames(catalog: CatalogReader): Promise<readonly string[]> {
  const own = await catalog.list(gridSetKind, null);
  return [...new Set([...own.map(({ name }) => name), ...listBuiltInNames()])].sort();
}

export async function findGridSet(catalog: CatalogReader, name: string): Promise<GridSetView> {
  const own = await catalog.find(gridSetKind, null, name);
  if (own !== undefined) return { definition: own, version: own.version };
  const ready = findReadyGrid(name);
  if (ready === undefined) throw problem('grid-set-unknown', { name: formatPrintableName(name) });
  return { definition: ready.definition, version: 0 };
}

export async function gridSetExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return findReadyGrid(name) !== undefined || (await catalog.find(gridSetKind, null, name)) !== undefined;
}

/** National grids can be replaced: many administrators have defined their own under the same name. */
function isReserved(name: string): boolean {
  const ready = findReadyGrid(name);
  return ready !== undefined && ready.publisher !== 'national';
}

export async function createGridSet(
  catalog: Catalog,
  principal: Principal,
  draft: GridSetDraft,
): Promise<{ readonly name: string }> {
  const name = draft.name ?? '';
  checkName(name, nameRule);
  if (isReserved(name)) throw problem('grid-set-exists', { name, field: nameRule.field });
  const definition = await createGridDefinition(name, draft);
  return catalog.change(principal, `create grid set ${name}`, async (transaction) => {
    if ((await transaction.find(gridSetKind, null, name)) !== undefined) {
      throw problem('grid-set-exists', { name, field: nameRule.field });
    }
    return transaction.insert(gridSetKind, { parent: null, ...definition });
  });
}

/** Replaces the definition, or creates the grid set if it does not exist. */
export async function putGridSet(
  catalog: Catalog,
  principal: Principal,
  name: string,
  { draft, precondition }: { readonly draft: GridSetDraft; readonly precondition: Precondition },
): Promise<{ readonly isNew: boolean }> {
  checkName(name, nameRule);
  if (isReserved(name)) throw problem('grid-set-built-in', { name });
  if (draft.name != null && draft.name !== name) {
    const sent = formatPrintableName(draft.name);
    throw problem('grid-set-renamed', { name, sent, field: nameRule.field });
  }
  const definition = await createGridDefinition(name, draft);
  return catalog.change(principal, `change grid set ${name}`, async (transaction) => {
    const current = await transaction.find(gridSetKind, null, name);
    checkPrecondition(precondition, current?.version);
    if (current === undefined) await transaction.insert(gridSetKind, { parent: null, ...definition });
    else await transaction.update(gridSetKind, { ...current, ...definition });
    return { isNew: current === undefined };
  });
}

export async function deleteGridSet(
  catalog: Catalog,
  principal: Principal,
  name: string,
  precondition: Precondition,
): Promise<void> {
  await catalog.change(principal, `delete grid set ${name}`, async (transaction) => {
    const own = await transaction.find(gridSetKind, null, name);
    if (own === undefined) {
      const isBuiltIn = findReadyGrid(name) !== undefined;
      throw problem(isBuiltIn ? 'grid-set-built-in' : 'grid-set-unknown', { name: formatPrintableName(name) });
    }
    checkPrecondition(precondition, own.version);
    // Without the own one, the national grid of this name is offered.
    const users = findReadyGrid(name) === undefined ? await findUsers(transaction, name) : [];
    if (users.length > 0) throw problem('grid-set-in-use', { name, users });
    await transaction.removeDeep(own.id);
  });
}

async function findUsers(catalog: CatalogReader, name: string): Promise<readonly string[]> {
  const names = await readOfferedNames(catalog);
  const setting = names.includes(name) ? [`the setting '${GRID_SETS}' of the service wmts`] : [];
  const tiled = await catalog.findByKey(tileLayerKind, 'gridSet', name, MAX_REPORTED_USERS);
  const owners = await Promise.all(tiled.map((each) => formatTileLayerName(catalog, each)));
  return [...setting, ...owners.map((owner) => `the tile settings of '${owner}'`)];
}
