/**
 * The state of a set of records as one version: a small record that is rewritten with every change of the set. The
 * records that affect logins are one such set; its version is cheap enough to read on every request.
 */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import type { RecordBase, RecordKind } from '../../records/record.ts';

export interface RevisionRecord extends RecordBase {
  readonly kind: string;
  /** Makes each version of the record differ from the previous one. */
  readonly revision: number;
}

export interface Revision {
  readonly kind: RecordKind<RevisionRecord>;
  readonly name: string;
}

/** Increases with every change made through `changeWithRevision`; 0 before the first. */
export async function getRevisionVersion(
  catalog: Pick<CatalogReader, 'find'>,
  { kind, name }: Revision,
): Promise<number> {
  return (await catalog.find(kind, null, name))?.version ?? 0;
}

/** Runs a change that, if it writes anything, also increments the revision in the same transaction. */
export function changeWithRevision<T>(
  revision: Revision,
  catalog: Catalog,
  { principal, what }: { readonly principal: Principal; readonly what: string },
  work: (transaction: CatalogTransaction) => Promise<T>,
): Promise<T> {
  return catalog.change(principal, what, async (transaction) => {
    let hasWritten = false;
    const watched: CatalogTransaction = {
      ...transaction,
      insert(kind, draft) {
        hasWritten = true;
        return transaction.insert(kind, draft);
      },
      async update(kind, record) {
        const written = await transaction.update(kind, record);
        hasWritten ||= written.version !== record.version;
        return written;
      },
      removeDeep(id) {
        hasWritten = true;
        return transaction.removeDeep(id);
      },
    };
    const result = await work(watched);
    if (hasWritten) {
      await incrementRevision(transaction, revision);
    }
    return result;
  });
}

/** Marks a change of the records that a revision counts. */
export async function incrementRevision(transaction: CatalogTransaction, { kind, name }: Revision): Promise<void> {
  const current = await transaction.find(kind, null, name);
  if (current === undefined) {
    await transaction.insert(kind, { parent: null, name, revision: 1 });
  } else {
    await transaction.update(kind, { ...current, revision: current.revision + 1 });
  }
}

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
