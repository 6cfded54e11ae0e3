/** Writes user/group services with users and groups, and the roles. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { isList, type Resource, readText, splitPath } from '../archive/exported-configuration.ts';
import { createId, getName, type Leaving } from './leaving.ts';

const DEFAULT_SERVICE = 'default';

const SERVICE_CLASS = 'org.geoserver.security.xml.XMLUserGroupService';

/** The built-in administrator, who is not part of the configuration. */
const ADMINISTRATOR = 'admin';

export function writeAccounts(leaving: Leaving): void {
  const services = leaving.list('userGroupService');
  writeService(leaving, DEFAULT_SERVICE, undefined);
  for (const service of services) writeService(leaving, getName(service), service);
  writeRoles(leaving);
}

function writeService(leaving: Leaving, name: string, service: Resource | undefined): void {
  const folder = `security/usergroup/${leaving.chooseName('security/usergroup', name, `/security/usergroup/${name}`)}`;
  leaving.addFile(`${folder}/config.xml`, 'userGroupService', {
    id: createId('UserGroupService', name),
    name,
    className: SERVICE_CLASS,
    fileName: 'users.xml',
    checkInterval: 10_000,
    validating: true,
    passwordEncoderName: 'digestPasswordEncoder',
    passwordPolicyName: 'default',
  });
  if (service !== undefined) leaving.report.countExported(service.kind);
  const inService = (each: Resource) => findService(each.path) === name;
  const users = leaving.list('user').filter(inService);
  const groups = leaving.list('group').filter(inService);
  const administrator = { '@name': ADMINISTRATOR, '@enabled': true, '@password': 'empty:' };
  leaving.addFile(`${folder}/users.xml`, 'userRegistry', {
    '@xmlns': 'http://www.geoserver.org/security/users',
    '@version': '1.0',
    users: {
      user: [...(name === DEFAULT_SERVICE ? [administrator] : []), ...users.map((user) => writeUser(leaving, user))],
    },
    groups: { group: groups.map(writeGroup) },
  });
  for (const { kind } of [...users, ...groups]) leaving.report.countExported(kind);
}

/** `/security/usergroup/service/{s}/user/{u}`; the path of the default service has no name. */
function findService(path: string): string {
  const [, , word, name] = splitPath(path);
  return word === 'service' ? (name ?? DEFAULT_SERVICE) : DEFAULT_SERVICE;
}

/** Of the forms of this server, GeoServer verifies only digests that came from it. */
const digest = /^digest1:/;

function writeUser(leaving: Leaving, user: Resource): JsonObject {
  const { enabled = true, password } = user.fields;
  const hash = readText(password);
  const isReadable = hash !== undefined && digest.test(hash);
  if (!isReadable) {
    const message = 'GeoServer cannot verify the hash of the password, so the user has none.';
    const remedy = 'Set a new password in GeoServer.';
    leaving.report.add(leaving.withSecrets ? 'password-unreadable' : 'password-omitted', user, message, { remedy });
  }
  return { '@name': getName(user), '@enabled': enabled, '@password': isReadable ? hash : 'empty:' };
}

function writeGroup(group: Resource): JsonObject {
  const members = listTexts(group.fields['users']).map((username) => ({ '@username': username }));
  return { '@name': getName(group), '@enabled': true, member: members };
}

function writeRoles(leaving: Leaving): void {
  const roles = leaving.list('role');
  leaving.addFile('security/role/default/config.xml', 'roleService', {
    id: createId('RoleService', DEFAULT_SERVICE),
    name: DEFAULT_SERVICE,
    className: 'org.geoserver.security.xml.XMLRoleService',
    fileName: 'roles.xml',
    checkInterval: 10_000,
    validating: true,
    adminRoleName: 'ADMIN',
    groupAdminRoleName: 'GROUP_ADMIN',
  });
  const names = new Set(['ADMIN', 'GROUP_ADMIN', ...roles.map(getName)]);
  const ofUsers = collectHolders(roles, 'users');
  const administrator = ofUsers.get(ADMINISTRATOR) ?? [];
  ofUsers.set(ADMINISTRATOR, [...new Set(['ADMIN', ...administrator])]);
  leaving.addFile('security/role/default/roles.xml', 'roleRegistry', {
    '@xmlns': 'http://www.geoserver.org/security/roles',
    '@version': '1.0',
    roleList: { role: [...names].map((id) => ({ '@id': id })) },
    userList: { userRoles: writeHolders(ofUsers, '@username') },
    groupList: { groupRoles: writeHolders(collectHolders(roles, 'groups'), '@groupname') },
  });
  for (const { kind } of roles) leaving.report.countExported(kind);
}

function collectHolders(roles: readonly Resource[], field: 'users' | 'groups'): Map<string, readonly string[]> {
  const holders = new Map<string, readonly string[]>();
  for (const role of roles) {
    for (const holder of listTexts(role.fields[field])) {
      holders.set(holder, [...(holders.get(holder) ?? []), getName(role)]);
    }
  }
  return holders;
}

function writeHolders(holders: ReadonlyMap<string, readonly string[]>, attribute: string): readonly JsonObject[] {
  return [...holders].map(([holder, roles]) => ({
    [attribute]: holder,
    roleRef: roles.map((role) => ({ '@roleID': role })),
  }));
}

function listTexts(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}
