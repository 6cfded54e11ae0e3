/** The documents for API tokens and for the signed-in user. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonSchema } from '../../http/documents/schema.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';
import type { SignIn, TokenScopes } from '../../lib/identity/principal.ts';
import type { ListedToken } from '../../security/tokens/tokens.ts';

/** A token with its secret, which is shown once; undefined in later replies. */
export interface ShownToken extends ListedToken {
  readonly secret?: string | null;
}

export const scopesSchema: JsonSchema = {
  type: 'object',
  description: 'What the token permits of the permissions of its user.',
  properties: {
    readOnly: { type: 'boolean', description: 'Only requests that read; default: true.' },
    admin: { type: 'boolean', description: 'Keep administrator rights; default: false.' },
    workspaces: { description: 'Names of workspaces, or null for all.' },
    services: { description: 'Some of rest, wms, wfs, wcs and wmts, or null for all.' },
  },
};

const tokenSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    user: { type: 'string' },
    prefix: { type: 'string', description: 'The first 8 characters of the secret.' },
    state: { type: 'string', enum: ['active', 'expired'] },
    created: { type: 'string', format: 'date-time' },
    createdBy: { type: 'string' },
    expires: { description: 'Time, or null for never.' },
    idleMinutes: { description: 'Ends after this time without use; null for no such limit.' },
    queryKey: { type: 'boolean' },
    ratePerMinute: { description: 'Maximum number of requests in a minute, or null.' },
    lastUsed: { description: 'Time of the last request, or null.' },
    lastUsedFrom: { description: 'Address of the last request, or null.' },
    scopes: scopesSchema,
    secret: { description: 'Only in the reply to the creation; null in a dry run.' },
  },
};

export const tokenDocument: DocumentWriter<ShownToken> = {
  root: 'token',
  schemaName: 'Token',
  schema: { type: 'object', properties: { token: tokenSchema }, required: ['token'] },
  write: (shown) => ({
    root: 'token',
    title: `Token ${shown.token.label}`,
    node: { kind: 'object', members: createTokenMembers(shown) },
  }),
};

export interface TokenList {
  readonly tokens: readonly ListedToken[];
  /** The query of the next page, if there is one. */
  readonly next?: Readonly<Record<string, string>>;
}

export const tokensDocument: DocumentWriter<TokenList> = {
  root: 'tokens',
  schemaName: 'Tokens',
  schema: { type: 'object', properties: { tokens: { type: 'array', items: tokenSchema } }, required: ['tokens'] },
  write: ({ tokens, next }) => ({
    root: 'tokens',
    title: 'Tokens',
    node: {
      kind: 'sequence',
      members: tokens.map((token) => ({
        name: 'token',
        node: { kind: 'object', members: createTokenMembers(token) },
      })),
    },
    page: {
      writeContent: (context) =>
        html`${writeTokenTable(tokens)}
${next === undefined ? html`` : writeAnchor(`${context.buildUrl(['security', 'tokens'])}.html?${new URLSearchParams(next)}`, 'Next page →')}`,
    },
  }),
};

function writeTokenTable(tokens: readonly ListedToken[]): Html {
  if (tokens.length === 0) return html`<p class="empty">No tokens.</p>`;
  return writeRecordTable(
    ['Name', 'User', 'State', 'Expires', 'Last used', 'Id'],
    tokens.map(({ token, use, state }) =>
      [
        token.label,
        token.user,
        state,
        formatTime(token.expiresAtMs) ?? 'never',
        formatTime(use?.atMs) ?? '–',
        token.name,
      ].map((each) => html`${text(each)}`),
    ),
  );
}

/** The number of deleted tokens. */
export const revokedDocument: DocumentWriter<number> = {
  root: 'revoked',
  schemaName: 'RevokedTokens',
  schema: { type: 'object', properties: { revoked: { type: 'integer' } }, required: ['revoked'] },
  write: (count) => ({ root: 'revoked', title: 'Deleted tokens', node: { kind: 'value', value: count } }),
};

function createTokenMembers({ token, use, state, secret }: ShownToken): readonly OutputMember[] {
  return [
    toMember('id', token.name),
    toMember('name', token.label),
    toMember('user', token.user),
    toMember('prefix', token.prefix),
    toMember('state', state),
    toMember('created', formatTime(token.createdAtMs)),
    toMember('createdBy', token.createdBy),
    toMember('expires', formatTime(token.expiresAtMs)),
    toMember('idleMinutes', token.idleMinutes),
    toMember('queryKey', token.queryKey),
    toMember('ratePerMinute', token.ratePerMinute),
    toMember('lastUsed', formatTime(use?.atMs)),
    toMember('lastUsedFrom', use?.from ?? null),
    { name: 'scopes', node: createScopesNode(token.scopes) },
    ...(secret === undefined ? [] : [toMember('secret', secret)]),
  ];
}

function createScopesNode({ readOnly, admin, workspaces, services }: TokenScopes): OutputNode {
  return {
    kind: 'object',
    members: [
      toMember('readOnly', readOnly),
      toMember('admin', admin),
      { name: 'workspaces', node: createListNode('workspace', workspaces) },
      { name: 'services', node: createListNode('service', services) },
    ],
  };
}

function createListNode(name: string, values: readonly string[] | null): OutputNode {
  return values === null
    ? { kind: 'value', value: null }
    : { kind: 'sequence', members: values.map((value) => toMember(name, value)) };
}

function toMember(name: string, value: string | number | boolean | null): OutputMember {
  return { name, node: { kind: 'value', value } };
}

function formatTime(ms: number | null | undefined): string | null {
  return ms == null ? null : new Date(ms).toISOString();
}

/** The signed-in user. */
export interface Self {
  readonly name: string;
  readonly roles: readonly string[];
  readonly isAdministrator: boolean;
  /** The workspaces that the user administers; `*` for all. */
  readonly workspaces: readonly string[];
  readonly via: SignIn;
  readonly token: { readonly id: string; readonly name: string; readonly scopes: TokenScopes } | undefined;
  readonly expiresAtMs: number | undefined;
}

export const selfDocument: DocumentWriter<Self> = {
  root: 'self',
  schemaName: 'Self',
  schema: {
    type: 'object',
    required: ['self'],
    properties: {
      self: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          roles: { type: 'array', items: { type: 'string' } },
          administrator: { type: 'boolean' },
          workspaces: { type: 'array', items: { type: 'string' }, description: 'Administered workspaces; * for all.' },
          signedInBy: { type: 'object', description: 'Method, and the provider or the token.' },
          expires: { description: 'When the sign-in ends, or null.' },
        },
      },
    },
  },
  write: (self) => ({
    root: 'self',
    title: `User ${self.name}`,
    node: {
      kind: 'object',
      members: [
        toMember('name', self.name),
        { name: 'roles', node: createListNode('role', self.roles) },
        toMember('administrator', self.isAdministrator),
        { name: 'workspaces', node: createListNode('workspace', self.workspaces) },
        { name: 'signedInBy', node: createSignInNode(self) },
        toMember('expires', formatTime(self.expiresAtMs)),
      ],
    },
  }),
};

function createSignInNode({ via, token }: Self): OutputNode {
  const members = [toMember('method', via.method)];
  if (via.provider !== undefined) members.push(toMember('provider', via.provider));
  if (token !== undefined) {
    const node: OutputNode = {
      kind: 'object',
      members: [
        toMember('id', token.id),
        toMember('name', token.name),
        { name: 'scopes', node: createScopesNode(token.scopes) },
      ],
    };
    members.push({ name: 'token', node });
  }
  return { kind: 'object', members };
}
