/** Finds published tile matrix sets by name. */
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { defaultSets, findDefaultSet } from '../default-sets.ts';
import { getClientName, type TileMatrixSet } from '../tile-matrix-set.ts';
import { createTileMatrixSet, findGridCrs } from './create-set.ts';
import type { GridDefinition } from './grid-definition.ts';
import { listDefaultGrids, listReadyGrids, type ReadyGrid } from './ready-grids.ts';

/** Finds a default or published set. Default sets are also found by the names that existing clients use. */
export function findReadyGrid(name: string): ReadyGrid | undefined {
  const usual = findDefaultSet(name);
  if (usual === undefined) return listReadyGrids().find(({ definition }) => definition.name === name);
  const grid = listDefaultGrids().find(({ definition }) => definition.name === usual.id);
  return grid === undefined || usual.id === name ? grid : { ...grid, definition: rename(grid.definition, name) };
}

/** The levels and the axis order of a former name. */
function rename(definition: GridDefinition, name: string): GridDefinition {
  const yCoordinateFirst = name === 'EPSG:4326';
  return { ...definition, name, scaleNames: [], yCoordinateFirst };
}

/** Lists the names of all built-in sets, with those of the default sets that existing clients use. */
export function listBuiltInNames(): readonly string[] {
  const usual = defaultSets.flatMap((set) => [set.id, getClientName(set)]);
  return [...usual, ...listReadyGrids().map(({ definition }) => definition.name)];
}

/** The number of cached sets of some kilobytes each: a server offers few. */
const MAX_SETS = 50;

const sets = createLruCache<TileMatrixSet>(MAX_SETS);

/** Returns undefined for an unknown name. */
export async function findReadySet(name: string): Promise<TileMatrixSet | undefined> {
  const known = findDefaultSet(name) ?? sets.get(name);
  if (known !== undefined) return known;
  const grid = findReadyGrid(name);
  const crs = grid && (await findGridCrs(grid.definition.epsg));
  if (grid === undefined || crs === undefined) return undefined;
  const { definition, uri } = grid;
  const names = { title: definition.description, ...(uri === undefined ? {} : { uri }) };
  const set = createTileMatrixSet(definition, crs, names);
  sets.set(name, set, 1);
  return set;
}
