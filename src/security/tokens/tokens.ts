/** Manages API tokens. A token is created, used and deleted; it never changes. */
import { setImmediate } from 'node:timers/promises';
import { type Principal, type TokenScopes, toAccountKey } from '../../lib/identity/principal.ts';
import { toSecret } from '../../lib/identity/secret.ts';
import { problem } from '../../lib/problems/problem.ts';
import { selectPage } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { listActiveProviders } from '../auth-providers/auth-providers.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import { ADMINISTRATOR } from '../core/administrator.ts';
import type { Security } from '../core/security.ts';
import { changeWithRevision } from '../core/security-state.ts';
import { type ApiToken, apiTokenKind, type TokenAccount, tokenState } from '../token-records/token.ts';
import { userKind } from '../users/user.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from '../users/user-group-service.ts';
import type { RateWindows } from './rate-windows.ts';
import { createPasswordDigest, findCurrentAccount } from './token-principal.ts';
import { createTokenId, createTokenSecret, hashTokenSecret } from './token-secret.ts';
import type { TokenUse, TokenUses } from './token-uses.ts';

/** What the operations on tokens share. */
export interface TokenServices {
  readonly clock: () => number;
  /** The longest lifetime in days; 0 permits tokens without an end. */
  readonly maxDays: number;
  readonly uses: TokenUses;
  /** The tokens that each user has created within a minute. */
  readonly creations: RateWindows;
  /** The searches of a full server for outdated tokens within a minute. */
  readonly searches: RateWindows;
}

export interface TokenDraft {
  readonly name: string;
  /** Null for never; undefined for the default. */
  readonly expiresAtMs: number | null | undefined;
  readonly idleMinutes: number | null;
  readonly queryKey: boolean;
  readonly ratePerMinute: number | null;
  readonly scopes: TokenScopes;
}

export interface CreatedToken {
  readonly token: ApiToken;
  /** Null in a dry run. */
  readonly secret: string | null;
}

