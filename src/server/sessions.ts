/** What each request works with: the same services for all, over one state, over a change, or over one that is only tried. */
import type { Session, SessionKind, Sessions } from '../http/session.ts';
import { changeDocument } from '../interface/change-document.ts';
import type { Services } from '../interface/services.ts';
import { isAdministrator } from '../lib/principal.ts';
import type { Catalog } from '../records/catalog.ts';
import { withoutKeeping } from '../records/files.ts';
import { openCatalogSession } from '../records/session.ts';
import type { Storage } from '../storage/port.ts';

export function openSessions(storage: Storage, services: Services): Sessions<Services> {
  const tried = withoutEffect(services);
  return {
    refresh: () => storage.refresh(),
    position: () => storage.position(),
    open(kind: SessionKind): Session<Services> {
      const session = openCatalogSession(storage, kind);
      const own = servicesOver(kind === 'dry run' ? tried : services, session.catalog);
      return {
        services: own,
        position: session.position,
        changeNumber: session.changeNumber,
        async changeFor(principal) {
          const administers = isAdministrator(principal)
            ? undefined
            : (await own.access.permissionsOf(principal)).administers;
          const nothing = { sequence: null, atMs: null, who: principal.name, what: 'nothing', items: [] };
          return async () => changeDocument((await session.change()) ?? nothing, storage, administers);
        },
        close: session.close,
      };
    },
  };
}

/** Services that do all they do, but keep nothing outside the catalog either. */
function withoutEffect(services: Services): Services {
  const files = withoutKeeping(services.files);
  const vectorData = services.vectorData.withoutEffect();
  const rasterData = services.rasterData.withoutEffect();
  return {
    ...services,
    files,
    vectorData,
    rasterData,
    remoteServers: services.remoteServers.withoutEffect(),
    dataFolder: services.dataFolder.withoutEffect(),
    rasterUploads: { ...services.rasterUploads, files, data: rasterData },
    mosaics: { ...services.mosaics, files },
    uploads: { ...services.uploads, files, data: vectorData },
    styles: { ...services.styles, files },
    inForce: services.inForce.withoutEffect(),
  };
}

function servicesOver(services: Services, catalog: Catalog): Services {
  return {
    ...services,
    catalog,
    access: services.access.readBy(catalog),
    security: { ...services.security, catalog },
    keystore: services.keystore.over(catalog),
  };
}
