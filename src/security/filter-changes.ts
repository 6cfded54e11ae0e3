/** Changes of authentication filters and chains, as far as they have an equivalent among the authentication providers. */
import type { Principal } from '../lib/identity/principal.ts';
import { noPrecondition } from '../lib/problems/precondition.ts';
import { problem } from '../lib/problems/problem.ts';
import { changeProvider, createProvider, type ProviderDraft, removeProvider } from './auth-providers/auth-providers.ts';
import type { AuthProvider } from './auth-providers/model/auth-provider.ts';
import { DEFAULT_VENDOR } from './core/class-names.ts';
import type { Security } from './core/security.ts';
import {
  type AuthFilter,
  type FilterChain,
  isHeaderFilter,
  listChainAttributes,
  ROLES_FROM_HEADER,
} from './filter-chains.ts';

export interface SentFilter {
  /** The class in the element name, or empty. */
  readonly configClassName: string;
  readonly members: ReadonlyMap<string, string>;
}

export interface SentChain {
  readonly attributes: ReadonlyMap<string, string>;
  readonly filters: readonly string[];
  /** The names of other members. */
  readonly others: readonly string[];
}

const providers = '/security/authproviders';

/** Creates the provider of a header filter. */
export function createHeaderProvider(
  security: Security,
  principal: Principal,
  sent: SentFilter,
): Promise<AuthProvider> {
  const name = sent.members.get('name') ?? '';
  const className = `org.${DEFAULT_VENDOR}.security.auth.RequestHeaderAuthenticationProvider`;
  return createProvider(security, principal, { name, className, ...readHeaderSettings(sent) }, null);
}

/** Changes the provider of a header filter; other filters accept only what they already are. */
export async function changeFilter(
  security: Security,
  principal: Principal,
  current: AuthFilter,
  sent: SentFilter,
): Promise<void> {
  if (isSameFilter(current, sent)) return;
  const name = sent.members.get('name') ?? current.name;
  if (name !== current.name) throw refuse('filters cannot be renamed', providers);
  const draft = readHeaderSettings(sent);
  if (!isHeaderFilter(current)) throw refuse(`the filter '${current.name}' is fixed`, providers);
  await changeProvider(security, principal, name, { draft, position: null, precondition: noPrecondition });
}

export async function deleteFilter(security: Security, principal: Principal, current: AuthFilter): Promise<void> {
  if (!isHeaderFilter(current)) throw refuse(`the filter '${current.name}' is fixed`, providers);
  await removeProvider(security, principal, current.name, { precondition: noPrecondition, whenInactive: 'as it is' });
}

/** Accepts the chain as it is. */
export function checkSameChain(current: FilterChain, { attributes, filters, others }: SentChain): void {
  const expected = listChainAttributes(current).map(([name, value]) => [name, String(value)] as const);
  const isSame =
    others.length === 0 &&
    attributes.size === expected.length &&
    expected.every(([name, value]) => attributes.get(name) === value) &&
    filters.join() === current.filters.join();
  if (!isSame) throw refuse('the order of credentials is fixed, and there are no sessions', providers);
}

function isSameFilter({ name, className, configClassName, facts }: AuthFilter, sent: SentFilter): boolean {
  const expected = new Map<string, string>([
    ['name', name],
    ['className', className],
    ...Object.entries(facts).map(([member, value]) => [member, String(value)] as const),
  ]);
  return (
    (sent.configClassName === '' || sent.configClassName === configClassName) &&
    sent.members.size === expected.size &&
    [...expected].every(([member, value]) => sent.members.get(member) === value)
  );
}

/** The members of a filter that have an equivalent. */
export const mappedMembers = [
  'id',
  'name',
  'className',
  'principalHeaderAttribute',
  'rolesHeaderAttribute',
  'roleSource',
];

function readHeaderSettings({ configClassName, members }: SentFilter): ProviderDraft {
  const className = members.get('className') ?? '';
  if (!isHeaderClass(className, configClassName)) throw refuseClass(`${configClassName} ${className}`);
  const source = members.get('roleSource');
  if (source !== undefined && source !== ROLES_FROM_HEADER) {
    throw refuse(`the role source '${source}' has no equivalent; ${ROLES_FROM_HEADER} has one`, providers);
  }
  const other = [...members.keys()].find((member) => !mappedMembers.includes(member));
  if (other !== undefined) throw refuse(`the member '${other}' has no equivalent`, providers);
  const rolesHeader = members.get('rolesHeaderAttribute') || null;
  return {
    userHeader: members.get('principalHeaderAttribute') || null,
    rolesHeader,
    // The roles of the header are names of roles in the reference server.
    unmappedRoles: rolesHeader === null ? null : 'keep',
  };
}

const headerClassPattern = /^org\.[\w-]+\.security\.filter\.\w*RequestHeaderAuthenticationFilter$/;
const headerConfigPattern = /^org\.[\w-]+\.security\.config\.RequestHeaderAuthenticationFilterConfig$/;

/** One of the names suffices, but the other one must not be that of another filter. */
function isHeaderClass(className: string, configClassName: string): boolean {
  return (
    className + configClassName !== '' &&
    (className === '' || headerClassPattern.test(className)) &&
    (configClassName === '' || headerConfigPattern.test(configClassName))
  );
}

/** Names the equivalent of classes that cannot be mapped. */
function refuseClass(names: string) {
  if (/OAuth2|OpenId/i.test(names)) {
    return refuse('filters of OAuth2 and OpenID Connect lack issuer and audience', providers);
  }
  return /AuthenticationKey|authkey/i.test(names)
    ? refuse('keys belong to users, who create them', '/security/self/tokens')
    : refuse('only request header filters have an equivalent', providers);
}

function refuse(reason: string, path: string) {
  return problem('login-steps-fixed', { reason, path });
}
