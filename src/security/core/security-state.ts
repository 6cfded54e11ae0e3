/** The state of everything that decides about logins, as one number that each request can afford to read. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordKind } from '../../records/record.ts';
import { changeWithRevision, getRevisionVersion, type Revision, type RevisionRecord } from './revision.ts';

export const securityStateKind: RecordKind<RevisionRecord> = {
  kind: 'securityState',
  keys: {},
  secrets: {},
  counter: 'revision',
};

const securityState: Revision = { kind: securityStateKind, name: 'security' };

/** Grows with every change of a provider, their order, a user, a group, a role or a password. */
export function getSecurityVersion(catalog: Pick<CatalogReader, 'find'>): Promise<number> {
  return getRevisionVersion(catalog, securityState);
}

/** The one way to change anything that a login depends on, so that no writer can forget the security version. */
export function changeSecurity<T>(
  catalog: Catalog,
  principal: Principal,
  what: string,
  work: (transaction: CatalogTransaction) => Promise<T>,
): Promise<T> {
  return changeWithRevision(securityState, catalog, principal, what, work);
}