export interface ListedToken {
  readonly token: ApiToken;
  readonly use: TokenUse | undefined;
  readonly state: 'active' | 'expired';
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DEFAULT_DAYS = 90;
/** The server does not learn when a directory or an identity provider removes a user. */
const MAX_EXTERNAL_DAYS = 30;
/** Expired tokens stay visible, so that their owners see why a program fails. */
const EXPIRED_LISTING_MS = 30 * DAY_MS;
const MAX_TOKENS_PER_USER = 50;
const MAX_TOKENS = 20_000;
const MAX_CREATIONS_PER_MINUTE = 120;

/** The owner of a new token. */
export interface TokenOwner {
  readonly name: string;
  readonly account: TokenAccount;
  readonly accountKey: string;
}

/** Returns the owner for a token of the caller. */
export function findOwnAccount(principal: Principal): TokenOwner {
  const { name, account, roles, claims = {} } = principal;
  if (account === undefined) throw problem('credentials-required', {});
  const accountKey = toAccountKey(principal);
  return account.kind === 'directory'
    ? { name, account: { ...account, roles: [...roles], claims }, accountKey }
    : { name, account, accountKey };
}

/** Returns the owner for a token that an administrator creates: the user whom the local providers find first. */
export async function findLocalOwner(
  { catalog, builtinAdmin }: Pick<Security, 'catalog' | 'builtinAdmin'>,
  name: string,
): Promise<TokenOwner | undefined> {
  if (name === ADMINISTRATOR && builtinAdmin) {
    return createOwner(name, { kind: 'administrator' });
  }
  for (const { className, settings } of await listActiveProviders(catalog)) {
    if (getProviderMethod(className) !== 'password') continue;
    const service = await catalog.find(userGroupServiceKind, null, settings.userGroupServiceName || DEFAULT_SERVICE);
    const user = service && (await catalog.find(userKind, service.id, name));
    if (user?.enabled) return createOwner(name, { kind: 'user', id: user.id });
  }
  return undefined;
}

function createOwner(name: string, account: Exclude<TokenAccount, { kind: 'directory' }>): TokenOwner {
  return { name, account, accountKey: toAccountKey({ name, roles: new Set(), account }) };
}

/** `field` is the path of the document in messages. */
export async function createToken(
  security: Security,
  { clock, maxDays, uses, creations, searches }: TokenServices,
  principal: Principal,
  { owner, draft }: { readonly owner: TokenOwner; readonly draft: TokenDraft },
): Promise<CreatedToken> {
  const { catalog } = security;
  const nowMs = clock();
  const retryAfterSeconds = creations.admit(toAccountKey(principal), MAX_CREATIONS_PER_MINUTE, nowMs);
  if (retryAfterSeconds !== undefined) {
    throw problem('token-rate', { what: 'tokens were created', retryAfterSeconds });
  }
  const expiresAtMs = chooseExpiry(draft.expiresAtMs, {
    nowMs,
    maxDays,
    isExternal: owner.account.kind === 'directory',
  });
  const secret = createTokenSecret();
  const token = await changeTokens(catalog, principal, `create token ${draft.name}`, async (transaction) => {
    const current = await findCurrentAccount({ ...security, catalog: transaction }, owner.name, owner.account);
    if (typeof current === 'string') throw problem('user-unknown', { name: owner.name });
    await makeRoom(transaction, { uses, searches, nowMs }, owner, draft.name);
    return transaction.insert(apiTokenKind, {
      parent: null,
      name: createTokenId(),
      label: draft.name,
      user: owner.name,
      account: owner.account,
      accountKey: owner.accountKey,
      secretHash: toSecret(hashTokenSecret(secret)),
      prefix: secret.slice(0, 8),
      createdBy: principal.name,
      expiresAtMs,
      idleMinutes: draft.idleMinutes,
      queryKey: draft.queryKey,
      ratePerMinute: draft.ratePerMinute,
      scopes: draft.scopes,
      passwordDigest: draft.idleMinutes === null ? null : createPasswordDigest(current.passwordHash),
    });
  });
  return { token, secret: catalog.isDryRun ? null : secret };
}

function chooseExpiry(
  wanted: number | null | undefined,
  { nowMs, maxDays, isExternal }: { readonly nowMs: number; readonly maxDays: number; readonly isExternal: boolean },
): number | null {
  const limitDays = isExternal ? Math.min(maxDays || MAX_EXTERNAL_DAYS, MAX_EXTERNAL_DAYS) : maxDays;
  if (wanted === undefined) {
    return nowMs + Math.min(DEFAULT_DAYS, limitDays || DEFAULT_DAYS) * DAY_MS;
  }
  const isTooLate = limitDays > 0 && (wanted === null || wanted > nowMs + limitDays * DAY_MS);
  if (isTooLate || (wanted !== null && wanted <= nowMs)) {
    const field = 'token.expires';
    const range = limitDays > 0 ? `a time within the next ${limitDays} days` : 'a time in the future or null';
    throw problem('document-invalid', { complaints: [{ field, message: `${range} was expected` }], field });
  }
  return wanted;
}

interface RoomOptions extends Pick<TokenServices, 'uses' | 'searches'> {
  readonly nowMs: number;
}

/** Checks name and limits, and deletes tokens that expired long ago. */
async function makeRoom(
  transaction: CatalogTransaction,
  { uses, searches, nowMs }: RoomOptions,
  { accountKey }: TokenOwner,
  name: string,
): Promise<void> {
  const own = await transaction.findByKey(apiTokenKind, 'account', accountKey, MAX_TOKENS);
  const kept = await removeOutdated(transaction, uses, own, nowMs);
  if (kept.some(({ token }) => token.label === name)) throw problem('token-exists', { name, field: 'token.name' });
  if (kept.length >= MAX_TOKENS_PER_USER) throw problem('token-limit', { limit: MAX_TOKENS_PER_USER, of: 'user' });
  if ((await transaction.count(apiTokenKind)) < MAX_TOKENS) return;
  // A search reads all tokens, and any user can cause it: one in a minute is enough.
  if (searches.admit('', 1, nowMs) === undefined) await removeAllOutdated(transaction, uses, nowMs);
  if ((await transaction.count(apiTokenKind)) >= MAX_TOKENS) {
    throw problem('token-limit', { limit: MAX_TOKENS, of: 'server' });
  }
}

/** The tokens that are read at once; other requests run in between. */
const SEARCHED_AT_ONCE = 500;

async function removeAllOutdated(transaction: CatalogTransaction, uses: TokenUses, nowMs: number): Promise<void> {
  let piece: readonly ApiToken[] = [];
  do {
    const after = piece.at(-1)?.name;
    piece = await transaction.list(apiTokenKind, null, {
      limit: SEARCHED_AT_ONCE,
      ...(after === undefined ? {} : { after }),
    });
    await removeOutdated(transaction, uses, piece, nowMs);
    await setImmediate();
  } while (piece.length === SEARCHED_AT_ONCE);
}

async function removeOutdated(
  transaction: CatalogTransaction,
  uses: TokenUses,
  tokens: readonly ApiToken[],
  nowMs: number,
): Promise<readonly ListedToken[]> {
  const listed = describeTokens(tokens, await uses.findAll(tokens.map(({ name }) => name)), nowMs);
  const shown = new Set(listed.map(({ token }) => token.id));
  for (const { id } of tokens) if (!shown.has(id)) await transaction.removeDeep(id);
  return listed;
}

/** Lists the tokens of an account. */
export async function listOwnTokens(
  catalog: CatalogReader,
  { clock, uses }: Pick<TokenServices, 'clock' | 'uses'>,
  accountKey: string,
): Promise<readonly ListedToken[]> {
  const tokens = await catalog.findByKey(apiTokenKind, 'account', accountKey, MAX_TOKENS);
  return describeTokens(tokens, await uses.findAll(tokens.map(({ name }) => name)), clock());
}

export interface TokenPage {
  readonly tokens: readonly ListedToken[];
  /** The id after which the next page begins, if more tokens follow. */
  readonly next: string | undefined;
}

/** Lists the tokens of all users, or of one, by id. A page can be shorter than its limit: outdated tokens are left out. */
export async function listTokens(
  catalog: CatalogReader,
  { clock, uses }: Pick<TokenServices, 'clock' | 'uses'>,
  { user, after, limit }: { readonly user: string | null; readonly after: string | null; readonly limit: number },
): Promise<TokenPage> {
  const page = { limit: limit + 1, ...(after === null ? {} : { after }) };
  const found =
    user === null
      ? await catalog.list(apiTokenKind, null, page)
      : selectPage(await catalog.findByKey(apiTokenKind, 'user', user, MAX_TOKENS), ({ name }) => name, page);
  const tokens = found.slice(0, limit);
  return {
    tokens: describeTokens(tokens, await uses.findAll(tokens.map(({ name }) => name)), clock()),
    next: found.length > limit ? tokens.at(-1)?.name : undefined,
  };
}

function describeTokens(
  tokens: readonly ApiToken[],
  uses: ReadonlyMap<string, TokenUse>,
  nowMs: number,
): readonly ListedToken[] {
  return tokens.flatMap((token) => {
    const use = uses.get(token.name);
    const endMs = computeEndMs(token, use);
    const state = endMs <= nowMs ? 'expired' : 'active';
    return endMs + EXPIRED_LISTING_MS < nowMs ? [] : [{ token, use, state } as const];
  });
}

/** Returns when a token ends if it is not used before. */
export function computeEndMs({ expiresAtMs, idleMinutes, createdAtMs }: ApiToken, use: TokenUse | undefined): number {
  const idleEndMs =
    idleMinutes === null ? Number.POSITIVE_INFINITY : (use?.atMs ?? createdAtMs) + idleMinutes * MINUTE_MS;
  return Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, idleEndMs);
}

