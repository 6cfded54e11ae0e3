/** The folder with the style files of a workspace, which goes with the workspace. */
import type { CatalogTransaction } from '../../records/catalog.ts';
import { styleFileKind } from './style.ts';

/** How many files are looked at together. */
const BATCH = 200;

/** Takes the whole folder of a workspace away that is being deleted. */
export async function removeStyleFiles(
  transaction: CatalogTransaction,
  workspace: { readonly id: string },
): Promise<void> {
  for (;;) {
    const files = await transaction.findByKey(styleFileKind, 'folder', workspace.id, BATCH);
    if (files.length === 0) {
      return;
    }
    for (const file of files) {
      await transaction.removeDeep(file.id);
    }
  }
}
