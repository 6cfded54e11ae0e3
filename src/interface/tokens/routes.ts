/** Routes for API tokens: of the signed-in user, and of all users for administrators. */
import { createIntegerParameter, createTextParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { ROLE_AUTHENTICATED, toAccountKey } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { findToken, listOwnTokens, listTokens, revokeToken, revokeTokensOfUser } from '../../security/tokens/tokens.ts';
import { del, family, get, post, type Services } from '../common/services.ts';
import { createOwnToken, createTokenOfUser } from './create-token.ts';
import { createTokenReader } from './read-token.ts';
import { revokedDocument, tokenDocument, tokensDocument } from './representation.ts';

const own = '/security/self/tokens';
const all = '/security/tokens';
/** A page takes 10 to 30 ms of the main thread; 1,000 tokens took up to 60 ms. */
const MAX_PAGE = 500;

const creationProblems = [
  'token-exists',
  'token-limit',
  'token-reply-kept',
  'token-scope-exceeds',
  'auth-provider-unknown',
  'user-unknown',
] as const;

export function tokenRoutes(): RouteTable<Services> {
  return family(
    'API tokens',
    {
      description: 'Credentials for programs, with some of the permissions of a user. The secret is shown once.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
    },
    [...createOwnRows(), ...createAdministratorRows()],
  );
}

function createOwnRows() {
  return [
    get(
      own,
      'List your tokens',
      { returns: tokensDocument, role: ROLE_AUTHENTICATED, rejectsUnknownQuery: true },
      async ({ services: { catalog, tokens }, principal }) => ({
        resource: { tokens: await listOwnTokens(catalog, tokens, toAccountKey(principal)) },
      }),
    ),
    post(
      own,
      'Create a token; the reply has its secret',
      {
        accepts: createTokenReader({ hasUser: false }),
        returns: tokenDocument,
        role: ROLE_AUTHENTICATED,
        confidential: true,
        rejectsUnknownQuery: true,
        problems: creationProblems,
      },
      async (call) => {
        const resource = await createOwnToken(call);
        return { location: ['security', 'self', 'tokens', resource.token.name], text: '', resource };
      },
    ),
    get(
      `${own}/:token`,
      'Read one of your tokens',
      { returns: tokenDocument, role: ROLE_AUTHENTICATED, rejectsUnknownQuery: true, problems: ['token-unknown'] },
      async ({ services: { catalog, tokens }, principal, params }) => ({
        resource: await findToken(catalog, tokens, params.token, toAccountKey(principal)),
      }),
    ),
    del(
      `${own}/:token`,
      'Delete one of your tokens for good',
      { role: ROLE_AUTHENTICATED, rejectsUnknownQuery: true, problems: ['token-unknown'] },
      ({ services: { catalog, tokens }, principal, params }) =>
        revokeToken(catalog, tokens, principal, { id: params.token, accountKey: toAccountKey(principal) }),
    ),
  ];
}

function createAdministratorRows() {
  return [
    get(
      all,
      'List the tokens of all users, or of one',
      {
        returns: tokensDocument,
        rejectsUnknownQuery: true,
        query: {
          user: createTextParameter('Return only tokens of this user.'),
          after: createTextParameter('Return only tokens after this id.'),
          limit: createIntegerParameter(`Maximum number of tokens; default: ${MAX_PAGE}.`, 1, MAX_PAGE),
        },
      },
      async ({ services: { catalog, tokens }, query: { user, after, limit } }) => {
        const page = await listTokens(catalog, tokens, { user, after, limit: limit ?? MAX_PAGE });
        if (page.next === undefined) return { resource: { tokens: page.tokens } };
        const next = { ...(user === null ? {} : { user }), limit: String(limit ?? MAX_PAGE), after: page.next };
        return { resource: { tokens: page.tokens, next }, next };
      },
    ),
    post(
      all,
      'Create a token for a local user; the reply has its secret',
      {
        accepts: createTokenReader({ hasUser: true }),
        returns: tokenDocument,
        confidential: true,
        rejectsUnknownQuery: true,
        problems: creationProblems,
      },
      async (call) => {
        const resource = await createTokenOfUser(call);
        return { location: ['security', 'tokens', resource.token.name], text: '', resource };
      },
    ),
    del(
      all,
      'Delete all tokens of a user for good',
      {
        returns: revokedDocument,
        rejectsUnknownQuery: true,
        query: { user: createTextParameter('The user; required.') },
        problems: ['query-invalid'],
      },
      async ({ services: { catalog }, principal, query: { user } }) => {
        if (user === null) {
          throw problem('query-invalid', {
            parameter: 'user',
            value: '',
            expected: 'the name of a user',
            field: 'user',
          });
        }
        return { resource: await revokeTokensOfUser(catalog, principal, user) };
      },
    ),
    get(
      `${all}/:token`,
      'Read a token',
      { returns: tokenDocument, rejectsUnknownQuery: true, problems: ['token-unknown'] },
      async ({ services: { catalog, tokens }, params }) => ({
        resource: await findToken(catalog, tokens, params.token),
      }),
    ),
    del(
      `${all}/:token`,
      'Delete a token for good',
      { rejectsUnknownQuery: true, problems: ['token-unknown'] },
      ({ services: { catalog, tokens }, principal, params }) =>
        revokeToken(catalog, tokens, principal, { id: params.token }),
    ),
  ];
}
