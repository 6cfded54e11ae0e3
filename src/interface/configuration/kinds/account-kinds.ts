/** Configuration kinds for user/group services, users, groups and roles. */
import { defineCommand } from '../../../http/routes/define-command.ts';
import type { RecordBase } from '../../../records/record.ts';
import { isImportedDigest } from '../../../security/core/imported-digest.ts';
import { isPasswordHash } from '../../../security/core/passwords.ts';
import { permanentRoles, roleKind } from '../../../security/roles/role.ts';
import { groupKind } from '../../../security/users/group.ts';
import { userKind } from '../../../security/users/user.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from '../../../security/users/user-group-service.ts';
import { encodePath } from '../../changes/record-path.ts';
import { dialects } from '../../common/dialects.ts';
import { createServiceWriter, userDocument } from '../../user-groups/representation.ts';
import { createFieldMapping, type Fields, isList, isObject, type Json, KEPT_SECRET } from '../model/fields.ts';
import {
  type ConfigurationKind,
  type ConfigurationState,
  mapRecords,
  type Operation,
  type ResourceAddress,
} from '../model/kind.ts';
import {
  createDelete,
  createResourceOperations,
  getParentPath,
  omitKeptSecrets,
  selectFields,
  toCreateFields,
} from '../model/operations.ts';

/** The same in all dialects. */
const serviceDocument = createServiceWriter(dialects.graticule);
const serviceFields = createFieldMapping(serviceDocument, ['name', 'configClassName']);

export const userGroupServiceRow: ConfigurationKind = {
  kind: userGroupServiceKind.kind,
  patterns: ['/security/usergroupservices/:service'],
  fieldNames: serviceFields.names,
  defaults: {},
  every: ({ services }) =>
    mapRecords(services.catalog.readAll(userGroupServiceKind), (service) =>
      // The default service always exists and cannot change.
      service.name === DEFAULT_SERVICE
        ? undefined
        : {
            path: encodePath(['security', 'usergroupservices', service.name]),
            fields: () => serviceFields.toFields(service),
          },
    ),
  ...createResourceOperations(serviceDocument.root),
};

/** Paths of the users and groups of a service; those of the default service may omit its name. */
async function createAccountPathBuilder({ services: { catalog } }: ConfigurationState) {
  const names = new Map<string, string>();
  for await (const piece of catalog.readAll(userGroupServiceKind)) {
    for (const { id, name } of piece) {
      names.set(id, name);
    }
  }
  return (kind: 'user' | 'group', { parent, name }: RecordBase): string => {
    const service = names.get(parent ?? '') ?? DEFAULT_SERVICE;
    const where = service === DEFAULT_SERVICE ? [] : ['service', service];
    return encodePath(['security', 'usergroup', ...where, kind, name]);
  };
}

const userDefaults: Fields = { enabled: true };
const userFields = createFieldMapping(userDocument, ['userName'], userDefaults);

export const userRow: ConfigurationKind = {
  kind: userKind.kind,
  patterns: ['/security/usergroup/user/:user', '/security/usergroup/service/:service/user/:user'],
  fieldNames: userFields.names,
  secrets: userFields.secrets,
  async readSecrets(catalog, { names: { service = DEFAULT_SERVICE, user = '' } }) {
    const home = await catalog.find(userGroupServiceKind, null, service);
    const found = home && (await catalog.find(userKind, home.id, user));
    return { password: found?.passwordHash ?? null };
  },
  defaults: userDefaults,
  normalise: ({ password, ...fields }) => ({
    ...fields,
    ...(password === undefined ? {} : { password: readHash(password) }),
  }),
  async *every(state) {
    const pathTo = await createAccountPathBuilder(state);
    yield* mapRecords(state.services.catalog.readAll(userKind), (user) => ({
      path: pathTo('user', user),
      fields: () => ({ ...userFields.toFields(user), password: user.passwordHash === null ? null : KEPT_SECRET }),
    }));
  },
  create: ({ pattern, names: { user: userName = '', ...params }, fields }) => [
    {
      method: 'POST',
      pattern: `${getParentPath(pattern)}s`,
      params,
      document: { user: { userName, ...toCreateFields(fields) } },
    },
  ],
  change: ({ pattern, names: params, fields }, { changed }) => [
    { method: 'POST', pattern, params, document: { user: omitKeptSecrets(selectFields(fields, changed)) } },
  ],
  remove: (address) => [createDelete(address)],
};

/** `{"$hash": "digest1:…"}` -> `digest1:…`. Other texts are no hashes, and are left for the error. */
function readHash(password: Json): Json {
  const text = isObject(password) && Object.keys(password).length === 1 ? password['$hash'] : undefined;
  return typeof text === 'string' && (isImportedDigest(text) || isPasswordHash(text)) ? text : password;
}

