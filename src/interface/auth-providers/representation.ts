/** The documents for authentication providers. */

import { createClassListWriter, createClassReader, createClassWriter } from '../../http/documents/class-document.ts';
import { type DocumentReader, defineDocument, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { unwrap } from '../../http/documents/unwrap.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { AuthProvider } from '../../security/auth-providers/model/auth-provider.ts';
import { providerClasses } from '../../security/auth-providers/model/provider-classes.ts';
import { findClassRole } from '../../security/core/class-names.ts';
import type { Dialect } from '../common/dialects.ts';
import { createListField, createMapField, createRoleMappingField } from './external-fields.ts';

const { text, flag, integer, secret, serverText } = createFieldBuilders<AuthProvider>();

const fields = {
  id: serverText((provider) => provider.id, { description: 'Assigned by the server.' }),
  name: text((provider) => provider.name, { required: true, description: "Must be unique; 'order' is reserved." }),
  className: text((provider) => provider.className, {
    required: true,
    description:
      'org.<vendor>.security.auth.<Kind>AuthenticationProvider, where Kind is UsernamePassword, Ldap, OpenIdConnect or RequestHeader.',
    example: 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider',
  }),
  configClassName: text(() => undefined, { description: 'Required only where className does not determine it.' }),
  userGroupServiceName: text(({ settings }) => settings.userGroupServiceName, {
    description: "User/group service of a UsernamePassword provider; default: 'default'.",
    example: 'default',
  }),
  serverURL: text(({ settings }) => settings.serverURL, {
    description: 'ldap://host:port/base or ldaps://host:port/base.',
  }),
  groupSearchBase: text(({ settings }) => settings.groupSearchBase, {
    description: 'Base of the group search, relative to the base of the directory.',
  }),
  groupSearchFilter: text(({ settings }) => settings.groupSearchFilter, {
    description:
      'Filter for the groups of a user: {0} is the DN of the user, {1} the user name. Default: (member={0}).',
  }),
  useTLS: flag(({ settings }) => settings.useTLS, { description: 'Whether to upgrade the connection with StartTLS.' }),
  useNestedParentGroups: flag(({ settings }) => settings.useNestedParentGroups, {
    description: 'Whether nested groups are resolved.',
  }),
  maxGroupSearchLevel: integer(({ settings }) => settings.maxGroupSearchLevel, {
    description: 'Maximum depth of nested groups; default: 10.',
  }),
  nestedGroupSearchFilter: text(({ settings }) => settings.nestedGroupSearchFilter, {
    description: 'Filter for the parent groups of a group; same placeholders as groupSearchFilter.',
  }),
  bindBeforeGroupSearch: flag(({ settings }) => settings.bindBeforeGroupSearch, {
    description: 'Whether groups are searched as the user who signs in, even if a search user is configured.',
  }),
  adminGroup: text(({ settings }) => settings.adminGroup, {
    description: 'Members of this group have ROLE_ADMINISTRATOR.',
  }),
  groupAdminGroup: text(({ settings }) => settings.groupAdminGroup, {
    description: 'Members of this group have ROLE_GROUP_ADMIN.',
  }),
  rolePrefix: text(({ settings }) => settings.rolePrefix, {
    description: 'Prefix of the role names derived from groups; default: ROLE_.',
  }),
  convertToUpperCase: flag(({ settings }) => settings.convertToUpperCase, {
    description: 'Whether role names derived from groups are converted to upper case; default: true.',
  }),
  userDnPattern: text(({ settings }) => settings.userDnPattern, {
    description: 'DN of the user {0}, relative to the base: uid={0},ou=people.',
  }),
  userFilter: text(({ settings }) => settings.userFilter, {
    description: 'Filter that finds the user {0} when userDnPattern is absent: (uid={0}).',
  }),
  userFormat: text(({ settings }) => settings.userFormat, {
    description: 'Login name of the user {0} in the directory: {0}@acme.org.',
  }),
  user: text(({ settings }) => settings.user, {
    description: 'DN of the user for searches; searches are anonymous without it.',
  }),
  issuer: text(({ settings }) => settings.issuer, {
    description: 'Issuer of an OpenID Connect provider, exactly as in its tokens.',
  }),
  audience: createListField('audience', 'Accepted audiences: the identifier of this server.'),
  jwksUri: text(({ settings }) => settings.jwksUri, { description: 'Address of the keys; default: by discovery.' }),
  allowedAlgorithms: createListField(
    'allowedAlgorithms',
    'Accepted signatures; default: RS256, PS256, ES256 and EdDSA.',
  ),
  userNameClaim: text(({ settings }) => settings.userNameClaim, {
    description: 'Claim or JSON Pointer of the user name; default: sub.',
  }),
  roleClaim: text(({ settings }) => settings.roleClaim, {
    description: 'Claim or JSON Pointer of the roles, such as /realm_access/roles.',
  }),
  requiredClaims: createMapField('requiredClaims', 'Claims and the values that they must have.'),
  clockSkewSeconds: integer(({ settings }) => settings.clockSkewSeconds, {
    description: 'Tolerated difference of clocks, 0 to 300; default: 60.',
  }),
  requireAccessTokenType: flag(({ settings }) => settings.requireAccessTokenType, {
    description: 'Whether the type of tokens must be at+jwt.',
  }),
  introspection: text(({ settings }) => settings.introspection, {
    description:
      'Which tokens the issuer is asked about (RFC 7662): off (default), opaque (those that are not JWTs) or always.',
  }),
  introspectionUri: text(({ settings }) => settings.introspectionUri, {
    description: 'Address for introspection; default: by discovery.',
  }),
  introspectionCacheSeconds: integer(({ settings }) => settings.introspectionCacheSeconds, {
    description: 'How long an answer is remembered, 0 to 60; default: 10.',
  }),
  clientId: text(({ settings }) => settings.clientId, {
    description: 'Client of this server at the issuer, for introspection and sign-in in browsers.',
  }),
  scopes: text(({ settings }) => settings.scopes, {
    description: 'Scopes that browsers request, separated by blanks; default: openid.',
  }),
  browserSignIn: flag(({ settings }) => settings.browserSignIn, {
    description: 'Whether /security/signin offers the provider to browsers.',
  }),
  label: text(({ settings }) => settings.label, { description: 'Name of the provider for users; default: its name.' }),
  clientSecret: secret({ description: 'Secret of the client. Responses never contain it.' }),
  userHeader: text(({ settings }) => settings.userHeader, {
    description: 'Header in which a trusted proxy sends the user; default: X-Forwarded-User.',
  }),
  rolesHeader: text(({ settings }) => settings.rolesHeader, { description: 'Header of the roles.' }),
  rolesSeparator: text(({ settings }) => settings.rolesSeparator, { description: 'Default: a comma.' }),
  claimHeaders: createMapField('claimHeaders', 'Claims and the headers that contain them.'),
  roleMapping: createRoleMappingField('Roles by claim value; the only source of administrator roles.'),
  unmappedRoles: text(({ settings }) => settings.unmappedRoles, {
    description: 'Whether other values are roles: ignore (default) or keep.',
  }),
  defaultRoles: createListField('defaultRoles', 'Roles of every user of the provider.'),
  useLocalRoles: flag(({ settings }) => settings.useLocalRoles, {
    description: 'Whether the roles of the user name in the role service are added.',
  }),
  password: secret({ description: 'Password of the search user. Responses never contain it.' }),
};

const list = 'authproviders';
const exampleClass = 'org.geoserver.security.config.UsernamePasswordAuthenticationProviderConfig';

const providerDocument = defineDocument('authprovider', fields, {
  title: (provider) => `Authentication provider ${provider.name}`,
});

export const providerReader = createClassReader(providerDocument, {
  list,
  members: Object.keys(fields),
  roleOfClass: (name) => findClassRole(providerClasses, name),
  exampleClass,
});

export function createProviderWriters(dialect: Dialect) {
  const getClassName = (provider: AuthProvider) => provider.configClassName;
  const json = dialect.providerJson;
  return {
    one: createClassWriter(providerDocument, { classOf: getClassName, json, exampleClass }),
    all: createClassListWriter(providerDocument, {
      list,
      title: 'Authentication providers',
      classOf: getClassName,
      json,
      exampleClass,
      link: ({ name }) => ({ name, path: ['security', 'authproviders', name] }),
    }),
  };
}

/** `<order><order>a</order>...</order>`, `{"order":["a"]}` or a bare array of names. */
export const orderReader: DocumentReader<readonly string[]> = {
  root: 'order',
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: {
    type: 'object',
    properties: {
      order: {
        type: 'array',
        items: { type: 'string', xml: { name: 'order' } },
        xml: { wrapped: true },
        examples: [['corporate', 'default']],
      },
    },
    required: ['order'],
  },
  read(body, _purpose, unknown) {
    for (const name of body.members.keys()) {
      if (name !== 'order') {
        unknown('', name, ['order']);
      }
    }
    return readNameNodes(body).map((node) => {
      const name = node.text.trim();
      if (node.kind !== 'scalar' || name === '') {
        throw problem('auth-provider-order', { reason: 'every item must be a name', field: 'order' });
      }
      return name;
    });
  },
};

function readNameNodes(body: InputNode): readonly InputNode[] {
  if (body.kind === 'list') {
    return body.items;
  }
  const { node } = unwrap(body, { root: 'order', envelopes: [], members: ['order'] });
  const nodes = node.members.get('order') ?? [];
  const [only] = nodes;
  const inner = nodes.length === 1 ? only?.members.get('order') : undefined;
  if (inner !== undefined) {
    return inner;
  }
  // `<order/>` and `{"order":null}` are an empty order.
  const isEmpty = nodes.length === 1 && only?.members.size === 0 && only.text.trim() === '';
  return isEmpty ? [] : nodes;
}
