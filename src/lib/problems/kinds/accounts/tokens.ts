/** Problems with credentials other than passwords, and with API tokens. */
import { formatCount } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const tokenProblems = {
  'credentials-ambiguous': defineProblemKind(
    400,
    'The request has credentials twice: in Authorization and authkey, or one of them twice.',
    () => 'The request has credentials twice. Send one Authorization header or one query parameter authkey.',
  ),
  'token-invalid': defineProblemKind(
    401,
    'The API token or the token of an identity provider is invalid.',
    (d: { reason: string }) => `The token is invalid: ${d.reason}.`,
  ),
  'provider-unavailable': defineProblemKind(
    503,
    'The identity provider of a token or of a sign-in does not answer, and its keys are not kept.',
    (d: { retryAfterSeconds: number }) =>
      `The identity provider is unavailable. Retry in ${formatCount(d.retryAfterSeconds, 'second')}.`,
  ),
  'sign-in-refused': defineProblemKind(
    401,
    'An identity provider refuses the authorization code of a browser, or its token is of another provider.',
    (d: { reason: string }) => `The sign-in failed: ${d.reason}. Sign in again.`,
  ),
  'proxy-header-invalid': defineProblemKind(
    400,
    'A header of a trusted proxy occurs twice, is too long, is not UTF-8, has control characters, or has several user names.',
    (d: { header: string; expected: string }) =>
      `The header ${d.header} is invalid: it must occur once and have ${d.expected} in UTF-8, without control characters.`,
  ),
  'proxy-user-reserved': defineProblemKind(
    401,
    'A trusted proxy sends the name of the built-in administrator.',
    (d: { header: string }) => `The header ${d.header} has the name of the built-in administrator, which is reserved.`,
  ),
  'authkey-refused': defineProblemKind(
    400,
    'The query parameter authkey is accepted by map and feature services only.',
    () =>
      'The query parameter authkey is not accepted here. Send the token in the header Authorization: Bearer instead.',
  ),
  'authkey-page': defineProblemKind(
    406,
    'The reply to a request with authkey would be an HTML page.',
    () => 'Pages are not available with the query parameter authkey. Request another format.',
  ),
  'token-scope': defineProblemKind(
    403,
    'The scopes of the API token exclude the request.',
    (d: { reason: string }) => `The scopes of the token exclude this request: ${d.reason}.`,
  ),
  'token-scope-exceeds': defineProblemKind(
    403,
    'The token would have administrator rights, but its user has none.',
    () => 'The scope admin requires a user with administrator rights. Omit it.',
  ),
  'token-not-allowed': defineProblemKind(
    403,
    'The request cannot be sent with an API token.',
    (d: { what: string }) => `A token cannot ${d.what}. Sign in without a token.`,
  ),
  'token-unknown': defineProblemKind(
    404,
    'No API token has that id, or it belongs to another user.',
    (d: { id: string }) => `No such token: '${d.id}'.`,
  ),
  'token-exists': defineProblemKind(
    409,
    'The user already has an API token of that name.',
    (d: { name: string }) => `A token named '${d.name}' already exists. Choose another name, or delete it first.`,
  ),
  'token-limit': defineProblemKind(
    409,
    'The user or the server has the maximum number of API tokens.',
    (d: { limit: number; of: 'user' | 'server' }) =>
      `The ${d.of} already has ${formatCount(d.limit, 'token')}, the maximum. Delete a token first.`,
  ),
  'token-reply-kept': defineProblemKind(
    400,
    'API tokens cannot be created with an Idempotency-Key or inside a batch, because both keep replies.',
    () =>
      'A token cannot be created with an Idempotency-Key or inside a batch, because the reply with its secret would be kept. Send a request of its own.',
  ),
  'token-rate': defineProblemKind(
    429,
    'Too many requests with an API token, too many tokens created by a user, or too many sign-ins of an address.',
    (d: { what: string; retryAfterSeconds: number }) =>
      `Too many ${d.what}. Retry in ${formatCount(d.retryAfterSeconds, 'second')}.`,
  ),
} as const;
