/** Configuration kinds for user/group services, users, groups and roles. */
import type { RecordBase } from '../../../records/record.ts';
import { permanentRoles, roleKind } from '../../../security/roles/role.ts';
import { groupKind } from '../../../security/users/group.ts';
import { userKind } from '../../../security/users/user.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from '../../../security/users/user-group-service.ts';
import { encodePath } from '../../changes/record-path.ts';
import { dialects } from '../../common/dialects.ts';
import { createServiceWriter, userDocument } from '../../user-groups/representation.ts';
import { createFieldMapping, type Fields, isList, type Json, KEPT_SECRET } from '../model/fields.ts';
import { type ConfigurationKind, type ConfigurationState, mapRecords, type Operation } from '../model/kind.ts';
import {
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
  defaults: userDefaults,
  async *every(state) {
    const pathTo = await createAccountPathBuilder(state);
    yield* mapRecords(state.services.catalog.readAll(userKind), (user) => ({
      path: pathTo('user', user),
      fields: () => ({ ...userFields.toFields(user), password: user.passwordHash === null ? null : KEPT_SECRET }),
    }));
  },
  create: ({ path, names: { user = '' }, fields }) => [
    { method: 'POST', path: `${getParentPath(path)}s`, body: { user: { userName: user, ...toCreateFields(fields) } } },
  ],
  change: ({ path, fields }, { changed }) => [
    { method: 'POST', path, body: { user: omitKeptSecrets(selectFields(fields, changed)) } },
  ],
  remove: ({ path }) => [{ method: 'DELETE', path }],
};

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
  create: ({ path, names, fields }) => [
    { method: 'POST', path },
    ...createMembershipOperations(path, names['group'] ?? '', readNames(fields['users']), []),
  ],
  change: ({ path, names, fields }, former) =>
    createMembershipOperations(
      path,
      names['group'] ?? '',
      readNames(fields['users']),
      readNames(former.fields['users']),
    ),
  remove: ({ path }) => [{ method: 'DELETE', path }],
};

/** The requests that add users to a group and remove others. */
function createMembershipOperations(
  path: string,
  group: string,
  wanted: readonly string[],
  former: readonly string[],
): Operation[] {
  const root = getParentPath(getParentPath(path));
  const toOperationPath = (user: string) => `${root}${encodePath(['user', user, 'group', group])}`;
  return [
    ...wanted
      .filter((user) => !former.includes(user))
      .map((user) => ({ method: 'POST', path: toOperationPath(user) }) as const),
    ...former
      .filter((user) => !wanted.includes(user))
      .map((user) => ({ method: 'DELETE', path: toOperationPath(user) }) as const),
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
  create: ({ path, names, fields }) => [
    ...(permanentRoles.includes(names['role'] ?? '') ? [] : [{ method: 'POST', path } as const]),
    ...createHolderOperations(path, fields, roleDefaults),
  ],
  change: ({ path, fields }, former) => createHolderOperations(path, fields, former.fields),
  remove: ({ path, names }, former) =>
    permanentRoles.includes(names['role'] ?? '')
      ? createHolderOperations(path, roleDefaults, former)
      : [{ method: 'DELETE', path }],
};

/** The requests that grant a role to users and groups and revoke it from others. */
function createHolderOperations(path: string, wanted: Fields, former: Fields): readonly Operation[] {
  return holderKinds.flatMap((kind): readonly Operation[] => {
    const [names, before] = [readNames(wanted[`${kind}s`]), readNames(former[`${kind}s`])];
    const toOperationPath = (name: string) => `${path}${encodePath([kind, name])}`;
    return [
      ...names
        .filter((name) => !before.includes(name))
        .map((name) => ({ method: 'POST', path: toOperationPath(name) }) as const),
      ...before
        .filter((name) => !names.includes(name))
        .map((name) => ({ method: 'DELETE', path: toOperationPath(name) }) as const),
    ];
  });
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
