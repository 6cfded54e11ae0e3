/** The authentication of requests in the terms of GeoServer's filter chains. The chains are read-only. */
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

export const authFilters: readonly AuthFilter[] = [
  createFilter('anonymous', 'AnonymousAuthentication', 'AnonymousAuthentication'),
  // The server has no sessions: every request carries its credentials.
  createFilter('basic', 'BasicAuthentication', 'BasicAuthentication', { useRememberMe: false }),
  // Applies the roles of routes and the REST rules.
  createFilter('restInterceptor', 'SecurityInterceptor', 'SecurityInterceptor', {
    allowIfAllAbstainDecisions: false,
    securityMetadataSource: 'restFilterDefinitionMap',
  }),
];

const className = `org.${DEFAULT_VENDOR}.security.ServiceLoginFilterChain`;

/** The first chain that matches a path applies. */
export const filterChains: readonly FilterChain[] = [
  { name: 'web', className, paths: ['/web/**', '/web', '/'], filters: ['anonymous'] },
  {
    name: 'rest',
    className,
    paths: ['/rest/**', '/rest', '/rest.*'],
    filters: ['basic', 'anonymous'],
    interceptor: 'restInterceptor',
  },
  { name: 'default', className, paths: ['/**'], filters: ['anonymous'] },
];
