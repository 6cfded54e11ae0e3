/** Finds tile matrix sets by name: the default ones, those of administrators, and published ones. */
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { findDefaultSet } from '../../tiles/default-sets.ts';
import type { TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { type GridSet, gridSetKind } from '../kinds/grid-set.ts';

/** The number of cached sets of some kilobytes each. */
const MAX_SETS = 200;

/** By the id and version of the record. */
const sets = createLruCache<TileMatrixSet>(MAX_SETS);

export async function findTileMatrixSet(catalog: CatalogReader, name: string): Promise<TileMatrixSet | undefined> {
  const usual = findDefaultSet(name);
  if (usual !== undefined) return usual;
  const own = await catalog.find(gridSetKind, null, name);
  if (own !== undefined) return loadSet(own);
  const { findReadySet } = await import('../../tiles/grids/ready-sets.ts');
  return findReadySet(name);
}

async function loadSet(record: GridSet): Promise<TileMatrixSet | undefined> {
  const key = `${record.id} ${record.version}`;
  const known = sets.get(key);
  if (known !== undefined) return known;
  const { createTileMatrixSet, findGridCrs } = await import('../../tiles/grids/create-set.ts');
  const crs = await findGridCrs(record.epsg);
  if (crs === undefined) return undefined;
  const set = createTileMatrixSet(record, crs, { title: record.description || record.name });
  sets.set(key, set, 1);
  return set;
}