/** Finds a token by its id. With `accountKey`, tokens of other accounts are unknown. */
export async function findToken(
  catalog: CatalogReader,
  { clock, uses }: Pick<TokenServices, 'clock' | 'uses'>,
  id: string,
  accountKey?: string,
): Promise<ListedToken> {
  const token = await catalog.find(apiTokenKind, null, id);
  const isOwn = token !== undefined && (accountKey === undefined || token.accountKey === accountKey);
  const use = isOwn ? await uses.find(id) : undefined;
  const [listed] = isOwn ? describeTokens([token], new Map(use && [[id, use]]), clock()) : [];
  if (listed === undefined) throw problem('token-unknown', { id });
  return listed;
}

export async function revokeToken(
  catalog: Catalog,
  { uses }: Pick<TokenServices, 'uses'>,
  principal: Principal,
  { id, accountKey }: { readonly id: string; readonly accountKey?: string },
): Promise<void> {
  await changeTokens(catalog, principal, `delete token ${id}`, async (transaction) => {
    const token = await transaction.find(apiTokenKind, null, id);
    if (token === undefined || (accountKey !== undefined && token.accountKey !== accountKey)) {
      throw problem('token-unknown', { id });
    }
    await transaction.removeDeep(token.id);
  });
  if (!catalog.isDryRun) uses.forget(id);
}

/** Returns the number of deleted tokens. */
export function revokeTokensOfUser(catalog: Catalog, principal: Principal, user: string): Promise<number> {
  return changeTokens(catalog, principal, `delete the tokens of ${user}`, async (transaction) => {
    const tokens = await transaction.findByKey(apiTokenKind, 'user', user, MAX_TOKENS);
    for (const { id } of tokens) await transaction.removeDeep(id);
    return tokens.length;
  });
}

function changeTokens<T>(
  catalog: Catalog,
  principal: Principal,
  what: string,
  work: (transaction: CatalogTransaction) => Promise<T>,
): Promise<T> {
  return changeWithRevision(tokenState, catalog, { principal, what }, work);
}
