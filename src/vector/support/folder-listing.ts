/** The names in a folder, kept for a moment: each layer of a directory of shapefiles looks for its files. */
import type { Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compareNames, getStem, isTypeFile, listDirectory } from './type-files.ts';

/** An import describes thousands of layers in a row; afterwards the memory is needed elsewhere. */
const KEPT_MS = 5_000;

/** File systems round times to two seconds at most, so a change shortly after an earlier one may not show. */
const SETTLED_MS = 3_000;

export class FolderListing {
  readonly entries: readonly Dirent[];
  #byName: ReadonlyMap<string, readonly Dirent[]> | undefined;

  constructor(entries: readonly Dirent[]) {
    this.entries = entries;
  }

  /** Returns the entries with this name in any case. */
  findInAnyCase(name: string): readonly Dirent[] {
    this.#byName ??= Map.groupBy(this.entries, (entry) => entry.name.toLowerCase());
    return this.#byName.get(name.toLowerCase()) ?? [];
  }
}

interface KeptListing {
  readonly directory: string;
  readonly version: string;
  readonly listing: FolderListing;
}

/** Lists a folder again only if it has changed. */
export class FolderLister {
  readonly #now: () => number;
  #kept: KeptListing | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async list(directory: string): Promise<FolderListing> {
    // An error, such as a missing folder, is reported by the listing.
    const state = await stat(directory, { bigint: true }).catch(() => undefined);
    if (state === undefined) return new FolderListing(await listDirectory(directory));
    const version = [state.dev, state.ino, state.mtimeNs, state.ctimeNs].join(' ');
    const kept = this.#kept;
    if (kept?.directory === directory && kept.version === version) return kept.listing;
    const listing = new FolderListing(await listDirectory(directory));
    if (this.#now() - Number(state.ctimeMs) >= SETTLED_MS) this.#keep({ directory, version, listing });
    return listing;
  }

  #keep(kept: KeptListing): void {
    this.#kept = kept;
    const release = () => {
      if (this.#kept === kept) this.#kept = undefined;
    };
    setTimeout(release, KEPT_MS).unref();
  }
}

/** Returns the file of one type, the same as `findTypeFiles`. */
export async function findTypeFile(
  listing: FolderListing,
  directory: string,
  { name, extension }: { readonly name: string; readonly extension: string },
): Promise<string | undefined> {
  const candidates = listing.findInAnyCase(`${name}.${extension}`).filter((entry) => getStem(entry.name) === name);
  if (candidates.length === 0) return undefined;
  const root = await realpath(directory);
  for (const entry of candidates.toSorted((a, b) => compareNames(a.name, b.name))) {
    if (await isTypeFile(entry, { directory, root, extension })) return join(directory, entry.name);
  }
  return undefined;
}
