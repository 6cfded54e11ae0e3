/** Creates one tile of a seed job from the current state of its layer. */

import { anonymous } from '../../../lib/identity/principal.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { serverPrincipal } from '../../../security/core/administrator.ts';
import type { SeedJob } from '../../../tiles/seeding/seed-job.ts';
import type { TileAddress } from '../../../tiles/tile-matrix-set.ts';
import { type MapServiceRequest, openMapAccess } from '../../access/map-access.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { loadOrDrawTile, prepareTile, type TileServices } from '../../tiles/map-tile.ts';
import { getMapId } from '../../tiles/possible-formats.ts';
import { selectTileFormat } from '../../tiles/select-tile.ts';
import { selectTileMatrixSet } from '../../tiles/tile-offer.ts';
import { readTileOptions, type TileOptions } from '../../tiles/tile-options.ts';

export interface SeedTileEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called if the tile is not cached because it is incomplete. */
  readonly onIncomplete: () => void;
}

/**
 * Finds the layer as anonymous users see it. If they cannot read it, their data rules still apply: tiles without rules
 * would be for administrators only.
 */
async function findMapToSeed(services: TileServices, name: string): Promise<PublishedMap | undefined> {
  const visit = { place: {}, service: 'wmts', operation: 'GetTile' } as const;
  const find = async (request: MapServiceRequest) => (await openMapAccess(services, request)).find(name, 'read');
  const open = await find({ ...visit, principal: anonymous }).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  return open ?? find({ ...visit, principal: serverPrincipal, limitedAs: anonymous });
}

/** Read once for all tiles of a job. */
const optionsByJob = new WeakMap<SeedJob, Promise<TileOptions>>();

/** Tiles that wait for the disk are in memory: if it is slower than drawing, a job waits for it. */
const MAX_PENDING_WRITES = 64;

/** False if the layer was deleted or renamed, or its tile matrix set changed. */
export async function seedTile(
  services: TileServices,
  job: SeedJob,
  address: TileAddress,
  { limits, now, signal, onIncomplete }: SeedTileEnvironment,
): Promise<boolean> {
  const map = await findMapToSeed(services, job.name);
  if (map === undefined || getMapId(map) !== job.map) return false;
  const { set } = await selectTileMatrixSet(services.catalog, map, job.set, 'gridSetId');
  if (job.setKey !== undefined && set.key !== job.setKey) return false;
  const format = await selectTileFormat(services.catalog, map, job.format, 'format');
  const wishes = optionsByJob.get(job) ?? readTileOptions(new Map(job.parameters), limits, format);
  optionsByJob.set(job, wishes);
  const wanted = {
    map,
    style: job.style,
    set,
    address,
    format,
    wishes: await wishes,
  };
  const prepared = await prepareTile(services, wanted);
  const { isIncomplete } = await loadOrDrawTile({ services, signal: () => signal, now }, prepared);
  if (isIncomplete) onIncomplete();
  await services.tileCache.waitForWrites(MAX_PENDING_WRITES);
  return true;
}
