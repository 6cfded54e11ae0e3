/** Collects the paths of an archive, and detects paths that are equal on some file systems. */
import { toFileNameKey } from '../../lib/text/file-name.ts';

interface Claim {
  /** The first spelling. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Whether it is an entry itself, or only a parent of one. */
  readonly isEntry: boolean;
}

export class ClaimedPaths {
  readonly #claims = new Map<string, Claim>();

  /** Claims a path and its parents; returns the reason if that is impossible. */
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
      return `it conflicts with '${known.path}' on file systems that do not distinguish the two names`;
    }
    if (known.kind !== kind) {
      return 'it is both a file and a folder';
    }
    if (known.isEntry && isEntry) {
      return 'it occurs twice';
    }
    if (isEntry) {
      this.#claims.set(key, { ...known, isEntry });
    }
    return undefined;
  }
}
