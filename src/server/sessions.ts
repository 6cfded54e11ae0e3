/** What each request works with: the same services for all, over one state, over a change, or over one that is only tried. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeDocument, DraftSession, Session, SessionKind, Sessions } from '../http/session.ts';
import { buildChangeDocument } from '../interface/change-document.ts';
import type { Services } from '../interface/services.ts';
import { isAdministrator, type Principal } from '../lib/principal.ts';
import { textOfSecret } from '../lib/secret.ts';
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import { openTransactionScope } from '../records/draft-scope.ts';
import { createDryRunFiles } from '../records/files.ts';
import { openCatalogSession, openBufferedCatalog, type SessionChange } from '../records/session.ts';
import type { ChangeHead, RecordReader, Storage } from '../storage/port.ts';
import { draftDataFolder, draftServices, triedDraftServices } from './draft-services.ts';

/** The catalog of a draft, as long as that has not ended. */
export interface DraftUnderWay {
  catalog: CatalogReader | undefined;
}

export interface SessionsOptions {
  readonly storage: Storage;
  readonly services: Services;
  /** Where those look who read the catalog of all: what a draft does is done with what it has changed. */
  readonly draftUnderWay: AsyncLocalStorage<DraftUnderWay>;
  /** Told of what could not be done although its change was made. */
  readonly failed: (reason: unknown) => void;
}

export function openSessions({ storage, services, draftUnderWay, failed }: SessionsOptions): Sessions<Services> {
  const tried = withoutEffect(services);

  /** Asked for before the change: what may be shown goes by the rights that the work is done with. */
  async function changeFor(
    { access }: Services,
    principal: Principal,
    records: Pick<RecordReader, 'get'>,
    made: () => Promise<SessionChange | undefined>,
  ): Promise<() => Promise<ChangeDocument>> {
    const administers = isAdministrator(principal) ? undefined : (await access.getPermissions(principal)).administers;
    const nothing = { sequence: null, atMs: null, who: principal.name, what: 'nothing', items: [] };
    return async () => buildChangeDocument((await made()) ?? nothing, records, administers);
  }

  return {
    refresh: () => storage.refresh(),
    position: () => storage.position(),
    async draft({ isDryRun, principal, reply }, work) {
      let scope = openTransactionScope();
      let made: ChangeHead | null = null;
      const drafting = storage.writeBuffered(async (draft) => {
        scope = openTransactionScope();
        const { hasExternal: hasOutside, commitExternal: commitOutside, abandon } = scope;
        const drafted = openBufferedCatalog(storage, draft, scope, { isDryRun });
        const gathered = services.files.createBatch();
        const dataFolder = draftDataFolder(services, scope);
        const drafting = isDryRun
          ? triedDraftServices(services, tried, scope)
          : draftServices(services, tried, scope, gathered);
        const own = servicesOver({ ...drafting, dataFolder }, drafted.catalog);
        let name: string | undefined;
        const author = () => {
          const last = drafted.findAuthor() ?? { who: principal.name, what: 'nothing' };
          return { ...last, who: principal.name, what: name ?? last.what };
        };
        const session: DraftSession<Services> = {
          services: own,
          position: () => draft.position,
          changeNumber: () => null,
          changeFor: (viewer) => {
            // Of several operations each tells of its own.
            const before = drafted.listItems();
            return changeFor(own, viewer, draft, async () => {
              const change = drafted.readChange(before);
              return change && { ...change, ...author() };
            });
          },
          close: () => undefined,
          name: (what) => {
            name = what;
          },
          attempt: (each) => draft.attempt(each),
          newNames: () =>
            new Map(
              drafted
                .listItems()
                .flatMap(({ before, after }) =>
                  before !== null && after !== null && before.name !== after.name ? [[before.name, after.name]] : [],
                ),
            ),
        };
        const underWay: DraftUnderWay = { catalog: drafted.catalog };
        try {
          const result = await draftUnderWay.run(underWay, () => work(session));
          await gathered.put();
          const data = isDryRun ? undefined : await dataFolder.prepare();
          if (data !== undefined) scope.afterCommit(data.apply);
          return {
            result,
            author: author(),
            shouldCommit: !isDryRun,
            hasMore: hasOutside() || data !== undefined,
            ...(data && { note: data.note, isOvertaken: data.hasConflict }),
            async beforeCommit(change) {
              made = change;
              await commitOutside();
            },
            ...(reply === undefined
              ? {}
              : {
                  reply(change) {
                    const kept = reply(result, change);
                    return { ...kept, reply: textOfSecret(services.keystore.sealer.seal(kept.reply)) };
                  },
                }),
            async onRollback(reason) {
              await abandon(reason);
              await data?.discard();
            },
          };
        } catch (error) {
          await abandon(error);
          throw error;
        } finally {
          underWay.catalog = undefined;
        }
      });
      const { result } = await drafting;
      if (!isDryRun) await scope.runCommitEffects(failed);
      return { result, change: made };
    },
    open(kind: SessionKind): Session<Services> {
      const session = openCatalogSession(storage, kind);
      const own = servicesOver(kind === 'dry run' ? tried : services, session.catalog);
      return {
        services: own,
        position: session.position,
        changeNumber: session.getChangeNumber,
        changeFor: (principal) => changeFor(own, principal, storage, session.readChange),
        close: session.close,
      };
    },
  };
}

/** Services that do all they do, but keep nothing outside the catalog either. */
function withoutEffect(services: Services): Services {
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

type Changeable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Each request makes them: what stands behind a spread in a literal takes a multiple of a member that is set. */
function servicesOver(services: Services, catalog: Catalog): Services {
  const security: Changeable<Services['security']> = { ...services.security };
  security.catalog = catalog;
  const own: Changeable<Services> = { ...services };
  own.catalog = catalog;
  own.access = services.access.forReader(catalog);
  own.security = security;
  own.keystore = services.keystore.forCatalog(catalog);
  return own;
}
