/** Opens the sessions of requests: the same services on a snapshot, on a transaction or on a dry run. */

import type { AsyncLocalStorage } from 'node:async_hooks';
import type {
  ChangeDocument,
  Session,
  SessionKind,
  Sessions,
  TransactionOptions,
  TransactionResult,
  TransactionSession,
} from '../../http/session/session.ts';
import { buildChangeDocument } from '../../interface/changes/change-document.ts';
import type { Services } from '../../interface/common/services.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { revealSecret } from '../../lib/identity/secret.ts';
import { createDryRunLocks } from '../../lib/locks/feature-locks.ts';
import { type BufferedCatalog, openBufferedCatalog } from '../../records/buffered-catalog.ts';
import { type Catalog, type CatalogReader, openCatalogSession, type SessionChange } from '../../records/catalog.ts';
import { createDryRunFiles } from '../../records/files/files.ts';
import { openTransactionScope, type TransactionScope } from '../../records/transaction-scope.ts';
import type {
  BufferedResult,
  BufferedTransaction,
  ChangeAuthor,
  ChangeHead,
  RecordReader,
  Storage,
} from '../../storage/port/port.ts';
import { replaceInvalidation } from '../../tiles/cache/tile-cache-views.ts';
import { deferExportChanges } from '../../tiles/exports/defer-export-changes.ts';
import { createDryRunSeeding } from '../../tiles/seeding/seeding.ts';
import {
  createDryRunTransactionServices,
  createTransactionDataFolder,
  createTransactionServices,
} from './transaction-services.ts';

type SessionsOptions = Omit<TransactionContext, 'tried'>;

export function openSessions(options: SessionsOptions): Sessions<Services> {
  const { storage, services } = options;
  const tried = createDryRunServices(services);
  return {
    refresh: () => storage.refresh(),
    position: () => storage.position(),
    runInTransaction: (how, work) => runTransaction({ ...options, tried }, how, work),
    open(kind: SessionKind): Session<Services> {
      const session = openCatalogSession(storage, kind);
      const own = bindServices(kind === 'dry run' ? tried : services, session.catalog);
      return {
        services: own,
        authorize: own.access.findRefusal,
        position: session.position,
        changeNumber: session.getChangeNumber,
        prepareChangeDocument: (principal) => prepareChangeDocument(own, principal, storage, session.readChange),
        close: session.close,
      };
    },
  };
}

/** Reads the permissions before the change, because they decide what the document may show. */
async function prepareChangeDocument(
  { access }: Services,
  principal: Principal,
  records: Pick<RecordReader, 'get'>,
  made: () => Promise<SessionChange | undefined>,
): Promise<() => Promise<ChangeDocument>> {
  const administers = isAdministrator(principal) ? undefined : (await access.getPermissions(principal)).administers;
  const nothing = { ...toAuthor(principal, 'nothing'), sequence: null, atMs: null, items: [] };
  return async () => buildChangeDocument((await made()) ?? nothing, records, administers);
}

function toAuthor({ name, via }: Principal, what: string): ChangeAuthor {
  return { who: name, what, ...(via === undefined ? {} : { via }) };
}

