/** Draws one tile of a job in the background from the current state of its layer. */

import { anonymous } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import { serverPrincipal } from '../../security/core/administrator.ts';
import type { JobTiles } from '../../tiles/seeding/seed-job.ts';
import type { TileAddress } from '../../tiles/tile-matrix-set.ts';
import { type MapServiceRequest, openMapAccess } from '../access/map-access.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { loadOrDrawTile, type PreparedTile, prepareTile, type RenderedTile, type TileServices } from './map-tile.ts';
import { getMapId } from './possible-formats.ts';
import { selectTileFormat } from './select-tile.ts';
import { selectTileMatrixSet } from './tile-offer.ts';
import { readTileOptions, type TileOptions } from './tile-options.ts';

export interface JobTileEnvironment {
  readonly limits: DocumentLimits;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called with the tile before it is drawn; throws to reject it. */
  readonly check?: (prepared: PreparedTile) => void | Promise<void>;
}

/**
 * Finds the layer as anonymous users see it. If they cannot read it, their data rules still apply: tiles without rules
 * would be for administrators only.
 */
export async function findJobMap(
  services: Pick<TileServices, 'catalog' | 'access'> & Parameters<typeof openMapAccess>[0],
  name: string,
): Promise<PublishedMap | undefined> {
  const visit = { place: {}, service: 'wmts', operation: 'GetTile' } as const;
  const find = async (request: MapServiceRequest) => (await openMapAccess(services, request)).find(name, 'read');
  const open = await find({ ...visit, principal: anonymous }).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  return open ?? find({ ...visit, principal: serverPrincipal, limitedAs: anonymous });
}

/** Read once for all tiles of a job. */
const optionsByJob = new WeakMap<JobTiles, Promise<TileOptions>>();

/** Tiles that wait for the disk are in memory: if it is slower than drawing, a job waits for it. */
const MAX_PENDING_WRITES = 64;

/** A group without the style would be drawn with its default style. A missing style of a layer cannot be drawn. */
function hasStyle(map: PublishedMap, { style }: JobTiles): boolean {
  return map.kind === 'layer' || style === null || map.styles.some(({ name }) => name === style);
}

/** Undefined if the layer was deleted or renamed, or the style of a group or the tile matrix set changed. */
export async function drawJobTile(
  services: TileServices,
  job: JobTiles,
  address: TileAddress,
  { limits, now, signal, check }: JobTileEnvironment,
): Promise<RenderedTile | undefined> {
  const map = await findJobMap(services, job.name);
  if (map === undefined || getMapId(map) !== job.map || !hasStyle(map, job)) return undefined;
  const { set } = await selectTileMatrixSet(services.catalog, map, job.set, 'gridSetId');
  if (job.setKey !== undefined && set.key !== job.setKey) return undefined;
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
  await check?.(prepared);
  const drawn = await loadOrDrawTile({ services, signal: () => signal, now }, prepared);
  await services.tileCache.waitForWrites(MAX_PENDING_WRITES);
  return drawn;
}

/**
 * Rejects tiles that contain more than their layers: values of other layers, which the administrator of the exported
 * layer may not be allowed to see. `workspaces` are the ids of those that may be drawn.
 */
export function checkExportable({ tile: { map }, layers, isRepeatable }: PreparedTile, workspaces: readonly string[]) {
  const reject = (reason: string) => problem('tile-export-refused', { layer: map.qualifiedName, reason });
  if (isRepeatable === false) throw reject('its style or a filter reads other layers');
  if (layers.some(({ layer }) => !workspaces.includes(layer.workspace.id))) {
    throw reject('the layers of the group have changed, and some belong to other workspaces');
  }
}
