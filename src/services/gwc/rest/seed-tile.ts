/** Makes one tile of a job, of what its layer is by now. */
import type { SeedJob } from '../../../data/tiles/seeding/seed-job.ts';
import type { TileAddress } from '../../../data/tiles/tile-matrix-set.ts';
import type { DocumentLimits } from '../../../lib/document-limits.ts';
import { serverPrincipal } from '../../../security/administrator.ts';
import { openMapDoor } from '../../door/map-door.ts';
import { chosenFormat, chosenSet } from '../../tiles/chosen-tile.ts';
import { idOf, madeTile, prepareTile, type TileServices } from '../../tiles/map-tile.ts';
import { readTileWishes, type TileWishes } from '../../tiles/tile-wishes.ts';

export interface SeedTileWorld {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** Read once for all tiles of a job. */
const wishesOf = new WeakMap<SeedJob, Promise<TileWishes>>();

/** False where the layer is gone, or has another name. */
export async function seedTile(
  services: TileServices,
  job: SeedJob,
  address: TileAddress,
  { limits, now, signal }: SeedTileWorld,
): Promise<boolean> {
  const visit = { principal: serverPrincipal, place: {}, service: 'wmts', operation: 'GetTile' } as const;
  const map = await (await openMapDoor(services, visit)).find(job.name, 'read');
  if (map === undefined || idOf(map) !== job.map) return false;
  const format = chosenFormat(map, job.format, 'format');
  const wishes = wishesOf.get(job) ?? readTileWishes(new Map(job.parameters), limits, format);
  wishesOf.set(job, wishes);
  const wanted = { map, style: job.style, set: chosenSet(job.set, 'gridSetId'), address, format, wishes: await wishes };
  await madeTile({ services, signal: () => signal, now }, await prepareTile(services, wanted));
  return true;
}
