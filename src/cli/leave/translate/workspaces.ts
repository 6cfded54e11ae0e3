/** Writes workspaces with their namespaces, and the default workspace. */
import { createPath } from '../archive/exported-configuration.ts';
import { createId, getName, type Leaving, omitFields } from './leaving.ts';

/** Folders of a workspace with another content than a store. */
const reservedNames = ['styles', 'layergroups'];

export function writeWorkspaces(leaving: Leaving): void {
  leaving.reserveName('workspaces', 'default.xml');
  for (const workspace of leaving.list('workspace')) {
    const name = getName(workspace);
    const folder = `workspaces/${leaving.chooseName('workspaces', name, workspace.path)}`;
    for (const reserved of reservedNames) leaving.reserveName(folder, reserved);
    leaving.folders.set(workspace.path, folder);
    const { namespaceUri = null, isolated = false } = workspace.fields;
    leaving.addDocument(workspace, `${folder}/workspace.xml`, 'workspace', {
      id: createId('WorkspaceInfoImpl', workspace.path),
      name,
      ...omitFields(workspace.fields, 'namespaceUri'),
    });
    leaving.addFile(`${folder}/namespace.xml`, 'namespace', {
      id: createId('NamespaceInfoImpl', workspace.path),
      prefix: name,
      uri: namespaceUri,
      isolated,
    });
  }
  for (const standard of leaving.list('defaultWorkspace')) {
    const { name = null } = standard.fields;
    if (typeof name !== 'string') continue;
    const path = createPath('workspaces', name);
    leaving.addDocument(standard, 'workspaces/default.xml', 'workspace', {
      id: createId('WorkspaceInfoImpl', path),
      name,
    });
  }
}