const groupDefaults: Fields = { users: [] };

/** A group with its members. */
export const groupRow: ConfigurationKind = {
  kind: groupKind.kind,
  patterns: ['/security/usergroup/group/:group', '/security/usergroup/service/:service/group/:group'],
  fieldNames: ['users'],
  defaults: groupDefaults,
  async *every(state) {
    const { catalog } = state.services;
    const pathTo = await createAccountPathBuilder(state);
    yield* mapRecords(catalog.readAll(groupKind), (group) => ({
      path: pathTo('group', group),
      fields: async () => {
        const users = await catalog.findByKey(userKind, 'group', group.id, Number.MAX_SAFE_INTEGER);
        return { users: users.map(({ name }) => name).sort() };
      },
    }));
  },
  normalise: (fields) => sortLists(fields, ['users']),
  references: ({ path, fields: { users } }) =>
    readNames(users).map((user) => `${getParentPath(getParentPath(path))}${encodePath(['user', user])}`),
  create: ({ fields, ...address }) => [
    { method: 'POST', pattern: address.pattern, params: address.names },
    ...createMembershipOperations(address, readNames(fields['users']), []),
  ],
  change: ({ fields, ...address }, former) =>
    createMembershipOperations(address, readNames(fields['users']), readNames(former.fields['users'])),
  remove: (address) => [createDelete(address)],
};

/** The commands that add users to a group and remove others. */
function createMembershipOperations(
  { pattern, names }: ResourceAddress,
  wanted: readonly string[],
  former: readonly string[],
): readonly Operation[] {
  const root = getParentPath(getParentPath(pattern));
  return createSetOperations(wanted, former, (method, user) => ({
    method,
    pattern: `${root}/user/:user/group/:group`,
    params: { ...names, user },
  }));
}

/** One command for each added and each removed item. */
function createSetOperations(
  wanted: readonly string[],
  former: readonly string[],
  createOperation: (method: 'POST' | 'DELETE', item: string) => Operation,
): readonly Operation[] {
  return [
    ...wanted.filter((item) => !former.includes(item)).map((item) => createOperation('POST', item)),
    ...former.filter((item) => !wanted.includes(item)).map((item) => createOperation('DELETE', item)),
  ];
}

const roleDefaults: Fields = { users: [], groups: [] };
const holderKinds = ['user', 'group'] as const;

/** A role with its users and groups. */
export const roleRow: ConfigurationKind = {
  kind: roleKind.kind,
  patterns: ['/security/roles/role/:role'],
  fieldNames: ['users', 'groups'],
  defaults: roleDefaults,
  every: ({ services }) =>
    mapRecords(services.catalog.readAll(roleKind), ({ name, users, groups }) =>
      permanentRoles.includes(name) && users.length === 0 && groups.length === 0
        ? undefined
        : {
            path: encodePath(['security', 'roles', 'role', name]),
            fields: () => ({ users: users.toSorted(), groups: groups.toSorted() }),
          },
    ),
  normalise: (fields) => sortLists(fields, ['users', 'groups']),
  references: ({ fields }) =>
    holderKinds.flatMap((kind) =>
      readNames(fields[`${kind}s`]).map((name) => encodePath(['security', 'usergroup', kind, name])),
    ),
  create: ({ names: { role = '' }, fields }) => [
    ...(permanentRoles.includes(role) ? [] : [createRole({ role })]),
    ...createHolderOperations(role, fields, roleDefaults),
  ],
  change: ({ names: { role = '' }, fields }, former) => createHolderOperations(role, fields, former.fields),
  remove: ({ names: { role = '' } }, former) =>
    permanentRoles.includes(role) ? createHolderOperations(role, roleDefaults, former) : [deleteRole({ role })],
};

const createRole = defineCommand('POST', '/security/roles/role/:role');
const deleteRole = defineCommand('DELETE', '/security/roles/role/:role');

/** The commands that grant a role to users and groups and revoke it from others. */
function createHolderOperations(role: string, wanted: Fields, former: Fields): readonly Operation[] {
  return holderKinds.flatMap((kind) =>
    createSetOperations(readNames(wanted[`${kind}s`]), readNames(former[`${kind}s`]), (method, holder) =>
      defineCommand(method, `/security/roles/role/:role/${kind}/:holder`)({ role, holder }),
    ),
  );
}

function readNames(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Group members and role assignments have no order. */
function sortLists(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isSet = names.includes(name) && isList(value) && value.every((each) => typeof each === 'string');
      return [name, isSet ? [...new Set(readNames(value))].sort() : value];
    }),
  );
}
