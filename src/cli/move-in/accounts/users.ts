/** Translates user/group services with their users and groups. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findText } from '../read/values.ts';
import type { KeyRing } from '../security/key-ring.ts';
import { readProperties } from '../security/properties.ts';
import { type Move, readTargetName } from '../translate/move.ts';
import { type AccountNames, builtInUsers } from './account-names.ts';

const ROOT = 'security/usergroup';
const XML_SERVICE = 'org.geoserver.security.xml.XMLUserGroupService';
const DEFAULT = 'default';

/** The file of versions before 2.2. */
const OLD_FILE = 'security/users.properties';

export async function translateUsers(move: Move, keys: KeyRing, names: AccountNames): Promise<void> {
  const services = move.files.listFolders(ROOT);
  for (const service of services) await translateService(move, service, { keys, names });
  if (services.length === 0) await translateOldUsers(move, names);
}

async function translateService(
  move: Move,
  folder: string,
  { keys, names }: { readonly keys: KeyRing; readonly names: AccountNames },
): Promise<void> {
  const source = `${ROOT}/${folder}/config.xml`;
  const config = await move.documents.readAny(source, 'userGroupService');
  const name = (config && findText(config, 'name')) ?? folder;
  const className = (config && findText(config, 'className')) ?? '';
  const path = createPath('security', 'usergroupservices', name);
  const subject = { source, kind: 'userGroupService', path };
  if (config === undefined || className !== XML_SERVICE) {
    move.files.accountBelow(`${ROOT}/${folder}`);
    const type = className.slice(className.lastIndexOf('.') + 1) || 'unknown';
    const remedy = 'Use an authentication provider for this source of users.';
    move.report.add(
      'user-service-unsupported',
      subject,
      `User services of the type '${type}' are not supported.`,
      remedy,
    );
    return;
  }
  if (name !== DEFAULT) move.archive.add('userGroupService', path, { className: XML_SERVICE }, { source });
  names.services.add(name);
  const policy = findText(config, 'passwordPolicyName');
  if (policy !== undefined && policy !== DEFAULT) {
    move.report.add('password-policy-ignored', subject, `The password policy '${policy}' does not apply.`);
  }
  const users = `${ROOT}/${folder}/${findText(config, 'fileName') ?? 'users.xml'}`;
  const root = await move.documents.read(users, ['userRegistry'], 'user');
  if (root === undefined) return;
  for (const user of listItems(root, 'users', 'user')) {
    translateUser(move, { user, service: name, source: users, keys });
  }
  for (const group of listItems(root, 'groups', 'group')) translateGroup(move, group, { service: name, source: users });
}

export function listItems(root: XmlElement, list: string, item: string): readonly XmlElement[] {
  return listChildren(root, list).flatMap((each) => listChildren(each, item));
}

function createAccountPath(service: string, kind: 'user' | 'group', name: string): string {
  return createPath('security', 'usergroup', ...(service === DEFAULT ? [] : ['service', service]), kind, name);
}

interface UserElement {
  readonly user: XmlElement;
  readonly service: string;
  readonly source: string;
  readonly keys: KeyRing;
}

function translateUser(move: Move, { user, service, source: file, keys }: UserElement): void {
  const name = attribute(user, 'name');
  const source = `${file}#${name ?? ''}`;
  if (name !== undefined && builtInUsers.has(name) && service === DEFAULT) {
    const message = `The user '${name}' is built in; its password stays.`;
    move.report.add('user-builtin', { source, kind: 'user' }, message);
    return;
  }
  const target = readTargetName(move, { source, kind: 'user' }, { kind: 'user', name });
  if (name === undefined || target === undefined) return;
  const path = createAccountPath(service, 'user', target);
  const subject = { source, kind: 'user', path };
  const stored = attribute(user, 'password') ?? 'empty:';
  const password = readUserPassword(move, keys.decodeUser(stored, service), subject);
  const enabled = attribute(user, 'enabled') !== 'false' && password !== undefined;
  move.archive.add('user', path, { enabled, ...(password === undefined ? {} : { password }) }, { source });
  if (child(user, 'property') !== undefined) {
    move.report.add('user-properties-ignored', subject, 'The properties of the user are not imported.');
  }
}

