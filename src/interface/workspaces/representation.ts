/** The documents for workspaces. */

import type { WorkspaceContents } from '../../catalog/workspaces/workspace-contents.ts';
import type { ListedWorkspace } from '../../catalog/workspaces/workspaces.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { Workspace } from '../../records/workspace.ts';
import { buildWorkspacePage } from './page.ts';

const { text, flag, map, timestamp, collectionLink } = createFieldBuilders<Workspace>();

export const workspaceDocument = defineDocument(
  'workspace',
  {
    name: text((workspace) => workspace.name, {
      required: true,
      description: 'Must be unique; also the prefix of the namespace.',
    }),
    metadata: map((workspace) => workspace.metadata, {
      description: 'Metadata by key.',
      example: { owner: 'Roads department' },
    }),
    isolated: flag((workspace) => workspace.isolated, {
      description: 'Whether the namespace may share its URI with others.',
      example: false,
    }),
    dateCreated: timestamp((workspace) => workspace.createdAtMs),
    dateModified: timestamp((workspace) =>
      workspace.modifiedAtMs === workspace.createdAtMs ? undefined : workspace.modifiedAtMs,
    ),
    dataStores: collectionLink((workspace) => ['workspaces', workspace.name, 'datastores']),
    coverageStores: collectionLink((workspace) => ['workspaces', workspace.name, 'coveragestores']),
    wmsStores: collectionLink((workspace) => ['workspaces', workspace.name, 'wmsstores']),
    wmtsStores: collectionLink((workspace) => ['workspaces', workspace.name, 'wmtsstores']),
  },
  { title: (workspace) => `Workspace ${workspace.name}` },
);

/** The entry of a workspace; its page also lists the first of its contents. */
export const workspacePage: DocumentWriter<Workspace | WorkspaceContents> = {
  root: workspaceDocument.root,
  schema: workspaceDocument.schema,
  write(shown) {
    if (!('workspace' in shown)) {
      return workspaceDocument.write(shown);
    }
    const written = workspaceDocument.write(shown.workspace);
    return { ...written, page: { writeContent: (context) => buildWorkspacePage(written.node, shown, context) } };
  },
};

/** The document of PUT /workspaces/default: only the name is read. */
export const defaultWorkspaceDocument = defineDocument(
  'workspace',
  { name: text((workspace) => workspace.name, { required: true, description: 'New default workspace.' }) },
  { title: (workspace) => `Workspace ${workspace.name}`, partOf: workspaceDocument, schemaName: 'DefaultWorkspace' },
);

export const workspaceListing = createListWriter<ListedWorkspace>('workspaces', {
  itemName: 'workspace',
  title: 'Workspaces',
  name: ({ name }) => name,
  path: ({ name }) => ['workspaces', name],
  note: ({ isDefault }) => (isDefault ? 'default' : undefined),
});
