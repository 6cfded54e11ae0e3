/** Checks that this node has the files that stores refer to, and finds files on the disk of a single node. */
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import { type Store, toAnyStoreKind } from '../../catalog/kinds/store.ts';
import { findEditedFile } from '../../catalog/stores/edited-file.ts';
import type { NodeFiles } from '../../catalog/stores/node-files.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import type { Nodes } from '../../storage/nodes/nodes.ts';
import type { RecordPaths } from './check-records.ts';
import type { Findings } from './diagnosis.ts';

export interface NodeFilesCheckInput {
  readonly catalog: CatalogReader;
  readonly nodeFiles: Pick<NodeFiles, 'listMissing'>;
  readonly nodes: Pick<Nodes, 'list'>;
}

const kinds = [toAnyStoreKind(dataStoreKind), toAnyStoreKind(coverageStoreKind)];

export async function checkNodeFiles(
  { catalog, nodeFiles, nodes }: NodeFilesCheckInput,
  findings: Findings,
  places: RecordPaths,
  signal: AbortSignal,
): Promise<void> {
  const here = (await nodes.list()).find(({ isHere }) => isHere)?.name ?? '';
  for (const kind of kinds) {
    for await (const stores of catalog.readAll(kind)) {
      for (const store of stores) {
        signal.throwIfAborted();
        const wrong = findNodeFileProblem(store, await nodeFiles.listMissing(store), here);
        if (wrong !== undefined) findings.add('nodes', { place: await places.getPath(store), ...wrong });
      }
    }
  }
}

function findNodeFileProblem(store: Store, missing: readonly string[], node: string) {
  const edited = findEditedFile(store);
  if (edited !== undefined) {
    const state = missing.length > 0 ? 'does not have it' : 'has it';
    const message = `The edited features of the store '${store.name}' are in the file '${edited}' on the disk of one node, not in shared storage; the node '${node}' ${state}. Upload the file from the node that has it to the store (PUT /workspaces/{workspace}/datastores/{store}/file.gpkg), or import it into a PostGIS store.`;
    return { code: 'file-on-one-node', message };
  }
  const [file] = missing;
  if (file === undefined) return undefined;
  const message = `The node '${node}' does not have the file '${file}' of the store '${store.name}'. Mount its folder on every node, or upload the file to the store.`;
  return { code: 'file-missing-on-node', message };
}
