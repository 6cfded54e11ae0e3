/** Removes granules from a mosaic, and their files on request. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { GranuleSchema, GranuleSession } from '../../raster/granules/port/port.ts';
import type { Catalog } from '../../records/catalog.ts';
import { refreshCoverageBounds } from '../coverages/refresh-coverages.ts';
import { type Coverage, coverageKind } from '../kinds/coverage.ts';
import { listSetTargets } from '../kinds/purged-sets.ts';
import { describeMosaicCoverage } from '../mosaic-indexes/describe-mosaic.ts';
import { writeMosaic } from '../mosaic-indexes/write-mosaic.ts';
import {
  addStoreNameToError,
  createUnknownGranuleProblem,
  findGranules,
  type GranuleLocator,
  type GranulesView,
  openGranuleIndex,
  parseGranuleFilter,
} from './granules.ts';
import { checkMayPurge, type PurgedFiles, purgeFiles } from './purge-granule-files.ts';
import type { MosaicServices } from './upload-mosaic.ts';

export const purges = ['none', 'metadata', 'all'] as const;

/** What to delete besides the index entries: nothing, only metadata files, or all files. */
export type Purge = (typeof purges)[number];

export interface GranuleRemoval {
  readonly place: GranuleLocator;
  readonly signal: AbortSignal;
  /** ECQL, all granules if null; or one granule by id. */
  readonly which: { readonly filter: string | null } | { readonly id: string };
  readonly purge: Purge;
  /** Whether to recompute the bounds of the coverage; they stay if no granule is left. */
  readonly updateBBox: boolean;
  /** The result for an unknown id. */
  readonly unknownId: 'refused' | 'done';
  readonly precondition: Precondition;
}

/** Removes all matching granules or none, in one change. Returns warnings. */
export async function removeGranules(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  removal: GranuleRemoval,
): Promise<{ readonly warnings: readonly string[] }> {
  const { place, signal } = removal;
  const view = await findGranules(catalog, place);
  const { schema } = view.granules;
  const filter = await buildRemovalFilter(removal.which, schema);
  if (!(await addStoreNameToError(view, hasMatch(view, services, filter, signal)))) {
    if ('id' in removal.which && removal.unknownId === 'refused')
      throw createUnknownGranuleProblem(view, removal.which.id);
    return { warnings: [] };
  }
  const isPurged = removal.purge === 'all';
  if (isPurged) await checkMayPurge(services, principal, view.store);
  let purged: PurgedFiles | undefined;
  await services.files.changeAndPurge(catalog.isFileInUse, isPurged ? listSetTargets(view.store) : [], async () => {
    purged = await removeMatching(catalog, services, principal, { view, ...removal, filter, signal });
    return purged?.left ?? [];
  });
  const { finish = async () => [] } = purged ?? {};
  return { warnings: (await catalog.afterCommit(finish)) ?? [] };
}

function removeMatching(
  catalog: Catalog,
  services: MosaicServices,
  principal: Principal,
  removal: GranuleRemoval & {
    readonly view: GranulesView;
    readonly filter: ResolvedFilter | undefined;
    readonly signal: AbortSignal;
  },
): Promise<PurgedFiles | undefined> {
  const { view, filter, signal } = removal;
  const { schema } = view.granules;
  return services.files.runFileOperation((keeper) =>
    writeMosaic<PurgedFiles | undefined>(
      { catalog, indexes: services.indexes, principal, signal },
      view.store,
      async (session, store) => {
        const locations = removal.purge === 'all' ? await collectLocations(session, schema, filter, signal) : [];
        const removed = await session.remove(schema, filter);
        const schemas = store.mosaic.coverages.map((coverage) => coverage.schema);
        const files =
          removal.purge === 'all'
            ? await purgeFiles(services, keeper, store, await listUnusedLocations(session, schemas, locations))
            : undefined;
        const refreshed = removal.updateBBox ? await recomputeBounds(view, session, signal) : undefined;
        const count = `${removed} ${removed === 1 ? 'granule' : 'granules'}`;
        return {
          what: `remove ${count} of ${view.coverage.name} in ${view.workspace.name}`,
          updateStore(current) {
            checkPrecondition(removal.precondition, Math.max(current.version, view.coverage.version));
            return { ...current, fileSet: files === undefined ? current.fileSet : files.fileSet };
          },
          async writeInSameChange(transaction) {
            const current = refreshed && (await transaction.get(coverageKind, refreshed.id));
            // Skip a coverage that another request has changed in the meantime.
            if (refreshed !== undefined && current?.version === refreshed.version) {
              await transaction.update(coverageKind, refreshed);
            }
          },
          result: files,
        };
      },
    ),
  );
}

async function buildRemovalFilter(
  which: GranuleRemoval['which'],
  schema: GranuleSchema,
): Promise<ResolvedFilter | undefined> {
  return 'id' in which ? { kind: 'identifiers', identifiers: [which.id] } : parseGranuleFilter(which.filter, schema);
}

/** Without a match no change is logged and no index version is created. */
async function hasMatch(
  view: GranulesView,
  { indexes }: MosaicServices,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const query = { limit: 1, ...(filter === undefined ? {} : { filter }) };
  for await (const batch of (await openGranuleIndex(view, indexes)).list(query, signal)) return batch.length > 0;
  return false;
}

async function collectLocations(
  session: GranuleSession,
  schema: GranuleSchema,
  filter: ResolvedFilter | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const batch of session.read(schema).list(filter === undefined ? {} : { filter }, signal)) {
    for (const { location } of batch) found.add(location);
  }
  return [...found];
}

const LOCATIONS_AT_ONCE = 5_000;

/** Lists the locations that no granule of the mosaic uses any more. */
async function listUnusedLocations(
  session: GranuleSession,
  schemas: readonly GranuleSchema[],
  locations: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = [];
  for (let at = 0; at < locations.length; at += LOCATIONS_AT_ONCE) {
    const some = locations.slice(at, at + LOCATIONS_AT_ONCE);
    const inUse = await session.findUsedLocations(schemas, some);
    left.push(...some.filter((location) => !inUse.has(location)));
  }
  return left;
}

async function recomputeBounds(
  { store, granules, coverage }: GranulesView,
  session: GranuleSession,
  signal: AbortSignal,
): Promise<Coverage | undefined> {
  const described = await describeMosaicCoverage(store.mosaic, granules, session.read(granules.schema), signal);
  return described.grid.bounds === undefined ? undefined : refreshCoverageBounds(coverage, described);
}
