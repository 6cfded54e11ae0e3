/** The documents for users, groups and their services. */

import { createClassReader, createClassWriter } from '../../http/documents/class-document.ts';
import {
  type DocumentReader,
  type DocumentWriter,
  defineDocument,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter, type ListWriter } from '../../http/documents/listing.ts';
import { createNameListWriter } from '../../http/documents/name-list.ts';
import { unwrap, wrapNode } from '../../http/documents/unwrap.ts';
import { findClassRole } from '../../security/core/class-names.ts';
import type { UserGroupService } from '../../security/users/user-group-service.ts';
import { serviceClasses } from '../../security/users/user-group-services.ts';
import type { ListedUser, UserDraft } from '../../security/users/users.ts';
import type { Dialect } from '../common/dialects.ts';

const user = createFieldBuilders<ListedUser>();

const userFields = {
  enabled: user.flag((each) => each.kind === 'administrator' || each.enabled, {
    description: 'Whether the user can sign in; default: true.',
    example: true,
  }),
  userName: user.text((each) => each.name, { required: true, description: 'Must be unique in its service.' }),
  password: user.secret({
    description: 'Never returned. A user without a password cannot sign in with one.',
    example: 'correct horse battery',
  }),
};

export const userDocument = defineDocument('user', userFields, { title: (each) => `User ${each.name}` });

/** The document alone, in its element, or named after the class of the reference server. */
export const userReader: DocumentReader<UserDraft> = {
  root: userDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: userDocument.schema,
  read(body, purpose, unknown) {
    const { node } = unwrap(body, { root: 'user', envelopes: ['user'], members: Object.keys(userFields) });
    return userDocument.read(wrapNode('user', node), purpose, unknown);
  },
};

export const userList: ListWriter<ListedUser, readonly ListedUser[]> = {
  root: 'users',
  getName: ({ name }) => name,
  schema: {
    type: 'object',
    properties: {
      users: {
        type: 'array',
        items: { ...userDocument.schema.properties?.['user'], xml: { name: 'user' } },
        xml: { wrapped: true },
      },
    },
    required: ['users'],
  },
  write: (users) => ({
    root: 'users',
    node: { kind: 'sequence', members: users.map((each) => ({ name: 'user', node: userDocument.write(each).node })) },
    title: 'Users',
  }),
};

export const groupList = createNameListWriter('groups', 'group', 'Groups');

const service = createFieldBuilders<UserGroupService>();

const serviceFields = {
  id: service.serverText((each) => each.id, { description: 'Assigned by the server.' }),
  name: service.text((each) => each.name, { required: true }),
  className: service.text((each) => each.className, {
    required: true,
    description: 'org.<vendor>.security.xml.XMLUserGroupService',
    example: 'org.geoserver.security.xml.XMLUserGroupService',
  }),
  configClassName: service.text(() => undefined),
};

const exampleClass = 'org.geoserver.security.xml.XMLUserGroupServiceConfig';

const serviceDocument = defineDocument('userGroupService', serviceFields, {
  title: (each) => `User/group service ${each.name}`,
});

export const serviceReader = createClassReader(serviceDocument, {
  list: 'userGroupServices',
  members: Object.keys(serviceFields),
  roleOfClass: (name) => findClassRole(serviceClasses, name),
  exampleClass,
});

export function createServiceWriter(dialect: Dialect): DocumentWriter<UserGroupService> {
  return createClassWriter(serviceDocument, {
    classOf: (each) => each.configClassName,
    json: dialect.providerJson,
    exampleClass,
  });
}

export const serviceListing = createListWriter<UserGroupService>('userGroupServices', {
  itemName: 'userGroupService',
  title: 'User/group services',
  name: (each) => each.name,
  path: (each) => ['security', 'usergroupservices', each.name],
});
