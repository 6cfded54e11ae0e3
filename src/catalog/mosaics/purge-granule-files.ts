/** Takes away the files of granules that are gone: out of the files of the store, or out of the folder of the mosaic. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Principal, ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { PurgeTarget } from '../../records/files/purges.ts';
import { type CoverageStore, getStoreUrl } from '../kinds/coverage-store.ts';
import { isMosaic, type MosaicStore } from '../mosaic-indexes/mosaic-indexes.ts';
import { getUnreachableReason } from '../stores/unreachable-stores.ts';
import { resolveInsideFiles } from '../stores/uploaded-files.ts';
import type { MosaicServices } from './upload-mosaic.ts';

/** Stored paths were somebody's to name when they were stored; opening them is the server's own doing. */
const server: Principal = { name: 'server', roles: new Set([ROLE_ADMINISTRATOR]) };

export interface PurgedFiles {
  /** What the store has from the change on. */
  readonly fileSet: MosaicStore['fileSet'];
  /** What the change leaves behind, to be purged. */
  readonly left: readonly PurgeTarget[];
  /** Once the change is made: removes what it cannot take back. Gives warnings. */
  finish(): Promise<readonly string[]>;
}

/** The set of files that a store has. */
export function listSetTargets({ fileSet }: Pick<CoverageStore, 'fileSet'>): readonly PurgeTarget[] {
  return fileSet === null ? [] : [{ kind: 'set', hash: fileSet }];
}

/** Whoever may name a folder of the server may have files in it removed, and nobody else. */
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

/** Uploaded files leave the store with the change; files in the folder of a mosaic are removed after it. */
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

/** What lies beside pictures: world files, systems, overviews, statistics. */
const companionPattern = /\.(?:prj|wld|ovr|msk|aux\.xml|(?:tf|tif|tiff|pg|png|jg|jpg|jpeg|gf|gif|bp|bmp)w)$/i;

/** The pictures themselves, and what is called as they are with another ending: `a.tfw`, `a.prj`, `a.tif.ovr`. */
function createPictureMatcher(pictures: readonly string[]): (path: string) => boolean {
  const names = new Set(pictures);
  const stems = new Set(pictures.flatMap((path) => [path, path.replace(/\.[^./]*$/, '')]));
  return (path) => names.has(path) || (companionPattern.test(path) && stems.has(path.replace(companionPattern, '')));
}

/** Files of the operator that lie elsewhere are none of the mosaic's business, and stay. */
export async function purgeFolder(
  { storePaths }: MosaicServices,
  store: MosaicStore,
  locations: readonly string[],
): Promise<readonly string[]> {
  const folder = await storePaths.resolveAllowed(getStoreUrl(store), server).catch(() => undefined);
  if (folder === undefined) return ['The files stay: the folder of the mosaic may not be used any more.'];
  const warnings: string[] = [];
  const inFolder: string[] = [];
  for (const location of locations) {
    const path = resolve(folder, location);
    if (path.startsWith(`${folder}/`)) inFolder.push(path);
    else warnings.push(`The file '${basename(path)}' stays: it is not in the folder of the mosaic.`);
  }
  const isGone = createPictureMatcher(inFolder);
  for (const place of new Set(inFolder.map((path) => dirname(path)))) {
    for (const name of await readdir(place).catch(() => [])) {
      const path = join(place, name);
      if (!isGone(path)) continue;
      try {
        // Whatever has become a link meanwhile leads elsewhere: the gate says where, and whether that may be.
        if ((await storePaths.resolveAllowed(path, server)) === path) await rm(path, { force: true });
      } catch (error) {
        warnings.push(`The file '${name}' could not be removed${formatErrorCode(error)}.`);
      }
    }
  }
  return limitSentences(warnings);
}

function formatErrorCode(error: unknown): string {
  const code = findErrorCode(error);
  return code === undefined ? '' : ` (${code})`;
}
