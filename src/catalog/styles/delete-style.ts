/** The end of a style: its layers fall back to others, and its content stays for a later style, or goes too. */
import { checkPrecondition, type Precondition } from '../../lib/precondition.ts';
import type { Principal } from '../../lib/principal.ts';
import type { Catalog, CatalogTransaction } from '../../records/catalog.ts';
import { references } from '../references.ts';
import { refuseBuiltIn } from './change-style.ts';
import { moveFile } from './move-files.ts';
import type { StyleFile } from './style.ts';
import { findFile, findStyle, type StylePlace, stylesWith } from './style-view.ts';
import { refuseUsers } from './styles-of-layers.ts';
import { removeUnusedImages } from './write-content.ts';

export interface StyleDeletion {
  /**
   * What becomes of the content, unless other styles use it: it goes with its images, it stays for a later style that
   * names its file, or it stays under another name, where none finds it by chance.
   */
  readonly content: 'purged' | 'kept' | 'set aside';
  /** Layers that use it fall back to the style of their geometry. */
  readonly recurse: boolean;
  readonly precondition: Precondition;
}

export function deleteStyle(
  catalog: Catalog,
  principal: Principal,
  place: StylePlace,
  { content, recurse, precondition }: StyleDeletion,
): Promise<void> {
  return catalog.change(
    principal,
    `${content === 'purged' ? 'purge' : 'delete'} style ${place.name}`,
    async (transaction) => {
      const view = await findStyle(transaction, place);
      checkPrecondition(precondition, view.version);
      refuseBuiltIn(view, 'deleted');
      if (!recurse) {
        await refuseUsers(transaction, view.style);
      }
      await references.remove(transaction, view.style);
      const { parent, filename } = view.style;
      const isUsed = (await stylesWith(transaction, parent, filename, 1)).length > 0;
      if (view.file === null || isUsed) {
        return;
      }
      if (content === 'set aside') {
        await setAside(transaction, parent, view.file);
      }
      if (content === 'purged') {
        await transaction.removeDeep(view.file.id);
        await removeUnusedImages(transaction, parent, view.file.written ?? { packaged: [], graphics: [] });
      }
    },
  );
}

async function setAside(transaction: CatalogTransaction, parent: string | null, file: StyleFile): Promise<void> {
  let path = `${file.path}.bak`;
  for (let count = 1; (await findFile(transaction, parent, path)) !== undefined; count += 1) {
    path = `${file.path}.bak.${count}`;
  }
  await moveFile(transaction, file, { parent, path });
}
