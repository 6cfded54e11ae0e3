/** The documents of sign-ins in browsers. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { DescribedDocument } from '../../http/documents/schema.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { AuthorizationCode, IssuedToken, OfferedProvider } from '../../security/external-login/browser-sign-in.ts';

export const signInDocument: DocumentWriter<readonly OfferedProvider[]> = {
  root: 'signin',
  schemaName: 'SignIn',
  schema: {
    type: 'object',
    required: ['signin'],
    properties: {
      signin: {
        type: 'object',
        properties: {
          basic: { type: 'boolean', description: 'Whether users sign in with name and password.' },
          providers: {
            type: 'array',
            items: {
              type: 'object',
              properties: Object.fromEntries(
                ['name', 'label', 'authorizationUrl', 'clientId', 'scopes'].map((name) => [name, { type: 'string' }]),
              ),
            },
          },
        },
      },
    },
  },
  write: (providers) => ({
    root: 'signin',
    title: 'Sign-in',
    node: {
      kind: 'object',
      members: [
        toMember('basic', true),
        {
          name: 'providers',
          node: { kind: 'sequence', members: providers.map((each) => ({ name: 'provider', node: toNode(each) })) },
        },
      ],
    },
  }),
};

export const issuedDocument: DocumentWriter<IssuedToken> = {
  root: 'accessToken',
  schemaName: 'IssuedToken',
  schema: {
    type: 'object',
    properties: {
      accessToken: { type: 'string' },
      tokenType: { type: 'string', enum: ['Bearer'] },
      expiresIn: { description: 'Seconds, or null if the provider does not state them.' },
    },
  },
  write: ({ accessToken, expiresIn }) => {
    const node = toNode({ accessToken, tokenType: 'Bearer', expiresIn });
    return { root: 'signin', title: 'Sign-in', node, json: { root: null, node } };
  },
};

function toNode(fields: object): OutputNode {
  return {
    kind: 'object',
    members: Object.entries(fields).map(([name, value]) => toMember(name, value as string | number | boolean | null)),
  };
}

function toMember(name: string, value: string | number | boolean | null): OutputMember {
  return { name, node: { kind: 'value', value } };
}

const members = ['code', 'codeVerifier', 'redirectUri'] as const;

export const codeBody: DescribedDocument = {
  root: 'code',
  schemaName: 'AuthorizationCode',
  schema: {
    type: 'object',
    required: [...members],
    properties: {
      code: { type: 'string', writeOnly: true, description: 'The code of the redirect.' },
      codeVerifier: { type: 'string', writeOnly: true, description: 'The verifier of PKCE (S256).' },
      redirectUri: { type: 'string', description: 'The address of the redirect: /console/signin of this server.' },
    },
  },
};

/** Codes are opaque and shorter at all providers. */
const MAX_CODE_LENGTH = 4_096;

/** RFC 7636, 4.1. */
const verifierPattern = /^[\w.~-]{43,128}$/;

export function readAuthorizationCode(tree: JsonTree, redirectUri: string): AuthorizationCode {
  if (tree.kind !== 'object') throw createInvalid([{ field: 'code', message: 'an object was expected' }]);
  const found = Object.fromEntries(
    members.map((name) => {
      const member = tree.members.get(name);
      return [name, member?.kind === 'string' ? member.text : ''] as const;
    }),
  ) as Record<(typeof members)[number], string>;
  const complaints = [
    ...[...tree.members.keys()]
      .filter((name) => !(members as readonly string[]).includes(name))
      .map((name) => ({ field: excerpt(name), message: `is unknown. Known members: ${members.join(', ')}` })),
    ...(found.code !== '' && found.code.length <= MAX_CODE_LENGTH
      ? []
      : [{ field: 'code', message: `a text of 1 to ${MAX_CODE_LENGTH} characters was expected` }]),
    ...(verifierPattern.test(found.codeVerifier)
      ? []
      : [{ field: 'codeVerifier', message: '43 to 128 letters, digits and characters of -._~ were expected' }]),
    ...(found.redirectUri === redirectUri
      ? []
      : [{ field: 'redirectUri', message: `the address ${redirectUri} was expected` }]),
  ];
  if (complaints.length > 0) throw createInvalid(complaints);
  return found;
}

function createInvalid(complaints: readonly FieldError[]) {
  return problem('document-invalid', { complaints, field: complaints[0]?.field ?? 'code' });
}
