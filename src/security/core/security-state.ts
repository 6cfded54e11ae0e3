/** The state of all records that affect logins, as one version that is cheap enough to read on every request. */
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

/** Increases with every change of a provider, the provider order, a user, a group, a role or a password. */
export function getSecurityVersion(catalog: Pick<CatalogReader, 'find'>): Promise<number> {
  return getRevisionVersion(catalog, securityState);
}

/**
 * Changes records that affect logins. All such changes must use this function, so that the security version increases.
 */
export function changeSecurity<T>(
  catalog: Catalog,
  principal: Principal,
  what: string,
  work: (transaction: CatalogTransaction) => Promise<T>,
): Promise<T> {
  return changeWithRevision(securityState, catalog, { principal, what }, work);
}
