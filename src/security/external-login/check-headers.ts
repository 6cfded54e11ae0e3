/** Signs in users whom a trusted proxy has authenticated, by the headers that it adds. */
import { anonymous, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { listActiveProviders } from '../auth-providers/auth-providers.ts';
import { type AuthProvider, DEFAULT_USER_HEADER } from '../auth-providers/model/auth-provider.ts';
import { areRoles, isUserName, resolveExternalRoles } from '../auth-providers/model/external-roles.ts';
import { getProviderMethod } from '../auth-providers/model/provider-classes.ts';
import { ADMINISTRATOR } from '../core/administrator.ts';
import type { WarnOnce } from '../core/warn-once.ts';
import { findRefusal, type OnSignIn, UNKNOWN_USER } from '../sign-in-attempt.ts';

/** The sender of a request. */
export interface HeaderSender {
  readonly address: string;
  /** Whether the peer of the connection is a trusted proxy. */
  isTrustedProxy(): boolean;
  /** All values of a header, by its name in lower case. */
  listHeaders(name: string): readonly string[];
}

interface PrincipalOptions {
  readonly catalog: CatalogReader;
  readonly builtinAdmin: boolean;
}

export interface HeaderCheckOptions extends PrincipalOptions {
  readonly catalog: Pick<Catalog, 'position'> & CatalogReader;
  readonly warnOnce: WarnOnce;
  readonly onSignIn: OnSignIn;
}

/** The users of a proxy who send requests between two changes of the catalog. */
const MAX_REMEMBERED = 1_000;
/** Beyond this number of users, some are reported again. */
const MAX_REPORTED = 10_000;

/** The providers at a position of the catalog, and the principals that were found with them. */
interface KnownState {
  readonly position: number;
  readonly providers: readonly AuthProvider[];
  readonly principals: Map<string, Principal>;
}

interface HeaderUser extends Pick<KnownState, 'principals'> {
  readonly header: string;
  readonly user: string;
}

export function createHeaderCheck(options: HeaderCheckOptions) {
  const { catalog } = options;
  let known: KnownState | undefined;
  /** The users whose sign-in was reported. */
  const reported = new Set<string>();

  return function check(sender: HeaderSender): Principal | Promise<Principal> {
    if (known?.position !== catalog.position()) return load().then((state) => signIn(state, sender));
    return known.providers.length === 0 ? anonymous : signIn(known, sender);
  };

  async function load(): Promise<KnownState> {
    const position = catalog.position();
    const providers = (await listActiveProviders(catalog)).filter(
      ({ className }) => getProviderMethod(className) === 'header',
    );
    const loaded = { position, providers, principals: new Map<string, Principal>() };
    known = loaded;
    return loaded;
  }

  async function signIn(state: KnownState, sender: HeaderSender): Promise<Principal> {
    for (const provider of state.providers) {
      const principal = await signInWith(provider, state, sender);
      if (principal !== undefined) return principal;
    }
    return anonymous;
  }

  async function signInWith(
    provider: AuthProvider,
    { principals }: KnownState,
    sender: HeaderSender,
  ): Promise<Principal | undefined> {
    const header = provider.settings.userHeader ?? DEFAULT_USER_HEADER;
    const { address } = sender;
    try {
      const user = readHeader(sender, header);
      if (user === '') return undefined;
      if (!sender.isTrustedProxy()) {
        const message = 'a user header of an address outside --trust-proxy was ignored';
        options.warnOnce.warn(`header ${provider.id}`, message, { provider: provider.name });
        return undefined;
      }
      const principal = await identify(options, provider, sender, { header, user, principals });
      report(provider, user, address);
      return principal;
    } catch (error) {
      const result = findRefusal(error);
      if (result !== undefined) {
        options.onSignIn({ result, user: UNKNOWN_USER, address, via: { method: 'proxy', provider: provider.name } });
      }
      throw error;
    }
  }

  /** A proxy sends the headers with every request, so each user is reported once. */
  function report({ id, name: provider }: AuthProvider, user: string, address: string): void {
    const key = JSON.stringify([id, user]);
    if (reported.has(key)) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(key);
    options.onSignIn({ result: 'success', user, address, via: { method: 'proxy', provider } });
  }
}

/** Signs in the user of headers with one provider; undefined without a user. Throws problems of invalid headers. */
export async function identifyByHeaders(
  options: PrincipalOptions,
  provider: AuthProvider,
  sender: HeaderSender,
): Promise<Principal | undefined> {
  const header = provider.settings.userHeader ?? DEFAULT_USER_HEADER;
  const user = readHeader(sender, header);
  return user === '' ? undefined : identify(options, provider, sender, { header, user, principals: new Map() });
}

const USER_NAME = 'one name of at most 256 characters without a comma';
const ROLES = 'at most 500 roles of 256 characters';
const CLAIM = 'one text';

/** Returns an empty text for an absent header. */
function readHeader(sender: HeaderSender, header: string): string {
  // Only a trusted proxy learns that a header is invalid; others are ignored below.
  if (!sender.isTrustedProxy()) return sender.listHeaders(header.toLowerCase())[0] ?? '';
  const text = readLongHeader(sender, header, USER_NAME);
  // In HTTP, a list with commas is equivalent to a repeated header, and proxies may join them.
  if (text !== '' && (!isUserName(text) || text.includes(','))) {
    throw problem('proxy-header-invalid', { header, expected: USER_NAME });
  }
  return text;
}

async function identify(
  options: PrincipalOptions,
  provider: AuthProvider,
  sender: HeaderSender,
  { header, user, principals }: HeaderUser,
): Promise<Principal> {
  const { rolesHeader, rolesSeparator = ',', claimHeaders = {} } = provider.settings;
  const rolesText = rolesHeader === undefined ? '' : readLongHeader(sender, rolesHeader, ROLES);
  const claims: Record<string, string> = {};
  for (const [claim, name] of Object.entries(claimHeaders)) {
    const value = readLongHeader(sender, name, CLAIM);
    if (value !== '') claims[claim] = value;
  }
  const key = JSON.stringify([provider.id, user, rolesText, claims]);
  const last = principals.get(key);
  if (last !== undefined) return last;
  if (user === ADMINISTRATOR && options.builtinAdmin) {
    throw problem('proxy-user-reserved', { header });
  }
  const stated = rolesText
    .split(rolesSeparator)
    .map((role) => role.trim())
    .filter((role) => role !== '');
  if (!areRoles(stated)) throw problem('proxy-header-invalid', { header: rolesHeader ?? '', expected: ROLES });
  const principal: Principal = {
    name: user,
    roles: await resolveExternalRoles(options.catalog, provider.settings, user, stated),
    account: { kind: 'directory', providerId: provider.id },
    via: { method: 'proxy', provider: provider.name },
    claims,
  };
  if (principals.size < MAX_REMEMBERED) principals.set(key, principal);
  return principal;
}

/** Repeated headers are rejected: one of them may be of the client. */
function readLongHeader(sender: HeaderSender, header: string, expected: string): string {
  const values = sender.listHeaders(header.toLowerCase());
  const bytes = Buffer.from(values[0] ?? '', 'latin1');
  const text = bytes.toString('utf8');
  // Invalid bytes become the same character, so that different users would have one name.
  if (values.length > 1 || !Buffer.from(text).equals(bytes) || /\p{Cc}/u.test(text)) {
    throw problem('proxy-header-invalid', { header, expected });
  }
  // HTTP permits blanks around a value. Other white space is part of a name.
  return text.replace(/^ +| +$/g, '');
}
