/** Namespaces as documents: the other face of workspaces. */

import type { ListedWorkspace } from '../../catalog/workspaces/workspaces.ts';
import { document } from '../../http/documents/document.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import { listing } from '../../http/documents/listing.ts';
import type { Workspace } from '../../records/workspace.ts';

const { text, flag } = fieldsOf<Workspace>();

const formatTitle = (workspace: Workspace) => `Namespace ${workspace.name}`;

export const namespaceDocument = document(
  'namespace',
  {
    prefix: text((workspace) => workspace.name, {
      required: true,
      description: 'Unique; also the name of the workspace.',
    }),
    uri: text((workspace) => workspace.uri, {
      required: true,
      description: 'Unique among those not isolated.',
      example: 'http://acme.example/roads',
    }),
    isolated: flag((workspace) => workspace.isolated),
  },
  { title: formatTitle },
);

/** What PUT /namespaces/default takes: only the prefix counts. */
export const defaultNamespaceDocument = document(
  'namespace',
  { prefix: text((workspace) => workspace.name, { required: true, description: 'The new default namespace.' }) },
  { title: formatTitle, partOf: namespaceDocument, schemaName: 'DefaultNamespace' },
);

export const namespaceListing = listing<ListedWorkspace>('namespaces', {
  itemName: 'namespace',
  title: 'Namespaces',
  name: ({ name }) => name,
  path: ({ name }) => ['namespaces', name],
  note: ({ isDefault }) => (isDefault ? 'default' : undefined),
});
