/** Files of numbered rows behind the vector port: each file is one type, named after the file. */
import { basename } from 'node:path';
import { problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import type { Feature, FeatureTypeDescription, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { type DataFile, openDataFile } from './data-file.ts';
import { openRemoteDataFile } from './remote-data-file.ts';
import { planRowQuery, type RowQuery, type RowTable } from './row-query.ts';
import { compareNames, findTypeFiles, getStem } from './type-files.ts';

/** How files of a format are read. */
export interface RowFormat<T extends RowTable> {
  readonly title: string;
  readonly extension: string;
  readTable(file: DataFile, name: string, signal: AbortSignal): Promise<T>;
  describe(file: DataFile, table: T, signal: AbortSignal): Promise<FeatureTypeDescription>;
  countRows(file: DataFile, table: T, signal: AbortSignal): Promise<number>;
  readFeatures(file: DataFile, table: T, rows: RowQuery, signal: AbortSignal): AsyncIterable<readonly Feature[]>;
}

/** Opens a file on another server; without a channel, the source has capabilities only. */
export function openRemoteRowFile<T extends RowTable>(
  format: RowFormat<T>,
  url: string,
  channel: RangeChannel | undefined,
): VectorSource {
  const openFile = async (): Promise<DataFile> => {
    if (channel === undefined) throw new Error('A remote file is read in a thread.');
    return openRemoteDataFile(url, channel);
  };
  return new RowSource(format, async () => new Map([[getStem(getRemoteFileName(url)), url]]), openFile);
}

export function openRowFile<T extends RowTable>(format: RowFormat<T>, path: string): VectorSource {
  return new RowSource(format, async () => new Map([[getStem(basename(path)), path]]));
}

/** Opens all files of the format directly in a folder. */
export function openRowFolder<T extends RowTable>(format: RowFormat<T>, folder: string): VectorSource {
  return new RowSource(format, () => findTypeFiles(folder, format.extension));
}

/** Files are opened for each call, because they can be replaced in between. */
class RowSource<T extends RowTable> implements VectorSource {
  readonly #format: RowFormat<T>;
  readonly #findFiles: () => Promise<ReadonlyMap<string, string>>;
  readonly #openFile: (location: string) => Promise<DataFile>;
  #isClosed = false;

  constructor(
    format: RowFormat<T>,
    findFiles: () => Promise<ReadonlyMap<string, string>>,
    openFile: (location: string) => Promise<DataFile> = openDataFile,
  ) {
    this.#format = format;
    this.#openFile = openFile;
    this.#findFiles = findFiles;
  }

  listTypes: VectorSource['listTypes'] = async (signal) => {
    this.#checkOpen(signal);
    const names = [...(await this.#findFiles()).keys()].sort(compareNames);
    const types: { readonly name: string; readonly hasGeometry: boolean }[] = [];
    for (const name of names)
      types.push(
        await this.#use(name, signal, async (_, table) => ({ name, hasGeometry: table.primary !== undefined })),
      );
    return types;
  };

  describe: VectorSource['describe'] = async (name, signal) => {
    this.#checkOpen(signal);
    if (!(await this.#findFiles()).has(name)) return undefined;
    return this.#use(name, signal, (file, table) => this.#format.describe(file, table, signal));
  };

  read: VectorSource['read'] = (name, { limit }, signal) =>
    this.#read(name, limit === undefined ? {} : { limit }, signal);

  select: NonNullable<VectorSource['select']> = async (of, query, signal) => {
    const name = this.#requireTypeName(of);
    return this.#use(name, signal, async (_, table) => {
      const { rows, remainder } = planRowQuery(table, query);
      return { batches: this.#read(name, rows, signal), remainder };
    });
  };

  count: NonNullable<VectorSource['count']> = (of, filter, signal) =>
    this.#use(this.#requireTypeName(of), signal, async (file, table) =>
      filter === undefined ? this.#format.countRows(file, table, signal) : undefined,
    );

  close: VectorSource['close'] = async () => {
    this.#isClosed = true;
  };

  async *#read(name: string, rows: RowQuery, signal: AbortSignal) {
    const file = await this.#open(name, signal);
    try {
      yield* this.#format.readFeatures(file, await this.#format.readTable(file, name, signal), rows, signal);
    } finally {
      await file.close();
    }
  }

  async #use<R>(name: string, signal: AbortSignal, work: (file: DataFile, table: T) => Promise<R>): Promise<R> {
    const file = await this.#open(name, signal);
    try {
      return await work(file, await this.#format.readTable(file, name, signal));
    } finally {
      await file.close();
    }
  }

  async #open(name: string, signal: AbortSignal): Promise<DataFile> {
    this.#checkOpen(signal);
    const path = (await this.#findFiles()).get(name);
    if (path === undefined) throw problem('vector-type-unknown', { name });
    return this.#openFile(path);
  }

  #checkOpen(signal: AbortSignal): void {
    if (this.#isClosed) throw new Error(`The ${this.#format.title} source is closed.`);
    signal.throwIfAborted();
  }

  /** SQL views are not supported on files. */
  #requireTypeName(of: string | SqlView): string {
    if (typeof of !== 'string') throw new Error(`${this.#format.title} stores do not support SQL views.`);
    return of;
  }
}
