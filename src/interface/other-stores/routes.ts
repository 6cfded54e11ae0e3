/** The stores of other kinds that workspaces link to: there are none yet, so that each list is empty. */
import { findWorkspace } from '../../catalog/workspaces/workspaces.ts';
import { listing } from '../../http/documents/listing.ts';
import type { RouteTable } from '../../http/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/principal.ts';
import { family, get, type Services } from '../services.ts';

const kinds = [
  { collection: 'wmsstores', itemName: 'wmsStore', title: 'WMS stores', what: 'stores of cascaded WMS servers' },
  { collection: 'wmtsstores', itemName: 'wmtsStore', title: 'WMTS stores', what: 'stores of cascaded WMTS servers' },
] as const;

export function otherStoreRoutes(): RouteTable<Services> {
  return family(
    'Other stores',
    {
      description: 'Stores of other servers. None can be made yet: the lists are empty.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    kinds.map(({ collection, itemName, title, what }) =>
      get(
        `/workspaces/:workspace/${collection}`,
        `List the ${what} of a workspace`,
        {
          answers: listing<{ readonly name: string; readonly workspace: string }>(`${itemName}s`, {
            itemName,
            title,
            name: ({ name }) => name,
            path: ({ name, workspace }) => ['workspaces', workspace, collection, name],
          }),
          role: WORKSPACE_ADMINISTRATOR,
          problems: ['workspace-unknown', 'no-default-workspace'],
        },
        async ({ services, params }) => {
          await findWorkspace(services.catalog, params.workspace);
          return { resource: [] };
        },
      ),
    ),
  );
}
