/** Routes for authentication providers. */

import { createIntegerParameter } from '../../http/request/query.ts';
import type { PathParameters, RouteTable } from '../../http/routes/route.ts';
import { selectPage } from '../../lib/text/page.ts';
import {
  changeProvider,
  createProvider,
  findProvider,
  listActiveProviders,
  orderProviders,
  providerExists,
  removeProvider,
} from '../../security/auth-providers/auth-providers.ts';
import type { AuthProvider } from '../../security/auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../../security/auth-providers/model/provider-classes.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { createProviderWriters, orderReader, providerReader } from './representation.ts';

/** Upper bound of the parameter; the domain checks the position against the actual list. */
const MAX_POSITION = 1_000_000;

export function authProviderRoutes(dialect: Dialect): RouteTable<Services> {
  const { one, all } = createProviderWriters(dialect);
  function createProviderRows<P extends string>(path: P, which: string, nameIn: (params: PathParameters<P>) => string) {
    return [
      get(
        path,
        `Read ${which}, enabled or not`,
        { returns: one, versioned: true, problems: ['auth-provider-unknown'] },
        async ({ services, params }) => {
          const resource = await findProvider(services.catalog, nameIn(params));
          return { resource, version: resource.version };
        },
      ),

      put(
        path,
        `Change or move ${which}`,
        {
          accepts: providerReader,
          returns: one,
          query: { position: createIntegerParameter('New position in the order, starting at 0.', 0, MAX_POSITION) },
          problems: [
            'auth-provider-unknown',
            'auth-provider-name-differs',
            'auth-provider-class-unknown',
            'auth-provider-class-fixed',
            'auth-provider-position',
            'auth-provider-disabled',
            'url-refused',
          ],
        },
        async ({ services, principal, params, body, query, precondition }) => {
          const resource = await changeProvider(services.security, principal, nameIn(params), {
            draft: body,
            position: query.position,
            precondition,
          });
          return { resource, warnings: listProxyWarnings(services, resource) };
        },
      ),

      del(
        path,
        `Delete ${which}`,
        { problems: ['auth-provider-unknown', 'auth-provider-gone'] },
        ({ services, principal, params, precondition }) =>
          removeProvider(services.security, principal, nameIn(params), {
            precondition,
            whenInactive: dialect.deletingInactiveProvider,
          }),
      ),
    ];
  }

  return family(
    'Authentication providers',
    {
      description:
        'Providers that verify credentials. Enabled providers are tried in order; a disabled provider stays stored.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'accounts',
      errorStyle: 'structured',
      exactNames: { providerName: ({ catalog }, { providerName = '' }) => providerExists(catalog, providerName) },
    },
    [
      list(
        '/security/authproviders',
        'List the enabled providers in order',
        { returns: all },
        async ({ services }, page) => ({
          entries: selectPage(await listActiveProviders(services.catalog), all.getName, page),
        }),
      ),

      post(
        '/security/authproviders',
        'Create a provider and enable it',
        {
          accepts: providerReader,
          returns: one,
          query: {
            position: createIntegerParameter(
              'Position in the order, starting at 0; default: the end.',
              0,
              MAX_POSITION,
            ),
          },
          problems: [
            'name-illegal',
            'auth-provider-class-unknown',
            'auth-provider-exists',
            'auth-provider-limit',
            'auth-provider-position',
            'url-refused',
          ],
        },
        async ({ services, principal, body, query }) => {
          const resource = await createProvider(services.security, principal, body, query.position);
          const warnings = listProxyWarnings(services, resource);
          return { location: ['security', 'authproviders', resource.name], resource, warnings };
        },
      ),

      put(
        '/security/authproviders/order',
        'Enable the listed providers in that order and disable all others',
        { accepts: orderReader, problems: ['auth-provider-order'] },
        ({ services, principal, body }) => orderProviders(services.security, principal, body),
      ),

      ...createProviderRows('/security/authproviders/:providerName', 'a provider', ({ providerName }) => providerName),
      ...createProviderRows('/security/authproviders/test', "the provider named 'test'", () => 'test'),
    ],
  );
}

function listProxyWarnings({ security }: Services, { className }: AuthProvider): readonly string[] {
  const isUntrusted = getProviderMethod(className) === 'header' && !security.trustsProxies;
  return isUntrusted ? ['No proxy is trusted. Start the server with --trust-proxy.'] : [];
}
