/** Deletes the files of removed granules: from the files of the store, or from the folder of the mosaic. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { PurgeTarget } from '../../records/files/purges.ts';
import { getRemoteFileName, parseRemoteUrl } from '../../remote/remote-url.ts';
import { type CoverageStore, getStoreUrl } from '../kinds/coverage-store.ts';
import { listSetTargets } from '../kinds/purged-sets.ts';
import { isMosaic, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import { getUnreachableReason } from '../stores/unreachable-stores.ts';
import { resolveInsideFiles } from '../stores/uploaded-files.ts';
import type { MosaicServices } from './upload-mosaic.ts';

/** Stored paths were checked when they were stored, so the server opens them with its own permissions. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export interface PurgedFiles {
  /** The file set of the store after the change. */
  readonly fileSet: MosaicStore['fileSet'];
  /** The targets that the change no longer uses, to be purged. */
  readonly left: readonly PurgeTarget[];
  /** Must be called after the change: deletes files, which cannot be undone. Returns warnings. */
  finish(): Promise<readonly string[]>;
}

/** Only callers who may use a folder of the server may delete files in it. */
export async function checkMayPurge(
  { pathGate }: MosaicServices,
  principal: Principal,
  store: CoverageStore,
): Promise<void> {
  if (!isMosaic(store) || store.fileSet !== null) return;
  try {
    await pathGate.resolveAllowed(getStoreUrl(store), principal);
  } catch (error) {
    throw error instanceof Problem && error.code === 'path-refused'
      ? problem('purge-refused', { name: store.name, reason: getUnreachableReason(error) })
      : error;
  }
}

/** Removes uploaded files from the store with the change; deletes files in the folder of a mosaic after it. */
export async function purgeFiles(
  services: MosaicServices,
  keeper: FileStoreWriter,
  store: MosaicStore,
  locations: readonly string[],
): Promise<PurgedFiles> {
  if (store.fileSet === null) {
    return { fileSet: null, left: [], finish: () => purgeFolder(services, store, locations) };
  }
  const inside = resolveInsideFiles(store, services.dataDir, getStoreUrl(store)) ?? [];
  const paths = locations.map((location) => [...inside, location].join('/'));
  const isGone = createPictureMatcher(paths);
  const files = await services.files.stored.readSetFiles(store.fileSet);
  const others = files.filter(({ path }) => !isGone(path));
  const isChanged = others.length < files.length;
  return {
    fileSet: isChanged ? await keeper.storeSet([], others) : store.fileSet,
    left: isChanged ? listSetTargets(store) : [],
    finish: async () => [],
  };
}

/** Companion files of images: world files, projections, overviews, statistics. */
const companionPattern = /\.(?:prj|wld|meta|ovr|msk|aux\.xml|(?:tf|tif|tiff|pg|png|jg|jpg|jpeg|gf|gif|bp|bmp)w)$/i;

/** Matches the images themselves and their companion files: `a.tfw`, `a.prj`, `a.tif.ovr`. */
function createPictureMatcher(pictures: readonly string[]): (path: string) => boolean {
  const names = new Set(pictures);
  const stems = new Set(pictures.flatMap((path) => [path, path.replace(/\.[^./]*$/, '')]));
  return (path) => names.has(path) || (companionPattern.test(path) && stems.has(path.replace(companionPattern, '')));
}

/** Deletes files in the folder of the mosaic; files elsewhere belong to the operator and stay. */
export async function purgeFolder(
  { storePaths }: MosaicServices,
  store: MosaicStore,
  locations: readonly string[],
): Promise<readonly string[]> {
  const folder = await storePaths.resolveAllowed(getStoreUrl(store), server).catch(() => undefined);
  if (folder === undefined) return ['The files are kept because the folder of the mosaic is no longer accessible.'];
  const warnings: string[] = [];
  const inFolder: string[] = [];
  for (const location of locations) {
    if (parseRemoteUrl(location) !== undefined) {
      warnings.push(`The file '${getRemoteFileName(location)}' is kept because it is on another server.`);
      continue;
    }
    const path = resolve(folder, location);
    if (path.startsWith(`${folder}/`)) inFolder.push(path);
    else warnings.push(`The file '${basename(path)}' is kept because it is not in the folder of the mosaic.`);
  }
  const isGone = createPictureMatcher(inFolder);
  for (const place of new Set(inFolder.map((path) => dirname(path)))) {
    for (const name of await readdir(place).catch(() => [])) {
      const path = join(place, name);
      if (!isGone(path)) continue;
      try {
        // The path may have become a symbolic link in the meantime: the path gate resolves and checks it.
        if ((await storePaths.resolveAllowed(path, server)) === path) await rm(path, { force: true });
      } catch (error) {
        warnings.push(`The file '${name}' could not be deleted${formatErrorCode(error)}.`);
      }
    }
  }
  return limitSentences(warnings);
}

function formatErrorCode(error: unknown): string {
  const code = findErrorCode(error);
  return code === undefined ? '' : ` (${code})`;
}
