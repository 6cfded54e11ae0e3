/** Fonts that administrators upload: files of the global style folder, which every node reads. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Catalog } from '../../records/catalog.ts';
import { isFontName } from '../kinds/style.ts';
import type { StyleServices } from '../styles/style-services.ts';
import { deleteStyleFile, putStyleFile, type SentFile } from './style-files.ts';

export interface FontWrite {
  /** The file name, with its extension. */
  readonly name: string;
  readonly body: SentFile;
  readonly precondition: Precondition;
}

export function putFont(
  catalog: Catalog,
  services: StyleServices,
  principal: Principal,
  { name, body, precondition }: FontWrite,
): Promise<{ readonly isNew: boolean; readonly warnings: readonly string[] }> {
  checkFontName(name, 'stored as a font');
  const place = { kind: 'styles', workspace: null, path: name } as const;
  return putStyleFile(catalog, services, principal, { place, body, precondition, strict: true });
}

export async function deleteFont(
  catalog: Catalog,
  principal: Principal,
  name: string,
  precondition: Precondition,
): Promise<void> {
  checkFontName(name, 'deleted as a font');
  await deleteStyleFile(catalog, principal, { kind: 'styles', workspace: null, path: name }, precondition);
}

function checkFontName(name: string, action: string): void {
  if (isFontName(name)) return;
  const reason = 'its extension is not that of a font (.ttf, .otf, .woff)';
  throw problem('resource-kind', { path: toPrintableFileName(name), reason, action });
}
