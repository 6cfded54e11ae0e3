/** Manages authentication providers; each function changes a provider and its position in one transaction. */

import type { Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import type { RecordBase } from '../../records/record.ts';
import type { Security } from '../core/security.ts';
import { changeSecurity } from '../core/security-state.ts';
import { userGroupServiceExists } from '../users/user-group-services.ts';
import { checkExternalSettings, listProviderUrls } from './external-settings.ts';
import { parseServerUrl } from './ldap/ldap-server.ts';
import {
  type AuthProvider,
  authProviderKind,
  type ProviderSettings,
  removedAuthProviderKind,
} from './model/auth-provider.ts';
import {
  getProviderMethod,
  listProviderSettings,
  type ProviderMethod,
  validateClasses,
} from './model/provider-classes.ts';
import { insertName, listActiveNames, moveName, writeActiveNames } from './model/provider-order.ts';
import { loadSettingsCheck } from './settings-rules.ts';

/** The provider fields that a client can set: an absent field stays unchanged, null clears it. */
export type ProviderDraft = {
  readonly name?: string | null;
  readonly className?: string | null;
  readonly configClassName?: string | null;
  /** The bind password for directory searches, in clear text. */
  readonly password?: string | null;
  /** The secret of the client at an identity provider, in clear text. */
  readonly clientSecret?: string | null;
} & { readonly [K in keyof ProviderSettings]?: ProviderSettings[K] | null };

/** `/security/authproviders/order` is the order, so no provider can have this name. */
const RESERVED = 'order';

/** Each sign-in can query all of them. */
const MAX_PROVIDERS = 32;

/** Lists the enabled providers in the order in which they are queried. */
export async function listActiveProviders(catalog: CatalogReader): Promise<readonly AuthProvider[]> {
  const [names, stored] = await Promise.all([listActiveNames(catalog), catalog.list(authProviderKind, null)]);
  const byName = new Map(stored.map((provider) => [provider.name, provider]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** Finds a provider, enabled or not. */
export async function findProvider(catalog: CatalogReader, name: string): Promise<AuthProvider> {
  const provider = await catalog.find(authProviderKind, null, name);
  if (provider === undefined) {
    throw problem('auth-provider-unknown', { name });
  }
  return provider;
}

export function providerExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return catalog.find(authProviderKind, null, name).then((provider) => provider !== undefined);
}

export async function createProvider(
  security: Security,
  principal: Principal,
  draft: ProviderDraft,
  position: number | null,
): Promise<AuthProvider> {
  const { name, ...provider } = await prepareProvider(security, draft);
  await checkUrls(security, provider.settings);
  const created = await changeSecurity(
    security.catalog,
    principal,
    `create authentication provider ${name}`,
    async (transaction) => {
      if (await providerExists(transaction, name)) {
        throw problem('auth-provider-exists', { name, field: 'authprovider.name' });
      }
      if ((await transaction.count(authProviderKind)) >= MAX_PROVIDERS) {
        throw problem('auth-provider-limit', { limit: MAX_PROVIDERS });
      }
      await writeActiveNames(transaction, insertName(await listActiveNames(transaction), name, position));
      const removed = await transaction.find(removedAuthProviderKind, null, name);
      if (removed !== undefined) {
        await transaction.removeDeep(removed.id);
      }
      return transaction.insert(authProviderKind, { parent: null, name, ...provider });
    },
  );
  await warnAboutMissingService(security, created);
  return created;
}

/** A provider that is not stored yet. */
export type PreparedProvider = Omit<AuthProvider, 'kind' | keyof RecordBase> & Pick<AuthProvider, 'name'>;

/** Checks the document of a new provider, except its URLs. */
export async function prepareProvider(security: Security, draft: ProviderDraft): Promise<PreparedProvider> {
  const name = draft.name ?? '';
  checkName(name, { what: 'authentication provider', field: 'authprovider.name', reserved: [RESERVED] });
  const classes = validateClasses(draft);
  const settings = mergeProviderSettings({}, classes.className, draft);
  const checkSettings = await loadSettingsCheck();
  checkSettings(settings);
  const sealedPassword = sealPassword(security, classes.className, draft, null);
  checkExternalSettings(getProviderMethod(classes.className), settings, sealedPassword !== null);
  return { name, ...classes, settings, sealedPassword };
}

export interface ProviderChange {
  readonly draft: ProviderDraft;
  readonly position: number | null;
  readonly precondition: Precondition;
}

export async function changeProvider(
  security: Security,
  principal: Principal,
  name: string,
  options: ProviderChange,
): Promise<AuthProvider> {
  const { draft } = options;
  const checkSettings = await loadSettingsCheck();
  const former = await security.catalog.find(authProviderKind, null, name);
  if (former !== undefined) {
    const next = mergeProviderSettings(former.settings, former.className, draft);
    const sealed = sealPassword(security, former.className, draft, former.sealedPassword);
    checkExternalSettings(getProviderMethod(former.className), next, sealed !== null);
    await checkUrls(security, next);
  }
  const changed = await changeSecurity(
    security.catalog,
    principal,
    `change authentication provider ${name}`,
    async (transaction) => {
      const current = await findProvider(transaction, name);
      checkPrecondition(options.precondition, current.version);
      checkSameIdentity(current, draft);
      const settings = mergeProviderSettings(current.settings, current.className, draft);
      checkSettings(settings);
      const method = getProviderMethod(current.className);
      const sealedPassword = sealPassword(security, current.className, draft, current.sealedPassword);
      checkExternalSettings(method, settings, sealedPassword !== null);
      if (getSentSecret(method, draft) === undefined && current.sealedPassword !== null) {
        checkSameAddress(method, current.settings, settings);
      }
      if (options.position !== null) {
        await writeActiveNames(transaction, moveName(await listActiveNames(transaction), name, options.position));
      }
      return transaction.update(authProviderKind, {
        ...current,
        settings,
        sealedPassword,
      });
    },
  );
  await warnAboutMissingService(security, changed);
  return changed;
}

/** Removes a provider. `whenInactive` selects the response for a provider that is not in the active list. */
export async function removeProvider(
  security: Security,
  principal: Principal,
  name: string,
  options: { readonly precondition: Precondition; readonly whenInactive: 'gone' | 'as it is' },
): Promise<void> {
  await changeSecurity(security.catalog, principal, `delete authentication provider ${name}`, async (transaction) => {
    const names = await listActiveNames(transaction);
    const provider = await transaction.find(authProviderKind, null, name);
    checkPrecondition(options.precondition, provider?.version);
    if (options.whenInactive === 'gone' && !names.includes(name)) {
      throw problem('auth-provider-gone', { name });
    }
    if (provider === undefined) {
      const wasThere = (await transaction.find(removedAuthProviderKind, null, name)) !== undefined;
      throw wasThere ? problem('auth-provider-gone', { name }) : problem('auth-provider-unknown', { name });
    }
    await writeActiveNames(
      transaction,
      names.filter((each) => each !== name),
    );
    await transaction.removeDeep(provider.id);
    await transaction.insert(removedAuthProviderKind, { parent: null, name });
  });
}

/** Enables exactly the listed providers, in that order. */
export async function orderProviders(
  security: Security,
  principal: Principal,
  given: readonly string[],
): Promise<void> {
  if (given.length === 0) {
    throw problem('auth-provider-order', { reason: 'it is empty', field: 'order' });
  }
  await changeSecurity(security.catalog, principal, 'order authentication providers', async (transaction) => {
    const known = new Set((await transaction.list(authProviderKind, null)).map((provider) => provider.name));
    const names = given.map((each) => {
      // Some clients append the extension that they would use in a path.
      const name = known.has(each) ? each : each.replace(/\.(?:xml|json)$/i, '');
      if (!known.has(name)) {
        throw problem('auth-provider-order', { reason: `provider '${each}' does not exist`, field: 'order' });
      }
      return name;
    });
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) {
      throw problem('auth-provider-order', { reason: `it contains '${repeated}' more than once`, field: 'order' });
    }
    await writeActiveNames(transaction, names);
  });
}

/** Each request to an identity provider checks the URL again. */
async function checkUrls({ urlGate }: Security, settings: ProviderSettings): Promise<void> {
  for (const [member, url] of listProviderUrls(settings)) {
    const decision = await urlGate?.check(url);
    if (decision?.kind === 'refused') {
      const field = `authprovider.${member}`;
      throw problem('url-refused', { url: decision.shown, reason: decision.reason, field });
    }
  }
}

function checkSameIdentity(current: AuthProvider, draft: ProviderDraft): void {
  const { name } = current;
  if (draft.name !== undefined && draft.name !== null && draft.name !== name) {
    throw problem('auth-provider-name-differs', { name, found: draft.name, field: 'authprovider.name' });
  }
  const given = { className: draft.className ?? current.className, configClassName: draft.configClassName ?? null };
  validateClasses(given);
  for (const member of ['className', 'configClassName'] as const) {
    if ((given[member] ?? current[member]) !== current[member]) {
      throw problem('auth-provider-class-fixed', {
        member,
        name,
        current: current[member],
        field: `authprovider.${member}`,
      });
    }
  }
}

/**
 * Requires the password again when the server address changes or its transport becomes less secure. Otherwise a user
 * who may change the address could redirect the stored password to a server of their own. A removed address counts as
 * changed.
 */
function checkSameAddress(method: ProviderMethod, current: ProviderSettings, next: ProviderSettings): void {
  if (method === 'oidc') {
    const hosts = new Set([current.issuer, current.introspectionUri].map(findOrigin));
    if ([next.issuer, next.introspectionUri].every((url) => url === undefined || hosts.has(findOrigin(url)))) return;
  } else {
    const [from, to] = [findServerTarget(current), findServerTarget(next)];
    if (to === undefined || (from?.name === to.name && (to.isProtected || !from.isProtected))) return;
  }
  const field = `authprovider.${method === 'oidc' ? 'clientSecret' : 'password'}`;
  const message =
    'is required again: the stored password is not sent to another address or over a less secure connection';
  throw problem('document-invalid', { complaints: [{ field, message }], field });
}

function findOrigin(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

function findServerTarget({ serverURL, useTLS }: ProviderSettings) {
  const server = parseServerUrl(serverURL ?? '');
  return server && { name: `${server.host} ${server.port}`, isProtected: server.isSecure || (useTLS ?? false) };
}

/** Merges the settings of the draft that apply to this provider class. */
function mergeProviderSettings(current: ProviderSettings, className: string, draft: ProviderDraft): ProviderSettings {
  const members = listProviderSettings(getProviderMethod(className)).map((member) => {
    const given = draft[member];
    return [member, given === undefined ? current[member] : (given ?? undefined)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns the secret that a draft sets: undefined if it stays unchanged, null if it is cleared. */
function getSentSecret(method: ProviderMethod, draft: ProviderDraft): string | null | undefined {
  switch (method) {
    case 'ldap':
      return draft.password;
    case 'oidc':
      return draft.clientSecret;
    default:
      return undefined;
  }
}

/** Returns the stored form of the secret: unchanged if none is sent or if the sent one is the same. */
function sealPassword(
  security: Security,
  className: string,
  draft: ProviderDraft,
  current: Secret | null,
): Secret | null {
  const password = getSentSecret(getProviderMethod(className), draft);
  if (password === undefined) {
    return current;
  }
  if (password === null || password === '') {
    return null;
  }
  return current !== null && openBindPassword(security, current) === password
    ? current
    : security.sealer.seal(password);
}

/** Decrypts the bind password or the client secret; undefined if that fails, as after the loss of the keystore. */
export function openBindPassword(security: Pick<Security, 'sealer'>, sealedPassword: Secret): string | undefined {
  try {
    return security.sealer.open(sealedPassword);
  } catch {
    return undefined;
  }
}

async function warnAboutMissingService(security: Security, provider: AuthProvider): Promise<void> {
  const service = provider.settings.userGroupServiceName;
  if (service && !(await userGroupServiceExists(security.catalog, service))) {
    security.warn('an authentication provider refers to a user/group service that does not exist', {
      provider: provider.name,
      service,
    });
  }
}
