/** Opens the sessions of requests: the same services on a snapshot, on a transaction or on a dry run. */
import type { Session, SessionKind, Sessions } from '../../http/session/session.ts';
import type { Services } from '../../interface/common/services.ts';
import { openCatalogSession } from '../../records/catalog-session.ts';
import { bindServices, createDryRunServices, prepareChangeDocument } from './session-services.ts';
import { runTransaction, type TransactionContext } from './transactions.ts';

export type SessionsOptions = Omit<TransactionContext, 'tried'>;

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
