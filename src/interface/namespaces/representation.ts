/** The documents for namespaces, which are views of workspaces. */

import type { ListedWorkspace } from '../../catalog/workspaces/workspaces.ts';
import { defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { Workspace } from '../../records/workspace.ts';

const { text, flag } = createFieldBuilders<Workspace>();

const formatTitle = (workspace: Workspace) => `Namespace ${workspace.name}`;

export const namespaceDocument = defineDocument(
  'namespace',
  {
    prefix: text((workspace) => workspace.name, {
      required: true,
      description: 'Must be unique; also the name of the workspace.',
    }),
    uri: text((workspace) => workspace.uri, {
      required: true,
      description: 'Must be unique among namespaces that are not isolated.',
      example: 'http://acme.example/roads',
    }),
    isolated: flag((workspace) => workspace.isolated),
  },
  { title: formatTitle },
);

/** The document of PUT /namespaces/default: only the prefix is read. */
export const defaultNamespaceDocument = defineDocument(
  'namespace',
  { prefix: text((workspace) => workspace.name, { required: true, description: 'New default namespace.' }) },
  { title: formatTitle, partOf: namespaceDocument, schemaName: 'DefaultNamespace' },
);

export const namespaceListing = createListWriter<ListedWorkspace>('namespaces', {
  itemName: 'namespace',
  title: 'Namespaces',
  name: ({ name }) => name,
  path: ({ name }) => ['namespaces', name],
  note: ({ isDefault }) => (isDefault ? 'default' : undefined),
});
