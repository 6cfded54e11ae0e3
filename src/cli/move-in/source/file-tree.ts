/** The files of a source as a tree, and which of them are accounted for. */

export class FileTree {
  readonly #files: readonly string[];
  /** 1 for each file that is accounted for. */
  readonly #accounted: Uint8Array;

  /** The paths are sorted. */
  constructor(files: readonly string[]) {
    this.#files = files;
    this.#accounted = new Uint8Array(files.length);
  }

  has(path: string): boolean {
    return this.findIndex(path) >= 0;
  }

  /** The position of a file; -1 if it does not exist. */
  findIndex(path: string): number {
    const index = this.#findFirst(path);
    return this.#files[index] === path ? index : -1;
  }

  getPath(index: number): string | undefined {
    return this.#files[index];
  }

  /** Marks a file as part of the report. */
  account(path: string): void {
    const index = this.findIndex(path);
    if (index >= 0) this.#accounted[index] = 1;
  }

  accountBelow(folder: string): void {
    const start = folder === '' ? 0 : this.#findFirst(`${folder}/`);
    this.#accounted.fill(1, start, this.#findEnd(folder));
  }

  /** The files that are not accounted for, sorted. */
  get unaccounted(): readonly string[] {
    return this.#files.filter((_, index) => this.#accounted[index] === 0);
  }

  /** All files below a directory; the empty path is the root. */
  listBelow(folder: string): readonly string[] {
    const start = folder === '' ? 0 : this.#findFirst(`${folder}/`);
    return this.#files.slice(start, this.#findEnd(folder));
  }

  /** The names of the files directly in a directory. */
  listFiles(folder: string): readonly string[] {
    const names: string[] = [];
    this.#visit(folder, (name, isFolder) => {
      if (!isFolder) names.push(name);
    });
    return names;
  }

  /** The names of the directories directly in a directory. */
  listFolders(folder: string): readonly string[] {
    const names: string[] = [];
    this.#visit(folder, (name, isFolder) => {
      if (isFolder) names.push(name);
    });
    return names;
  }

  #visit(folder: string, found: (name: string, isFolder: boolean) => void): void {
    const before = folder === '' ? '' : `${folder}/`;
    const end = this.#findEnd(folder);
    let at = this.#findFirst(before);
    while (at < end) {
      const rest = (this.#files[at] ?? '').slice(before.length);
      const slash = rest.indexOf('/');
      found(slash < 0 ? rest : rest.slice(0, slash), slash >= 0);
      at = slash < 0 ? at + 1 : this.#findEnd(`${before}${rest.slice(0, slash)}`);
    }
  }

  /** The index after the last file below a directory. */
  #findEnd(folder: string): number {
    // '0' is the character after '/'.
    return folder === '' ? this.#files.length : this.#findFirst(`${folder}0`);
  }

  /** The index of the first path that is not before a text. */
  #findFirst(text: string): number {
    let low = 0;
    let high = this.#files.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#files[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
