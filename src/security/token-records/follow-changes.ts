/** Keeps tokens consistent with the users and workspaces that they name. */
import { toAccountKey } from '../../lib/identity/principal.ts';
import type { CatalogTransaction } from '../../records/catalog.ts';
import type { NameFollower } from '../../records/references.ts';
import { incrementRevision } from '../core/security-state.ts';
import { apiTokenKind, tokenState } from './token.ts';

/** All tokens of a user or a workspace. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Deletes the tokens of deleted users. */
export async function removeTokensOfDeleted(
  transaction: CatalogTransaction,
  users: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  for (const { id, name } of users) {
    const accountKey = toAccountKey({ name, roles: new Set(), account: { kind: 'user', id } });
    for (const token of await transaction.findByKey(apiTokenKind, 'account', accountKey, NO_LIMIT)) {
      await transaction.removeDeep(token.id);
      await incrementRevision(transaction, tokenState);
    }
  }
}

/** Renames workspaces in scopes. Deleted workspaces are removed: a later one of the same name is another one. */
export const updateNamesInTokens: NameFollower = async (transaction, changes) => {
  for (const { kind, from, to } of changes) {
    const [old = ''] = from;
    const tokens = kind === 'workspace' ? await transaction.findByKey(apiTokenKind, 'workspace', old, NO_LIMIT) : [];
    for (const token of tokens) {
      const others = (token.scopes.workspaces ?? []).filter((name) => name !== old);
      const workspaces = to === null ? others : [...others, to[0] ?? ''].toSorted();
      await transaction.update(apiTokenKind, { ...token, scopes: { ...token.scopes, workspaces } });
    }
    if (tokens.length > 0) await incrementRevision(transaction, tokenState);
  }
};
