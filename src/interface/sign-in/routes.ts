/** Routes with which browsers sign in at identity providers. The server keeps no session. */
import { ANYONE } from '../../http/auth/auth.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { getCurrentScope } from '../../workers/request-scope.ts';
import { family, get, postQuery, type Services } from '../common/services.ts';
import { codeBody, issuedDocument, readAuthorizationCode, signInDocument } from './representation.ts';

export function signInRoutes(): RouteTable<Services> {
  return family(
    'Sign-in in browsers',
    {
      description:
        'How the console signs in: with a password, or by authorization code and PKCE at identity providers.',
      formats: ['json'],
      formatGroup: 'accounts',
    },
    [
      get(
        '/security/signin',
        'List the ways to sign in',
        { returns: signInDocument, role: ANYONE, rejectsUnknownQuery: true },
        async ({ services }) => ({ resource: await services.browserSignIn.listProviders(services.catalog) }),
      ),
      postQuery(
        '/security/signin/:providerName',
        'Exchange an authorization code for an access token',
        {
          accepts: { kind: 'json', shape: codeBody },
          returns: issuedDocument,
          role: ANYONE,
          confidential: true,
          rejectsUnknownQuery: true,
          problems: [
            'document-invalid',
            'auth-provider-unknown',
            'sign-in-refused',
            'token-invalid',
            'token-rate',
            'too-many-attempts',
            'provider-unavailable',
          ],
        },
        async ({ services, params, body, restUrl }) => {
          const sent = readAuthorizationCode(body, `${restUrl.slice(0, restUrl.lastIndexOf('/'))}/console/signin`);
          const address = getCurrentScope().client.replace(/^client /, '');
          return {
            resource: await services.browserSignIn.redeemCode(services.catalog, params.providerName, sent, address),
          };
        },
      ),
    ],
  );
}
