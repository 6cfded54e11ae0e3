/** The operations of a batch that publish tables of a store. */
import { rest } from '../../../rest/client.ts';
import { toStoreName } from '../publish/datasets.ts';

export function createPublishOperations(workspace: string, store: string, tables: readonly string[]) {
  return tables.map((nativeName) => ({
    method: 'POST',
    path: rest`/workspaces/${workspace}/datastores/${store}/featuretypes`,
    // Names of layers have fewer characters than those of tables.
    body: { featureType: { name: toStoreName(nativeName), nativeName } },
  }));
}

/** For the description of the change, which is in English like those of the server. */
export function countLayers(count: number): string {
  return count === 1 ? '1 layer' : `${count} layers`;
}
