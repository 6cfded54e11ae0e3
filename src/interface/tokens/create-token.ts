/** Creates tokens after checks of the request and of the permissions of the user. */
import type { Call } from '../../http/routes/route.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { findCurrentAccount, hasAdministrativeRole } from '../../security/tokens/token-principal.ts';
import { createToken, findLocalOwner, findOwnAccount, type TokenOwner } from '../../security/tokens/tokens.ts';
import type { Services } from '../common/services.ts';
import type { SentToken } from './read-token.ts';
import type { ShownToken } from './representation.ts';

type CreateCall = Pick<Call<Services, unknown, unknown, SentToken>, 'services' | 'principal' | 'body' | 'sent'>;

export async function createOwnToken(call: CreateCall): Promise<ShownToken> {
  const { principal } = call;
  return createCheckedToken(call, findOwnAccount(principal), principal);
}

export async function createTokenOfUser(call: CreateCall): Promise<ShownToken> {
  const { security } = call.services;
  const { user = '' } = call.body;
  const owner = await findLocalOwner(security, user);
  const current = owner && (await findCurrentAccount(security, owner.name, owner.account));
  if (owner === undefined || current === undefined || typeof current === 'string') {
    const message = `an enabled local user was expected, but '${excerpt(user)}' was found`;
    throw problem('document-invalid', { complaints: [{ field: 'token.user', message }], field: 'token.user' });
  }
  return createCheckedToken(call, owner, current.principal);
}

/** `user` has the permissions that the scopes narrow. */
async function createCheckedToken(call: CreateCall, owner: TokenOwner, user: Principal): Promise<ShownToken> {
  const { services, principal, body, sent } = call;
  // Buffered transactions are batches and requests with a key.
  if (services.catalog.joinExternal !== undefined || sent.headers['idempotency-key'] !== undefined) {
    throw problem('token-reply-kept', {});
  }
  await checkScopes(services, user, body);
  const { token, secret } = await createToken(services.security, services.tokens, principal, { owner, draft: body });
  return { token, secret, use: undefined, state: 'active' };
}

async function checkScopes({ catalog, access }: Services, user: Principal, { scopes }: SentToken): Promise<void> {
  const permissions = await access.getPermissions(user);
  if (scopes.admin && !hasAdministrativeRole(user) && !permissions.administersAny()) {
    throw problem('token-scope-exceeds', { field: 'token.scopes.admin' });
  }
  for (const name of scopes.workspaces ?? []) {
    const isThere = (await catalog.find(workspaceKind, null, name)) !== undefined;
    // Workspaces that the user cannot see are unknown to the user.
    if (!isThere || !(permissions.administers(name) || permissions.isListed({ workspace: name, layer: null }))) {
      const field = 'token.scopes.workspaces';
      const message = `the workspace '${excerpt(name)}' does not exist`;
      throw problem('document-invalid', { complaints: [{ field, message }], field });
    }
  }
}