/** Undefined for a user who cannot log in. */
function readUserPassword(
  { report, secrets }: Move,
  read: ReturnType<KeyRing['decodeUser']>,
  subject: { readonly source: string; readonly kind: string; readonly path: string },
): Json | undefined {
  const given = secrets.write(subject.path, 'password', undefined);
  if (given !== undefined) return given;
  switch (read.kind) {
    case 'plain':
      return secrets.write(subject.path, 'password', read.password);
    case 'digest':
      report.add('password-digest', subject, 'The first login verifies the old hash and replaces it.');
      return secrets.write(subject.path, 'password', { $hash: read.text });
    case 'empty':
      return undefined;
    case 'unreadable': {
      const remedy = `Pass it with --secrets: {"${subject.path}": {"password": "…"}}.`;
      report.add('password-unreadable', subject, `The user is disabled: ${read.reason}.`, remedy);
      return undefined;
    }
  }
}

function translateGroup(
  move: Move,
  group: XmlElement,
  { service, source: file }: { readonly service: string; readonly source: string },
): void {
  const name = attribute(group, 'name') ?? '';
  const source = `${file}#${name}`;
  const target = readTargetName(move, { source, kind: 'group' }, { kind: 'group', name });
  if (target === undefined) return;
  const path = createAccountPath(service, 'group', target);
  const isEnabled = attribute(group, 'enabled') !== 'false';
  const members = listChildElements(group)
    .flatMap((member) => attribute(member, 'username') ?? [])
    .filter((member) => service !== DEFAULT || !builtInUsers.has(member))
    .map((member) => move.options.renames.get('user', member))
    .filter((member) => move.archive.has(createAccountPath(service, 'user', member)));
  if (!isEnabled) {
    const message = 'Groups cannot be disabled, so the group is imported without members.';
    move.report.add('group-disabled', { source, kind: 'group', path }, message);
  }
  move.archive.add('group', path, { users: isEnabled ? [...new Set(members)].sort() : [] }, { source });
}

/** `name=password,ROLE,…[,disabled]` */
async function translateOldUsers(move: Move, names: AccountNames): Promise<void> {
  const text = await move.documents.readText(OLD_FILE, 'user');
  const holders = new Map<string, string[]>();
  for (const { key: name, value } of readProperties(text ?? '')) {
    const source = `${OLD_FILE}#${name}`;
    const [password = '', ...words] = value.split(',').map((word) => word.trim());
    if (builtInUsers.has(name)) {
      move.report.add('user-builtin', { source, kind: 'user' }, `The user '${name}' is built in; its password stays.`);
      continue;
    }
    const target = readTargetName(move, { source, kind: 'user' }, { kind: 'user', name });
    if (target === undefined) continue;
    const path = createAccountPath(DEFAULT, 'user', target);
    const secret = move.secrets.write(path, 'password', password.replace(/^plain:/, ''));
    const enabled = !words.includes('disabled');
    const fields = { enabled, ...(secret === undefined ? {} : { password: secret }) };
    if (!move.archive.add('user', path, fields, { source })) continue;
    for (const role of words.filter((word) => !['disabled', 'enabled', ''].includes(word))) {
      holders.set(role, [...(holders.get(role) ?? []), target]);
    }
  }
  for (const [role, users] of [...holders].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const target = role === 'ROLE_ADMINISTRATOR' ? 'ADMIN' : role;
    names.roles.set(role, target);
    const path = createPath('security', 'roles', 'role', target);
    move.archive.add('role', path, { users: users.toSorted(), groups: [] }, { source: OLD_FILE });
  }
}
