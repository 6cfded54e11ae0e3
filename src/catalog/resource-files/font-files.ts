/** Fonts that administrators upload: files of the global style folder, which every node reads. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import type { Catalog } from '../../records/catalog.ts';
import { FONT_EXTENSIONS, findFontExtension, isFontName } from '../../styling/fonts/font-file.ts';
import type { StyleServices } from '../styles/style-services.ts';
import { MAX_FONT_BYTES } from '../styles/uploaded-fonts.ts';
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

export interface FontCreation extends Omit<FontWrite, 'name'> {
  /** The file name; null to use the name of the font. */
  readonly name: string | null;
}

/** Stores a font under its file name, or under the name of the font. */
export async function postFont(
  catalog: Catalog,
  services: StyleServices,
  principal: Principal,
  { name: fileName, body, precondition }: FontCreation,
): Promise<{ readonly name: string; readonly isNew: boolean; readonly warnings: readonly string[] }> {
  const bytes = await body.bytes(MAX_FONT_BYTES);
  const name = fileName ?? (await composeFileName(services, bytes));
  const read: SentFile = { contentType: body.contentType, bytes: async () => bytes };
  return { name, ...(await putFont(catalog, services, principal, { name, body: read, precondition })) };
}

async function composeFileName({ work }: StyleServices, bytes: Uint8Array): Promise<string> {
  const {
    faces: [first],
  } = await work.describeFont('font', bytes);
  const base = (first?.face.fullName ?? '').replaceAll(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${base === '' ? 'font' : base}${findFontExtension(bytes)}`;
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
  const reason = `its extension is not that of a font (${FONT_EXTENSIONS})`;
  throw problem('resource-kind', { path: toPrintableFileName(name), reason, action });
}
