/** How a request is logged in, in the words of the reference server: what is always done, and cannot be set. */
import { DEFAULT_VENDOR } from './core/class-names.ts';

/** A step that looks at a request. */
export interface AuthFilter {
  readonly name: string;
  readonly className: string;
  readonly configClassName: string;
  /** What else its configuration says. */
  readonly facts: Readonly<Record<string, string | boolean>>;
}

/** The steps that requests to some paths go through, one after the other. */
export interface FilterChain {
  readonly name: string;
  readonly className: string;
  /** Patterns of paths below the context path. */
  readonly paths: readonly string[];
  readonly filters: readonly string[];
  /** The step that decides about what is asked for, once it is known who asks. */
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
  // There are no sessions: every request has to bring its credentials.
  createFilter('basic', 'BasicAuthentication', 'BasicAuthentication', { useRememberMe: false }),
  // The roles of routes and the REST rules.
  createFilter('restInterceptor', 'SecurityInterceptor', 'SecurityInterceptor', {
    allowIfAllAbstainDecisions: false,
    securityMetadataSource: 'restFilterDefinitionMap',
  }),
];

const className = `org.${DEFAULT_VENDOR}.security.ServiceLoginFilterChain`;

/** The first that fits a path counts. */
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
