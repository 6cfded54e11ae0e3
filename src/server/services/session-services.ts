/** Binds the services to the catalog of one session. */
import type { ChangeDocument } from '../../http/session/session.ts';
import { buildChangeDocument } from '../../interface/changes/change-document.ts';
import type { Services } from '../../interface/common/services.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { SessionChange } from '../../records/catalog-session.ts';
import { createDryRunFiles } from '../../records/files/files.ts';
import type { RecordReader } from '../../storage/port/port.ts';

/** Reads the permissions before the change, because they decide what the document may show. */
export async function prepareChangeDocument(
  { access }: Services,
  principal: Principal,
  records: Pick<RecordReader, 'get'>,
  made: () => Promise<SessionChange | undefined>,
): Promise<() => Promise<ChangeDocument>> {
  const administers = isAdministrator(principal) ? undefined : (await access.getPermissions(principal)).administers;
  const nothing = { sequence: null, atMs: null, who: principal.name, what: 'nothing', items: [] };
  return async () => buildChangeDocument((await made()) ?? nothing, records, administers);
}

/** Returns services that write nothing outside the catalog. */
export function createDryRunServices(services: Services): Services {
  const files = createDryRunFiles(services.files);
  const vectorData = services.vectorData.toDryRun();
  const rasterData = services.rasterData.toDryRun();
  return {
    ...services,
    files,
    vectorData,
    rasterData,
    remoteServers: services.remoteServers.toDryRun(),
    dataFolder: services.dataFolder.toDryRun(),
    rasterUploads: { ...services.rasterUploads, files, data: rasterData },
    mosaics: { ...services.mosaics, files },
    uploads: { ...services.uploads, files, data: vectorData },
    styles: { ...services.styles, files },
    tileCache: { ...services.tileCache, invalidate: async () => undefined },
    tileSeeding: { ...services.tileSeeding, start: async () => 0, stop: async () => undefined },
    inForce: services.inForce.toDryRun(),
  };
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Assigns members one by one: this runs for each request, and members after a spread in a literal cost several times
 * more.
 */
export function bindServices(services: Services, catalog: Catalog): Services {
  const security: Mutable<Services['security']> = { ...services.security };
  security.catalog = catalog;
  const own: Mutable<Services> = { ...services };
  own.catalog = catalog;
  own.access = services.access.forReader(catalog);
  own.security = security;
  return own;
}
