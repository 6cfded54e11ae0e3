/** Assigns existing file sets of the server to a store: like an upload, but with known data. */
import type { Principal } from '../../lib/identity/principal.ts';
import { formatFilePlace } from '../../lib/text/file-place.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { FileSetId } from '../../records/files/file-sets.ts';
import { insertCoverageStore } from '../coverage-stores/coverage-stores.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { type DataStore, dataStoreKind } from '../kinds/data-store.ts';
import type { Store, StoreFiles } from '../kinds/store.ts';
import { insertDataStore } from '../stores/data-stores.ts';
import { findFilePlace } from '../stores/uploaded-files.ts';
import type { VectorData } from '../stores/vector-data.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';

export interface FileAssignment {
  readonly kind: 'dataStore' | 'coverageStore';
  readonly workspace: string;
  readonly store: string;
  readonly fileSet: FileSetId;
  /** The type of a coverage store; that of a data store follows from its parameters. */
  readonly type: string | null;
  /** The parameters of a new store. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Creates the store if it does not exist. The caller must validate its parameters in the same change. */
export async function assignFiles(
  { catalog, vectorData }: { readonly catalog: Catalog; readonly vectorData: Pick<VectorData, 'getStoreType'> },
  principal: Principal,
  placed: FileAssignment,
): Promise<void> {
  const { store: name, parameters, fileSet } = placed;
  const what = `assign files to store ${name} in ${placed.workspace}`;
  await catalog.change(principal, what, async (transaction) => {
    const workspace = await findWorkspace(transaction, placed.workspace);
    const place = findFilePlace(parameters) ?? formatFilePlace(workspace.name, name);
    if (placed.kind === 'coverageStore') {
      const current = await transaction.find(coverageStoreKind, workspace.id, name);
      if (current !== undefined) {
        await transaction.update(coverageStoreKind, { ...current, ...toStoreFiles(current, fileSet, place) });
        return;
      }
      await insertCoverageStore(transaction, workspace, {
        name,
        draft: {},
        place: { type: placed.type ?? 'GeoTIFF', url: parameters['url'] ?? '' },
        files: { fileSet, filePlace: place },
      });
      return;
    }
    const current: DataStore | undefined = await transaction.find(dataStoreKind, workspace.id, name);
    if (current !== undefined) {
      await transaction.update(dataStoreKind, { ...current, ...toStoreFiles(current, fileSet, place) });
      return;
    }
    const type = vectorData.getStoreType(parameters);
    const files = { fileSet, filePlace: place };
    await insertDataStore(transaction, workspace, { name, draft: {}, type, parameters, sealedParameters: {}, files });
  });
}

/** Returns the new file set at the path that clients already see. */
function toStoreFiles({ filePlace }: Store, fileSet: FileSetId, place: string): StoreFiles {
  return { fileSet, filePlace: filePlace ?? place };
}
