/** Replaces the path of a store by uploaded files. */
import type { Json } from '../../../lib/json/value.ts';
import { formatFilePlace, formatFileUrl } from '../../../lib/text/file-place.ts';
import { isFileFailure } from '../copy/data-copies.ts';
import { createInnerPlace, type DataPlace, outerPlace } from '../copy/data-place.ts';
import { locateFiles } from '../copy/locate-files.ts';
import { type DataForm, listStoreFiles } from '../copy/store-files.ts';
import { FileUnavailableError } from '../source/source.ts';
import type { DataPath } from './data-paths.ts';
import type { Move } from './move.ts';
import type { StoreDocument } from './store-document.ts';

export interface CopiedData {
  readonly url: string;
  readonly files: Json;
}

/** Returns undefined if the data stays where it is; the report then has the reason. */
export async function copyData(
  move: Move,
  { path, subject }: Pick<StoreDocument, 'path' | 'subject'>,
  form: DataForm,
  data: DataPath,
): Promise<CopiedData | undefined> {
  const { copies, rejections } = move.options;
  // The target keeps the files of a store whose features were edited.
  if (copies === undefined || rejections.get(path)?.fields.has('files') === true) return undefined;
  const { report, files } = move;
  const found = findPlace(move, data);
  if (found === undefined) {
    const message = `'${data.url}' is outside of the source and is not copied.`;
    report.add('data-not-copied', subject, message, 'Copy the data to this path on the target, or use --path OLD=NEW.');
    return undefined;
  }
  const { place, path: written } = found;
  const listed = await listStoreFiles(place, form, written);
  if (listed.files.length === 0) {
    if (data.inside === undefined) {
      report.add(
        'data-missing',
        subject,
        `'${written}' does not exist or has no data.`,
        'Copy the data to this place.',
      );
    }
    return undefined;
  }
  if (form === 'geopackage' || form === 'tiles') reportPendingWrites(move, place, written, subject);
  if (data.inside !== undefined) for (const { path: from } of listed.files) files.account(from);
  if (!move.archive.isSelected(path)) return undefined;
  try {
    const stored = await copies.add(path, await locateFiles(place, listed.files));
    return { url: formatUrl(path, listed.main), files: stored };
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    const message = `A file of '${written}' cannot be read: ${error.message}.`;
    const remedy =
      error instanceof FileUnavailableError
        ? 'Copy the data to this place.'
        : 'Make it readable for the user of the command.';
    report.add('data-missing', subject, message, remedy);
    return undefined;
  }
}

function findPlace(
  { files, source }: Move,
  { inside, outside }: DataPath,
): { readonly place: DataPlace; readonly path: string } | undefined {
  if (inside !== undefined) {
    const place = createInnerPlace(files, source);
    return place && { place, path: inside === '.' ? '' : inside };
  }
  return outside === undefined ? undefined : { place: outerPlace, path: outside };
}

/** Changes that a program has not yet written to the main file. */
function reportPendingWrites(
  { report }: Move,
  place: DataPlace,
  path: string,
  subject: StoreDocument['subject'],
): void {
  if (!place.hasFile(`${path}-wal`)) return;
  const message = `Changes in '${path}-wal' that are not yet in '${path}' are not copied.`;
  report.add('data-not-copied', subject, message, 'Close the programs that use the file, and run the command again.');
}

/** `/workspaces/acme/datastores/roads`, `roads.shp` -> `file:data/acme/roads/1/roads.shp`. */
function formatUrl(store: string, main: string): string {
  const [, , workspace = '', , name = ''] = store.split('/').map(decodeURIComponent);
  return formatFileUrl([...formatFilePlace(workspace, name).split('/'), ...main.split('/')]);
}
