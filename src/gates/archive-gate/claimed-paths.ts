/** Remembers the paths of an archive, and notices two that some file system takes for one. */
import { toFileNameKey } from '../../lib/text/file-name.ts';

interface Claim {
  /** As it was written first. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Whether an entry of its own says so, or only the path of another one. */
  readonly isEntry: boolean;
}

export class ClaimedPaths {
  readonly #claims = new Map<string, Claim>();

  /** Claims a path and the folders above it; gives the reason why that cannot be. */
  claim(parts: readonly string[], kind: 'file' | 'folder'): string | undefined {
    for (let length = 1; length < parts.length; length += 1) {
      const objection = this.#add(parts.slice(0, length), 'folder', false);
      if (objection !== undefined) {
        return objection;
      }
    }
    return this.#add(parts, kind, true);
  }

  #add(parts: readonly string[], kind: 'file' | 'folder', isEntry: boolean): string | undefined {
    const path = parts.join('/');
    const key = toFileNameKey(path);
    const known = this.#claims.get(key);
    if (known === undefined) {
      this.#claims.set(key, { path, kind, isEntry });
      return undefined;
    }
    if (known.path !== path) {
      return `'${known.path}' is there already, and some systems cannot tell the two apart`;
    }
    if (known.kind !== kind) {
      return 'it is a file and a folder at the same time';
    }
    if (known.isEntry && isEntry) {
      return 'it is there twice';
    }
    if (isEntry) {
      this.#claims.set(key, { ...known, isEntry });
    }
    return undefined;
  }
}
