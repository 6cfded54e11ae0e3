/** Adds a new main file to the existing companion files: a mapping to its schemas and other mappings. */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatFileUrl } from '../../lib/text/file-place.ts';
import type { SetFile } from '../../records/files/file-sets.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { convertMissingFileError, resolveInsideFiles } from '../stores/uploaded-files.ts';
import type { StagedData } from './stage-upload.ts';
import type { UploadContext } from './upload.ts';

/** Returns undefined if the upload contains everything. */
export async function joinCompanions(
  { services, request, staged, staging }: UploadContext,
  store: DataStore | undefined,
): Promise<{ readonly staged: StagedData; readonly others: readonly SetFile[] } | undefined> {
  const { pathParameters: [parameter = ''] = [], uploads } = request.driver;
  const fileSet = store?.fileSet ?? null;
  const [file] = staged.files ?? [];
  if (store === undefined || fileSet === null || uploads.isMapping !== true || staged.isArchive || file === undefined) {
    return undefined;
  }
  const written = store.parameters[parameter] ?? '';
  const inside = resolveInsideFiles(store, services.dataDir, written);
  if (inside === undefined) {
    return undefined;
  }
  const root = join(staging, 'companions');
  const path = join(root, ...inside);
  const { files } = services;
  // An earlier attempt may have left other files.
  await rm(root, { recursive: true, force: true });
  const present = await convertMissingFileError(files.stored.readSetFiles(fileSet), written);
  await convertMissingFileError(files.copySet(fileSet, root), written);
  const copies = uploads.copiesFolder;
  if (copies !== undefined) await rm(join(root, copies), { recursive: true, force: true });
  await copyFile(file.file, path);
  const main = inside.join('/');
  return {
    staged: {
      ...staged,
      path,
      root,
      files: [{ ...file, path: main }],
      formatLocation: (place) => formatFileUrl([...place.split('/'), ...inside]),
    },
    others: present.filter((each) => each.path !== main && !each.path.startsWith(`${copies}/`)),
  };
}
