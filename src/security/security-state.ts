/** The state of everything that decides about logins, as one number that each request can afford to read. */

import type { Principal } from '../lib/principal.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../records/catalog.ts';
import type { RecordBase, RecordKind } from '../records/record.ts';

export interface SecurityState extends RecordBase {
  readonly kind: 'securityState';
  /** Only there to make each version differ from the one before. */
  readonly revision: number;
}

export const securityStateKind: RecordKind<SecurityState> = { kind: 'securityState', keys: {}, secrets: {} };

const SECURITY_STATE = 'security';

/** Grows with every change of a provider, their order, a user, a group, a role or a password. */
export async function securityVersion(catalog: Pick<CatalogReader, 'find'>): Promise<number> {
  const state = await catalog.find(securityStateKind, null, SECURITY_STATE);
  return state?.version ?? 0;
}

/**
 * The one way to change anything that a login depends on: a change that wrote something also makes a new security
 * version, in the same transaction, so that no writer can forget to.
 */
export function changeSecurity<T>(
  catalog: Catalog,
  principal: Principal,
  what: string,
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
      await makeNewVersion(transaction);
    }
    return result;
  });
}

async function makeNewVersion(transaction: CatalogTransaction): Promise<void> {
  const state = await transaction.find(securityStateKind, null, SECURITY_STATE);
  if (state === undefined) {
    await transaction.insert(securityStateKind, { parent: null, name: SECURITY_STATE, revision: 1 });
  } else {
    await transaction.update(securityStateKind, { ...state, revision: state.revision + 1 });
  }
}
