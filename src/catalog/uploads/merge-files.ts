/** Merges the files of an upload into those of a folder store: only files of the same name are replaced. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { toFileNameKey } from '../../lib/text/file-name.ts';
import { formatFileUrl } from '../../lib/text/file-place.ts';
import type { SetFile } from '../../records/files/file-sets.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import { BlobMissing } from '../../storage/blobs/port.ts';
import type { UploadDriver, UploadRules } from '../../vector/port/driver.ts';
import type { DataStore } from '../kinds/data-store.ts';
import { resolveInsideFiles } from '../stores/uploaded-files.ts';
import type { StagedData } from './stage-upload.ts';
import type { UploadContext } from './upload.ts';

/** The files of a store after an upload. */
export interface MergedFiles {
  readonly files: readonly StagedFile[];
  /** Files of the store that stay. */
  readonly others: readonly SetFile[];
  /** Types whose data is deleted or damaged, judging by the file names. */
  readonly removed: readonly string[];
  /** Returns the URL of the data for files at this path. */
  formatLocation(place: string): string;
  /** The encoding in the parameters of the store; undefined to detect it from the files. */
  readonly charset: string | undefined;
  readonly warnings: readonly string[];
}

/** Returns undefined if there is nothing to merge with: then the upload replaces all data. */
export async function mergeFiles(
  { services, request, staged, staging }: UploadContext,
  store: DataStore | undefined,
): Promise<MergedFiles | undefined> {
  const rules = request.driver.uploads;
  if (store === undefined || staged.files === undefined || rules.store !== 'folder') {
    return undefined;
  }
  const folder = findDataFolder(store, services.dataDir, request.driver);
  const present = folder === undefined ? [] : await listStoreFiles(services.files.stored, store);
  if (folder === undefined || present.length === 0) {
    return undefined;
  }
  const merged = mergeFileLists(present, { folder, staged, stagedFiles: staged.files, rules });
  const isShared = merged.others.some((file) => isMainFile(file.path, folder, rules));
  const wanted = request.charset ?? undefined;
  const current = store.parameters['charset'];
  const isOther = isShared && wanted !== undefined && wanted !== current;
  return {
    ...merged,
    files:
      isOther && current === undefined && rules.isPartOf !== undefined
        ? await addCodePages(merged.files, { folder, rules, charset: wanted, staging })
        : merged.files,
    charset: isShared ? current : (wanted ?? current),
    formatLocation: (place) => `${formatFileUrl([...place.split('/'), ...splitFolder(folder)])}/`,
    warnings:
      isOther && current !== undefined
        ? [`The store reads all its files as ${current}, so charset=${wanted} has no effect.`]
        : [],
  };
}

/** Returns the folder of the data within the store's files; undefined for external data. */
function findDataFolder(
  store: DataStore,
  dataDir: string,
  { pathParameters = [], uploads: { format } }: UploadDriver,
): string | undefined {
  const inside = resolveInsideFiles(store, dataDir, store.parameters[pathParameters[0] ?? ''] ?? '');
  const path = inside?.join('/');
  return path === undefined ? undefined : path.toLowerCase().endsWith(`.${format}`) ? getFolder(path) : path;
}

/** A lost file set has no files to keep. */
async function listStoreFiles(
  kept: UploadContext['services']['files']['stored'],
  { fileSet }: DataStore,
): Promise<readonly SetFile[]> {
  try {
    return fileSet === null ? [] : await kept.readSetFiles(fileSet);
  } catch (error) {
    if (error instanceof BlobMissing) {
      return [];
    }
    throw error;
  }
}

function mergeFileLists(
  present: readonly SetFile[],
  {
    folder,
    staged,
    stagedFiles,
    rules,
  }: {
    readonly folder: string;
    readonly staged: StagedData;
    readonly stagedFiles: readonly StagedFile[];
    readonly rules: UploadRules;
  },
): Pick<MergedFiles, 'files' | 'others' | 'removed'> {
  const from = staged.folder === '' ? '' : `${staged.folder}/`;
  const files = stagedFiles
    .filter(({ path }) => path.startsWith(from))
    .map((file) => ({ ...file, path: joinFolder(folder, file.path.slice(from.length)) }));
  const mains = files.filter(({ path }) => isMainFile(path, folder, rules)).map(({ path }) => basename(path));
  const taken = new Set(files.map(({ path }) => toFileNameKey(path)));
  const foldersTaken = new Set(files.flatMap(({ path }) => listParentFolders(path)).map(toFileNameKey));
  const isReplaced = ({ path }: SetFile): boolean =>
    (getFolder(path) === folder && mains.some((main) => rules.isPartOf?.(basename(path), main) ?? false)) ||
    foldersTaken.has(toFileNameKey(path)) ||
    [path, ...listParentFolders(path)].some((each) => taken.has(toFileNameKey(each)));
  const others = present.filter((file) => !isReplaced(file));
  const replaced = present.filter(isReplaced);
  const removed = replaced
    .filter(({ path }) => isMainFile(path, folder, rules))
    .map(({ path }) => getTypeName(path))
    .filter((type) => !mains.some((main) => getTypeName(main) === type));
  // A stray `kantone.dbf` beside `linien.shp` would give `kantone.shp` a table that may not be its own.
  const strays = [...files, ...replaced].filter(({ path }) => getFolder(path) === folder);
  const spoilt = others.filter(
    (main) =>
      isMainFile(main.path, folder, rules) &&
      strays.some((stray) => rules.isPartOf?.(basename(stray.path), basename(main.path)) ?? false),
  );
  return { files, others, removed: [...removed, ...spoilt.map(({ path }) => getTypeName(path))] };
}

/** Adds code page files for uploads with another encoding, since the store parameter would apply to all files. */
async function addCodePages(
  files: readonly StagedFile[],
  {
    folder,
    rules,
    charset,
    staging,
  }: { readonly folder: string; readonly rules: UploadRules; readonly charset: string; readonly staging: string },
): Promise<readonly StagedFile[]> {
  const mains = files.filter(({ path }) => isMainFile(path, folder, rules));
  const isCodePage = ({ path }: StagedFile): boolean =>
    getFolder(path) === folder &&
    path.toLowerCase().endsWith('.cpg') &&
    mains.some((main) => rules.isPartOf?.(basename(path), basename(main.path)) ?? false);
  const file = join(staging, 'code-page');
  // The file of an earlier attempt may already belong to a file set.
  await rm(file, { force: true });
  await writeFile(file, charset);
  const codePages = mains.map(({ path }) => ({
    path: joinFolder(folder, `${getTypeName(path)}.cpg`),
    file,
    bytes: Buffer.byteLength(charset),
  }));
  return [...files.filter((each) => !isCodePage(each)), ...codePages];
}

function isMainFile(path: string, folder: string, { format }: UploadRules): boolean {
  return getFolder(path) === folder && path.toLowerCase().endsWith(`.${format}`) && !basename(path).startsWith('.');
}

function getTypeName(path: string): string {
  return basename(path).replace(/\.[^.]*$/, '');
}

function joinFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function getFolder(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

function splitFolder(folder: string): readonly string[] {
  return folder.split('/').filter((part) => part !== '');
}

function listParentFolders(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
