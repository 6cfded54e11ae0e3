/** The route that tests a provider, stored or not. */

import type { RouteTable } from '../../http/routes/route.ts';
import { findProvider, prepareProvider } from '../../security/auth-providers/auth-providers.ts';
import type { AuthProvider } from '../../security/auth-providers/model/auth-provider.ts';
import { getCurrentScope } from '../../workers/request-scope.ts';
import { family, postQuery, type Services } from '../common/services.ts';
import { readTestRequest, type TestRequest, testBody, testResult } from './test-document.ts';

export function providerTestRoutes(): RouteTable<Services> {
  return family(
    'Tests of authentication providers',
    {
      description: 'Tests a provider before or after it is stored.',
      formats: ['json'],
      formatGroup: 'accounts',
      errorStyle: 'structured',
    },
    [
      postQuery(
        '/security/authproviders/test',
        'Test a provider, with credentials if some are sent; nothing is stored',
        {
          accepts: { kind: 'json', shape: testBody },
          returns: testResult,
          rejectsUnknownQuery: true,
          problems: [
            'document-invalid',
            'name-illegal',
            'auth-provider-unknown',
            'auth-provider-class-unknown',
            'too-many-attempts',
          ],
        },
        async ({ services, body }) => {
          const { provider, credentials } = readTestRequest(body);
          const address = getCurrentScope().client.replace(/^client /, '');
          return {
            resource: await services.testProvider(await resolveProvider(services, provider), credentials, address),
          };
        },
      ),
    ],
  );
}

async function resolveProvider(
  { catalog, security }: Services,
  provider: TestRequest['provider'],
): Promise<AuthProvider> {
  if (typeof provider === 'string') return findProvider(catalog, provider);
  // An identity that no stored record has, so that nothing cached is used.
  const unstored = { kind: 'authProvider', id: '', parent: null, version: 0, createdAtMs: 0, modifiedAtMs: 0 } as const;
  return { ...unstored, ...(await prepareProvider(security, provider)) };
}