/** Returns services that write nothing outside the catalog. */
function createDryRunServices(services: Services): Services {
  const files = createDryRunFiles(services.files);
  const vectorData = services.vectorData.toDryRun();
  const rasterData = services.rasterData.toDryRun();
  return {
    ...services,
    files,
    vectorData,
    featureLocks: createDryRunLocks(services.featureLocks),
    rasterData,
    remoteServers: services.remoteServers.toDryRun(),
    dataFolder: services.dataFolder.toDryRun(),
    rasterUploads: { ...services.rasterUploads, files, data: rasterData },
    mosaics: { ...services.mosaics, files },
    uploads: { ...services.uploads, files, data: vectorData },
    styles: { ...services.styles, files },
    tileCache: replaceInvalidation(services.tileCache, async () => undefined),
    tileSeeding: createDryRunSeeding(services.tileSeeding),
    tileExports: deferExportChanges(services.tileExports, async () => undefined),
    inForce: services.inForce.toDryRun(),
  };
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Assigns members one by one: this runs for each request, and members after a spread in a literal cost several times
 * more.
 */
function bindServices(services: Services, catalog: Catalog): Services {
  const security: Mutable<Services['security']> = { ...services.security };
  security.catalog = catalog;
  const own: Mutable<Services> = { ...services };
  own.catalog = catalog;
  own.access = services.access.forReader(catalog);
  own.security = security;
  return own;
}

/** The catalog of a transaction until it ends. */
export interface ActiveTransaction {
  catalog: CatalogReader | undefined;
}

interface TransactionContext {
  readonly storage: Storage;
  readonly services: Services;
  /** The same services without side effects. */
  readonly tried: Services;
  /** Readers of the shared catalog see the changes of the active transaction through it. */
  readonly draftUnderWay: AsyncLocalStorage<ActiveTransaction>;
  /** Reports an action that failed after its change was committed. */
  readonly failed: (reason: unknown) => void;
}

type TransactionWork<T> = (session: TransactionSession<Services>) => Promise<T>;

async function runTransaction<T>(
  context: TransactionContext,
  options: TransactionOptions<T>,
  work: TransactionWork<T>,
): Promise<TransactionResult<T>> {
  let scope = openTransactionScope();
  let made: ChangeHead | null = null;
  const { result } = await context.storage.writeBuffered(async (draft) => {
    scope = openTransactionScope();
    const onCommit = (change: ChangeHead | null) => {
      made = change;
    };
    return attemptTransaction(context, { ...options, draft, scope, onCommit }, work);
  });
  if (!options.isDryRun) await scope.runCommitEffects(context.failed);
  return { result, change: made };
}

interface TransactionAttempt<T> extends TransactionOptions<T> {
  readonly draft: BufferedTransaction;
  readonly scope: TransactionScope;
  /** Called before the change is committed. */
  readonly onCommit: (change: ChangeHead | null) => void;
}

async function attemptTransaction<T>(
  { storage, services, tried, draftUnderWay }: TransactionContext,
  { draft, scope, isDryRun, principal, reply, onCommit }: TransactionAttempt<T>,
  work: TransactionWork<T>,
): Promise<BufferedResult<T>> {
  const { hasExternal, commitExternal, abandon } = scope;
  const drafted = openBufferedCatalog(storage, draft, scope, { isDryRun });
  const gathered = services.files.createBatch();
  const dataFolder = createTransactionDataFolder(services, scope);
  const drafting = isDryRun
    ? createDryRunTransactionServices(services, tried, scope)
    : createTransactionServices(services, tried, scope, gathered);
  const own = bindServices({ ...drafting, dataFolder }, drafted.catalog);
  const { session, getAuthor } = createTransactionSession(own, draft, drafted, principal);
  const underWay: ActiveTransaction = { catalog: drafted.catalog };
  try {
    const result = await draftUnderWay.run(underWay, () => work(session));
    await gathered.put();
    const data = isDryRun ? undefined : await dataFolder.prepare();
    if (data !== undefined) scope.afterCommit(data.apply);
    return {
      result,
      author: getAuthor(),
      shouldCommit: !isDryRun,
      hasMore: hasExternal() || data !== undefined,
      ...(data && { note: data.note, isOvertaken: data.hasConflict }),
      async beforeCommit(change) {
        onCommit(change);
        await commitExternal();
      },
      ...(reply === undefined
        ? {}
        : {
            reply(change) {
              const kept = reply(result, change);
              return { ...kept, reply: revealSecret(services.keystore.sealer.seal(kept.reply)) };
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
}

function createTransactionSession(
  services: Services,
  draft: BufferedTransaction,
  drafted: BufferedCatalog,
  principal: Principal,
): { readonly session: TransactionSession<Services>; readonly getAuthor: () => ChangeAuthor } {
  let name: string | undefined;
  const getAuthor = () => {
    const last = drafted.findAuthor();
    return { ...last, ...toAuthor(principal, name ?? last?.what ?? 'nothing') };
  };
  const session: TransactionSession<Services> = {
    services,
    authorize: services.access.findRefusal,
    position: () => draft.position,
    changeNumber: () => null,
    prepareChangeDocument: (viewer) => {
      // Each operation of a batch reports only its own items.
      const before = drafted.listItems();
      return prepareChangeDocument(services, viewer, draft, async () => {
        const change = drafted.readChange(before);
        return change && { ...change, ...getAuthor() };
      });
    },
    close: () => undefined,
    setChangeName: (what) => {
      name = what;
    },
    attempt: (each) => draft.attempt(each),
    getRenames: () =>
      new Map(
        drafted
          .listItems()
          .flatMap(({ before, after }) =>
            before !== null && after !== null && before.name !== after.name ? [[before.name, after.name]] : [],
          ),
      ),
  };
  return { session, getAuthor };
}
