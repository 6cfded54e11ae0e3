/** Reads the values of a column without lists for chosen rows of a row group. */
import type { DataFile } from '../support/data-file.ts';
import { createMalformedProblem } from '../support/file-problems.ts';
import type { RawValue, RawValues } from './decode-values.ts';
import { type ChunkPages, type DecodedPage, findPages, type PageLocation, readDictionary, readPage } from './pages.ts';
import type { Leaf, RowGroup } from './parquet-footer.ts';

interface OpenPage {
  readonly location: PageLocation;
  readonly decoded: DecodedPage;
  /** The position of the value of each row, -1 for null; absent if all have one. */
  readonly places: Int32Array | undefined;
}

/** Keeps one page decoded: rows are best read in their order. `convert` gets the values of the file. */
export class ColumnReader<T> {
  readonly #file: DataFile;
  readonly #group: RowGroup;
  readonly #leaf: Leaf;
  readonly #convert: (raw: RawValue) => T;
  #chunk: ChunkPages | undefined;
  #dictionary: RawValues | undefined;
  #converted: (T | undefined)[] = [];
  #open: OpenPage | undefined;

  constructor(file: DataFile, group: RowGroup, leaf: Leaf, convert: (raw: RawValue) => T) {
    this.#file = file;
    this.#group = group;
    this.#leaf = leaf;
    this.#convert = convert;
  }

  /** `rows` are numbers within the row group. */
  async readRows(rows: Iterable<number>): Promise<(T | null)[]> {
    const values: (T | null)[] = [];
    for (const row of rows) {
      let page = this.#open;
      if (page === undefined || row < page.location.before || row >= page.location.before + page.location.count) {
        page = await this.#openPage(row);
      }
      const index = row - page.location.before;
      const place = page.places === undefined ? index : (page.places[index] ?? -1);
      values.push(place < 0 ? null : this.#getValue(page.decoded, place));
    }
    return values;
  }

  #getValue({ values, isIndexed }: DecodedPage, place: number): T {
    const raw = values.at(place);
    if (raw === undefined) throw this.#createProblem();
    if (!isIndexed) return this.#convertValue(raw);
    const index = Number(raw);
    let converted = this.#converted[index];
    if (converted === undefined) {
      const entry = this.#dictionary?.at(index);
      if (entry === undefined) throw this.#createProblem();
      converted = this.#convertValue(entry);
      this.#converted[index] = converted;
    }
    return converted;
  }

  #convertValue(raw: RawValue): T {
    try {
      return this.#convert(raw);
    } catch (error) {
      // A number cannot have the value: the type of the column and the encoding of the page can disagree.
      throw error instanceof RangeError ? this.#createProblem('contains an invalid value') : error;
    }
  }

  async #openPage(row: number): Promise<OpenPage> {
    const { codec } = this.#group.chunks[this.#leaf.index] ?? { codec: 'UNCOMPRESSED' as const };
    if (this.#chunk === undefined) {
      this.#chunk = await findPages(this.#file, this.#group, this.#leaf);
      const { dictionary } = this.#chunk;
      if (dictionary !== undefined) this.#dictionary = await readDictionary(this.#file, dictionary, this.#leaf, codec);
    }
    const location = findPage(this.#chunk.pages, row);
    if (location === undefined) throw this.#createProblem();
    const decoded = await readPage(this.#file, location, this.#leaf, codec);
    this.#open = { location, decoded, places: decoded.definition && locate(decoded.definition, this.#leaf) };
    return this.#open;
  }

  #createProblem(reason = 'is incomplete') {
    const offset = this.#open?.location.position ?? 0;
    return createMalformedProblem(this.#file.name, offset, `the column '${this.#leaf.path.join('.')}' ${reason}`);
  }
}

function findPage(pages: readonly PageLocation[], row: number): PageLocation | undefined {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pages[middle]?.before ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return pages[low];
}

function locate(definition: Uint8Array, { maxDefinition }: Leaf): Int32Array {
  const places = new Int32Array(definition.length);
  let next = 0;
  for (let index = 0; index < definition.length; index += 1) {
    const isPresent = definition[index] === maxDefinition;
    places[index] = isPresent ? next : -1;
    if (isPresent) next += 1;
  }
  return places;
}
