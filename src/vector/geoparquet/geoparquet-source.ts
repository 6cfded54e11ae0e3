/** GeoParquet files behind the vector port: each file is one type, named after the file. */
import { basename } from 'node:path';
import type { Bounds } from '../../crs/bounds.ts';
import { findImpliedBoxes, findImpliedIdentifiers } from '../../filter/implied.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import { mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { FeatureTypeDescription, Selection, SourceQuery, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { type DataFile, openDataFile } from '../support/data-file.ts';
import { compareNames, findTypeFiles, getStem } from '../support/type-files.ts';
import { findGroupBox } from './group-boxes.ts';
import { type RowQuery, readFeatures } from './read-rows.ts';
import { loadRowBoxes } from './row-boxes.ts';
import { type GeoparquetTable, readTable } from './table.ts';

export function openGeoparquetFile(path: string): VectorSource {
  return new GeoparquetSource(async () => new Map([[getStem(basename(path)), path]]));
}

/** Opens all .parquet files directly in a folder. */
export function openGeoparquetFolder(folder: string): VectorSource {
  return new GeoparquetSource(() => findTypeFiles(folder, 'parquet'));
}

/** Files are opened for each call, because they can be replaced in between. */
class GeoparquetSource implements VectorSource {
  readonly #findFiles: () => Promise<ReadonlyMap<string, string>>;
  #isClosed = false;

  constructor(findFiles: () => Promise<ReadonlyMap<string, string>>) {
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
    return this.#use(name, signal, (file, table) => describeTable(file, table, signal));
  };

  read: VectorSource['read'] = (name, { limit }, signal) =>
    this.#read(name, limit === undefined ? {} : { limit }, signal);

  select: NonNullable<VectorSource['select']> = async (of, query, signal) => {
    const name = requireTypeName(of);
    return this.#use(name, signal, async (_, table) => {
      const { rows, remainder } = planQuery(table, query);
      return { batches: this.#read(name, rows, signal), remainder };
    });
  };

  count: NonNullable<VectorSource['count']> = (of, filter, signal) =>
    this.#use(requireTypeName(of), signal, async (_, { footer }) =>
      filter === undefined ? footer.rowCount : undefined,
    );

  close: VectorSource['close'] = async () => {
    this.#isClosed = true;
  };

  async *#read(name: string, rows: RowQuery, signal: AbortSignal) {
    const file = await this.#open(name, signal);
    try {
      yield* readFeatures(file, await readTable(file, name), rows, signal);
    } finally {
      await file.close();
    }
  }

  async #use<T>(
    name: string,
    signal: AbortSignal,
    work: (file: DataFile, table: GeoparquetTable) => Promise<T>,
  ): Promise<T> {
    const file = await this.#open(name, signal);
    try {
      return await work(file, await readTable(file, name));
    } finally {
      await file.close();
    }
  }

  async #open(name: string, signal: AbortSignal): Promise<DataFile> {
    this.#checkOpen(signal);
    const path = (await this.#findFiles()).get(name);
    if (path === undefined) throw problem('vector-type-unknown', { name });
    return openDataFile(path);
  }

  #checkOpen(signal: AbortSignal): void {
    if (this.#isClosed) throw new Error('The GeoParquet source is closed.');
    signal.throwIfAborted();
  }
}

/** SQL views are not supported on files. */
function requireTypeName(of: string | SqlView): string {
  if (typeof of !== 'string') throw new Error('GeoParquet stores do not support SQL views.');
  return of;
}

/** Feature ids and page keys are row numbers from 1. */
function planQuery(
  { name, primary }: GeoparquetTable,
  { filter, sort, start, offset, limit, attributes }: SourceQuery,
): { readonly rows: RowQuery; readonly remainder: Selection['remainder'] } {
  // Page keys are valid in file order only.
  if (start !== undefined && (sort !== undefined || !/^[1-9]\d{0,14}$/.test(start.key)))
    throw problem('page-key-invalid', {});
  const boxes = filter && primary && findImpliedBoxes(filter, primary.name);
  const identifiers = filter && findImpliedIdentifiers(filter);
  const needed = attributes && [
    ...attributes,
    ...(filter === undefined ? [] : listFilterAttributes(filter)),
    ...(sort ?? []).map((key) => key.attribute),
  ];
  const cut = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  const isWhole = filter === undefined && sort === undefined;
  return {
    rows: {
      ...(identifiers === undefined ? {} : { rows: parseRowNumbers(name, identifiers) }),
      ...(boxes === undefined || identifiers !== undefined ? {} : { boxes }),
      ...(start === undefined ? {} : { start: { side: start.side, row: Number(start.key) - 1 } }),
      ...(needed === undefined ? {} : { attributes: needed }),
      ...(isWhole ? cut : {}),
      hasKeys: sort === undefined && (start !== undefined || limit !== undefined),
    },
    remainder: isWhole
      ? {}
      : { ...(filter === undefined ? {} : { filter }), ...(sort === undefined ? {} : { sort }), ...cut },
  };
}

function parseRowNumbers(name: string, identifiers: readonly string[]): readonly number[] {
  const prefix = `${name}.`;
  const numbers = identifiers
    .filter((id) => id.startsWith(prefix) && /^[1-9]\d{0,14}$/.test(id.slice(prefix.length)))
    .map((id) => Number(id.slice(prefix.length)) - 1);
  return [...new Set(numbers)].sort((one, other) => one - other);
}

async function describeTable(
  file: DataFile,
  table: GeoparquetTable,
  signal: AbortSignal,
): Promise<FeatureTypeDescription> {
  const { name, attributes, footer, primary, warnings } = table;
  const bounds = primary && (primary.bounds ?? (await computeBounds(file, table, signal)));
  return {
    name,
    attributes,
    count: footer.rowCount,
    ...(primary === undefined ? {} : { defaultGeometry: primary.name }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** From statistics, or from the geometries of row groups without them. */
async function computeBounds(
  file: DataFile,
  { footer, primary }: GeoparquetTable,
  signal: AbortSignal,
): Promise<Bounds | undefined> {
  let bounds: Bounds | undefined;
  if (primary === undefined) return undefined;
  for (const group of footer.rowGroups) {
    const known = findGroupBox(group, primary);
    bounds = mergeBounds(bounds, known);
    if (known !== undefined) continue;
    const boxes = await loadRowBoxes(file, group, primary, signal);
    for (let at = 0; at < boxes.length; at += 4) {
      const [minX = Number.NaN, minY = 0, maxX = 0, maxY = 0] = boxes.subarray(at, at + 4);
      if (!Number.isNaN(minX)) bounds = mergeBounds(bounds, { minX, minY, maxX, maxY });
    }
  }
  return bounds;
}
