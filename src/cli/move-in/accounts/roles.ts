/** Translates the roles of the active role service. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildren } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findText } from '../read/values.ts';
import { type Move, readTargetName } from '../translate/move.ts';
import { type AccountNames, builtInUsers } from './account-names.ts';
import { listItems } from './users.ts';

const ROOT = 'security/role';
const XML_SERVICE = 'org.geoserver.security.xml.XMLRoleService';

/** `active` is the name of the role service that the server uses. */
export async function translateRoles(move: Move, active: string | undefined, names: AccountNames): Promise<void> {
  for (const folder of move.files.listFolders(ROOT)) await translateService(move, folder, { active, names });
}

async function translateService(
  move: Move,
  folder: string,
  { active, names }: { readonly active: string | undefined; readonly names: AccountNames },
): Promise<void> {
  const source = `${ROOT}/${folder}/config.xml`;
  const config = await move.documents.readAny(source, 'role');
  const name = (config && findText(config, 'name')) ?? folder;
  const className = (config && findText(config, 'className')) ?? '';
  const isActive = active === undefined || active === name;
  if (config === undefined || className !== XML_SERVICE || !isActive) {
    move.files.accountBelow(`${ROOT}/${folder}`);
    const type = className.slice(className.lastIndexOf('.') + 1) || 'unknown';
    const message = isActive
      ? `Role services of the type '${type}' are not supported.`
      : `The role service '${name}' is not the active one.`;
    move.report.add('role-service-unsupported', { source, kind: 'role' }, message, 'Grant the roles on the target.');
    return;
  }
  const file = `${ROOT}/${folder}/${findText(config, 'fileName') ?? 'roles.xml'}`;
  const root = await move.documents.read(file, ['roleRegistry'], 'role');
  if (root === undefined) return;
  addRoleNames(move, root, file, { config, names });
  const parents = new Map(
    listItems(root, 'roleList', 'role').map((role) => [attribute(role, 'id') ?? '', attribute(role, 'parentID') ?? '']),
  );
  const users = collectHolders(move, root, { kind: 'user', parents, file });
  const groups = collectHolders(move, root, { kind: 'group', parents, file });
  for (const [role, target] of names.roles) {
    const fields = { users: listSorted(users.get(role)), groups: listSorted(groups.get(role)) };
    const isBuiltIn = target === 'ADMIN' || target === 'GROUP_ADMIN';
    if (isBuiltIn && fields.users.length + fields.groups.length === 0) continue;
    move.archive.add('role', createPath('security', 'roles', 'role', target), fields, { source: `${file}#${role}` });
  }
}

function listSorted(names: ReadonlySet<string> | undefined): readonly string[] {
  return [...(names ?? [])].sort();
}

function addRoleNames(
  move: Move,
  root: XmlElement,
  file: string,
  { config, names }: { readonly config: XmlElement; readonly names: AccountNames },
): void {
  const administrator = findText(config, 'adminRoleName');
  const groupAdministrator = findText(config, 'groupAdminRoleName');
  for (const role of listItems(root, 'roleList', 'role')) {
    const name = attribute(role, 'id');
    const source = `${file}#${name ?? ''}`;
    if (name !== undefined && name === administrator) names.roles.set(name, 'ADMIN');
    else if (name !== undefined && name === groupAdministrator) names.roles.set(name, 'GROUP_ADMIN');
    else {
      const target = readTargetName(move, { source, kind: 'role' }, { kind: 'role', name });
      if (name !== undefined && target !== undefined) names.roles.set(name, target);
    }
    if (child(role, 'property') !== undefined) {
      move.report.add(
        'user-properties-ignored',
        { source, kind: 'role' },
        'The properties of the role are not imported.',
      );
    }
  }
}

interface HolderKind {
  readonly kind: 'user' | 'group';
  /** The parent of each role; empty for none. */
  readonly parents: ReadonlyMap<string, string>;
  readonly file: string;
}

/** The users or groups of each role; holders of a role also have its ancestors. */
function collectHolders(
  { report, options }: Move,
  root: XmlElement,
  { kind, parents, file }: HolderKind,
): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const assignment of listItems(root, `${kind}List`, `${kind}Roles`)) {
    const name = attribute(assignment, kind === 'user' ? 'username' : 'groupname');
    if (name === undefined || (kind === 'user' && builtInUsers.has(name))) continue;
    const target = options.renames.get(kind, name);
    for (const reference of listChildren(assignment, 'roleRef')) {
      const seen = new Set<string>();
      for (
        let role = attribute(reference, 'roleID') ?? '';
        role !== '' && !seen.has(role);
        role = parents.get(role) ?? ''
      ) {
        if (seen.size > 0) {
          const message = `The ${kind} '${name}' receives the role '${role}' directly, as roles have no parents.`;
          report.add('role-hierarchy-flattened', { source: `${file}#${name}`, kind: 'role' }, message);
        }
        seen.add(role);
        const known = holders.get(role) ?? new Set<string>();
        holders.set(role, known.add(target));
      }
    }
  }
  return holders;
}
