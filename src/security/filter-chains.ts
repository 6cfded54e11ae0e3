/** The authentication of requests in the terms of GeoServer's filter chains. Only filters of proxies can be changed. */
import type { CatalogReader } from '../records/catalog.ts';
import { listActiveProviders } from './auth-providers/auth-providers.ts';
import { DEFAULT_USER_HEADER, type ProviderSettings } from './auth-providers/model/auth-provider.ts';
import { getProviderMethod } from './auth-providers/model/provider-classes.ts';
import { DEFAULT_VENDOR } from './core/class-names.ts';

/** A filter of a chain. */
export interface AuthFilter {
  readonly name: string;
  readonly className: string;
  readonly configClassName: string;
  /** Further members of its configuration. */
  readonly facts: Readonly<Record<string, string | boolean>>;
}

/** The filters for requests to some paths, in order. */
export interface FilterChain {
  readonly name: string;
  readonly className: string;
  /** Path patterns below the context path. */
  readonly paths: readonly string[];
  readonly filters: readonly string[];
  /** The filter that authorizes the request after authentication. */
  readonly interceptor?: string;
}

function createFilter(name: string, kind: string, config: string, facts: AuthFilter['facts'] = {}): AuthFilter {
  const security = `org.${DEFAULT_VENDOR}.security`;
  return {
    name,
    className: `${security}.filter.GeoServer${kind}Filter`,
    configClassName: `${security}.config.${config}FilterConfig`,
    facts,
  };
}

const fixedFilters: readonly AuthFilter[] = [
  createFilter('anonymous', 'AnonymousAuthentication', 'AnonymousAuthentication'),
  // The server has no sessions: every request carries its credentials.
  createFilter('basic', 'BasicAuthentication', 'BasicAuthentication', { useRememberMe: false }),
  // API tokens, as Bearer or as the query parameter authkey.
  createFilter('token', 'TokenAuthentication', 'TokenAuthentication'),
  // Applies the roles of routes and the REST rules.
  createFilter('restInterceptor', 'SecurityInterceptor', 'SecurityInterceptor', {
    allowIfAllAbstainDecisions: false,
    securityMetadataSource: 'restFilterDefinitionMap',
  }),
];

const HEADER_KIND = 'RequestHeaderAuthentication';
/** The role source with which a header has the roles. */
export const ROLES_FROM_HEADER = 'Header';

function listHeaderFacts({ userHeader = DEFAULT_USER_HEADER, rolesHeader }: ProviderSettings): AuthFilter['facts'] {
  return {
    principalHeaderAttribute: userHeader,
    ...(rolesHeader === undefined ? {} : { roleSource: ROLES_FROM_HEADER, rolesHeaderAttribute: rolesHeader }),
  };
}

export function isHeaderFilter({ configClassName }: AuthFilter): boolean {
  return configClassName.endsWith(`.${HEADER_KIND}FilterConfig`);
}

/** The attributes of a chain in documents. */
export function listChainAttributes(chain: FilterChain): readonly (readonly [string, string | boolean])[] {
  return [
    ['name', chain.name],
    ['class', chain.className],
    ['path', chain.paths.join(',')],
    ['disabled', false],
    ['allowSessionCreation', false],
    ['ssl', false],
    ['matchHTTPMethod', false],
    ...(chain.interceptor === undefined ? [] : [['interceptorName', chain.interceptor] as const]),
  ];
}

const className = `org.${DEFAULT_VENDOR}.security.ServiceLoginFilterChain`;

/** Lists the filters: the fixed ones, and one for each enabled provider that authenticates users elsewhere. */
export async function listAuthFilters(catalog: CatalogReader): Promise<readonly AuthFilter[]> {
  const providers = (await listActiveProviders(catalog)).flatMap(({ name, className, settings }) => {
    switch (getProviderMethod(className)) {
      case 'oidc':
        return [createFilter(name, 'OpenIdConnectAuthentication', 'OpenIdConnectAuthentication')];
      case 'header':
        return [createFilter(name, HEADER_KIND, HEADER_KIND, listHeaderFacts(settings))];
      default:
        return [];
    }
  });
  return [...fixedFilters.slice(0, -1), ...providers, ...fixedFilters.slice(-1)];
}

/** Lists the chains; the first that matches a path applies. */
export async function listFilterChains(catalog: CatalogReader): Promise<readonly FilterChain[]> {
  const all = await listAuthFilters(catalog);
  const signIns = all.map(({ name }) => name).filter((name) => name !== 'anonymous' && name !== 'restInterceptor');
  const filters = [...signIns, 'anonymous'];
  return [
    { name: 'web', className, paths: ['/web/**', '/web', '/'], filters: ['anonymous'] },
    {
      name: 'rest',
      className,
      paths: ['/rest/**', '/rest', '/rest.*'],
      filters,
      interceptor: 'restInterceptor',
    },
    { name: 'default', className, paths: ['/**'], filters },
  ];
}
