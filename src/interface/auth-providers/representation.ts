/** Authentication providers as documents. */

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

const { text, flag, integer, secret, serverText } = createFieldBuilders<AuthProvider>();

const fields = {
  id: serverText((provider) => provider.id, { description: 'Assigned by the server.' }),
  name: text((provider) => provider.name, { required: true, description: "Unique; 'order' is reserved." }),
  className: text((provider) => provider.className, {
    required: true,
    description: 'org.<vendor>.security.auth.<Kind>AuthenticationProvider with the kind UsernamePassword or Ldap.',
    example: 'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider',
  }),
  configClassName: text(() => undefined, { description: 'Only where it cannot be told from className.' }),
  userGroupServiceName: text(({ settings }) => settings.userGroupServiceName, {
    description: "The user/group service to ask; 'default' where a UsernamePassword provider names none.",
    example: 'default',
  }),
  serverURL: text(({ settings }) => settings.serverURL, {
    description: 'ldap://host:port/base or ldaps://host:port/base.',
  }),
  groupSearchBase: text(({ settings }) => settings.groupSearchBase, {
    description: 'Where groups are, relative to the base.',
  }),
  groupSearchFilter: text(({ settings }) => settings.groupSearchFilter, {
    description:
      'Finds the groups of a user: {0} is the full name of the entry, {1} the user. (member={0}) by default.',
  }),
  useTLS: flag(({ settings }) => settings.useTLS, { description: 'Whether to upgrade the connection with StartTLS.' }),
  useNestedParentGroups: flag(({ settings }) => settings.useNestedParentGroups, {
    description: 'Whether groups of groups count too.',
  }),
  maxGroupSearchLevel: integer(({ settings }) => settings.maxGroupSearchLevel, {
    description: 'How deep to look for groups of groups; 10 by default.',
  }),
  nestedGroupSearchFilter: text(({ settings }) => settings.nestedGroupSearchFilter, {
    description: 'Finds the groups of a group, as groupSearchFilter does those of a user.',
  }),
  bindBeforeGroupSearch: flag(({ settings }) => settings.bindBeforeGroupSearch, {
    description: 'Whether groups are searched as the user who logs in, even if there is a user to search as.',
  }),
  adminGroup: text(({ settings }) => settings.adminGroup, { description: 'Its members have ROLE_ADMINISTRATOR.' }),
  groupAdminGroup: text(({ settings }) => settings.groupAdminGroup, {
    description: 'Its members have ROLE_GROUP_ADMIN.',
  }),
  rolePrefix: text(({ settings }) => settings.rolePrefix, {
    description: 'Stands before the name of a group to make a role of it; ROLE_ by default.',
  }),
  convertToUpperCase: flag(({ settings }) => settings.convertToUpperCase, {
    description: 'Whether roles are made of groups in upper case; true by default.',
  }),
  userDnPattern: text(({ settings }) => settings.userDnPattern, {
    description: 'The name of the entry of the user {0}, relative to the base: uid={0},ou=people.',
  }),
  userFilter: text(({ settings }) => settings.userFilter, {
    description: 'Finds the entry of the user {0}, where there is no userDnPattern: (uid={0}).',
  }),
  userFormat: text(({ settings }) => settings.userFormat, {
    description: 'What the user {0} is called when logging in to the directory: {0}@acme.org.',
  }),
  user: text(({ settings }) => settings.user, { description: 'Whom to search as; nobody in particular without it.' }),
  password: secret({ description: 'The password of the user to search as. It never comes back.' }),
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
        throw problem('auth-provider-order', { reason: 'an item of it is no name', field: 'order' });
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
  // `<order/>` and `{"order":null}` name nobody.
  const isEmpty = nodes.length === 1 && only?.members.size === 0 && only.text.trim() === '';
  return isEmpty ? [] : nodes;
}
