/** GeoParquet 1.1 encoder: row groups are written as features arrive, and the metadata follows them. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { Bounds } from '../../crs/bounds.ts';
import { writeProjJson } from '../../crs/projjson/write-projjson.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { GeometryColumn } from './geometry-column.ts';
import { ByteWriter, ParquetWriter, type SchemaElement } from './parquet-writer-library.ts';
import { findColumnForm } from './value-columns.ts';

export const geoParquet: FeatureEncoder = { encode };

/** The size of a row group in memory, before it is encoded; readers skip row groups outside of a box. */
const MAX_GROUP_ROWS = 65_536;
const MAX_GROUP_BYTES = 33_554_432;

/** The size of a page: readers decode whole pages. */
const PAGE_BYTES = 262_144;

/** A value besides its bytes: a position in an array and a number or a reference. */
const VALUE_BYTES = 16;

/** Features that are converted before others get a turn. */
const CONVERTED_AT_ONCE = 500;

async function* encode({ sets }: FeatureCollection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [set, other] = sets;
  if (set === undefined || other !== undefined) throw problem('format-of-one-type', { format: 'GeoParquet' });
  const table = new TableWriter(set);
  for await (const batch of set.batches) {
    for (const [index, feature] of batch.entries()) {
      if (index % CONVERTED_AT_ONCE === 0) {
        await othersFirst();
        signal.throwIfAborted();
      }
      table.add(feature);
      if (table.isFull) yield table.finishGroup();
    }
  }
  yield table.finish(await findWrittenCrs(set));
}

/** Undefined for longitude and latitude, which is the default of the format; null for an unknown system. */
async function findWrittenCrs({ crs }: FeatureSet): Promise<unknown> {
  const definition = await resolveCrs(crs.reference);
  if (definition?.code === 'EPSG:4326') return undefined;
  return (definition && writeProjJson(definition)) ?? null;
}

interface OpenColumn {
  readonly name: string;
  readonly elements: readonly SchemaElement[];
  readonly isGeometry: boolean;
  data: unknown[];
  /** Adds the value of a feature; returns its size in memory. */
  readonly add: (feature: Feature) => number;
}

class TableWriter {
  readonly #columns: readonly OpenColumn[];
  readonly #geometries: readonly GeometryColumn[];
  readonly #primary: string | undefined;
  /** The name of the column with the boxes of the default geometries. */
  readonly #covering: string;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows = 0;
  #groupBytes = 0;

  constructor({ description: { attributes, defaultGeometry } }: FeatureSet) {
    const geometries: GeometryColumn[] = [];
    this.#primary = defaultGeometry;
    this.#covering = createUniqueName(new Set(attributes.map(({ name }) => name.toLowerCase())));
    this.#columns = attributes.flatMap((attribute, place): readonly OpenColumn[] => {
      if (attribute.kind === 'value') return [createValueColumn(attribute.name, place, findColumnForm(attribute.type))];
      const geometry = new GeometryColumn(attribute.name);
      geometries.push(geometry);
      const isPrimary = attribute.name === defaultGeometry;
      return createGeometryColumns(geometry, place, isPrimary ? this.#covering : undefined);
    });
    this.#geometries = geometries;
    const schema = this.#columns.flatMap(({ elements }) => elements);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'schema', num_children: this.#columns.length }, ...schema],
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
      createdBy: 'Graticule',
    });
  }

  get isFull(): boolean {
    return this.#rows >= MAX_GROUP_ROWS || this.#groupBytes >= MAX_GROUP_BYTES;
  }

  add(feature: Feature): void {
    for (const column of this.#columns) this.#groupBytes += column.add(feature);
    this.#rows += 1;
  }

  /** Encodes the rows since the last group. */
  finishGroup(): Uint8Array {
    if (this.#rows > 0) {
      const columnData = this.#columns.map(({ name, data, isGeometry }) => ({
        name,
        data,
        // Geometries are hardly ever equal, and the order of their bytes means nothing.
        ...(isGeometry ? { encoding: 'PLAIN' as const, statistics: false } : {}),
      }));
      // The buffer is in memory, so that nothing is written later.
      void this.#writer.write({ columnData, rowGroupSize: this.#rows, pageSize: PAGE_BYTES });
      for (const column of this.#columns) column.data = [];
      this.#rows = 0;
      this.#groupBytes = 0;
    }
    return this.#takeBytes();
  }

  finish(crs: unknown): Uint8Array {
    const rows = this.finishGroup();
    const [first] = this.#geometries;
    if (first !== undefined) this.#writer.kvMetadata = [{ key: 'geo', value: this.#createMetadata(first.name, crs) }];
    void this.#writer.finish();
    return Buffer.concat([rows, this.#takeBytes()]);
  }

  #createMetadata(firstGeometry: string, crs: unknown): string {
    const describeColumn = (geometry: GeometryColumn) =>
      [geometry.name, geometry.describe(crs, geometry.name === this.#primary ? this.#covering : undefined)] as const;
    return JSON.stringify({
      version: '1.1.0',
      primary_column: this.#primary ?? firstGeometry,
      columns: Object.fromEntries(this.#geometries.map(describeColumn)),
    });
  }

  /** Empties the buffer; positions in the file continue. */
  #takeBytes(): Uint8Array {
    const taken = Buffer.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return taken;
  }
}

function createValueColumn(name: string, place: number, form: ReturnType<typeof findColumnForm>): OpenColumn {
  const { element, convert } = form;
  const column: OpenColumn = {
    name,
    elements: [{ ...element, name }],
    isGeometry: false,
    data: [],
    add({ values }) {
      const value = values[place] ?? null;
      const stored = value === null || (typeof value === 'object' && 'ordinates' in value) ? null : convert(value);
      column.data.push(stored);
      return VALUE_BYTES + (typeof stored === 'string' || stored instanceof Uint8Array ? stored.length : 0);
    },
  };
  return column;
}

/** The geometries, and their boxes if `covering` is the name of a column for them. */
function createGeometryColumns(
  geometry: GeometryColumn,
  place: number,
  covering: string | undefined,
): readonly OpenColumn[] {
  const boxes: OpenColumn = {
    name: covering ?? '',
    elements: [
      { name: covering ?? '', repetition_type: 'OPTIONAL', num_children: 4 },
      ...['xmin', 'ymin', 'xmax', 'ymax'].map(
        (name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' }),
      ),
    ],
    isGeometry: false,
    data: [],
    add: () => 0,
  };
  const column: OpenColumn = {
    name: geometry.name,
    elements: [{ name: geometry.name, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }],
    isGeometry: true,
    data: [],
    add({ values }) {
      const { wkb, box } = geometry.encode(values[place]) ?? {};
      column.data.push(wkb ?? null);
      if (covering !== undefined) boxes.data.push(box === undefined ? null : toCovering(box));
      return 8 * VALUE_BYTES + (wkb?.length ?? 0);
    },
  };
  return covering === undefined ? [column] : [column, boxes];
}

function toCovering({ minX, minY, maxX, maxY }: Bounds) {
  return { xmin: minX, ymin: minY, xmax: maxX, ymax: maxY };
}

function createUniqueName(taken: ReadonlySet<string>): string {
  let name = 'bbox';
  for (let number = 2; taken.has(name); number += 1) name = `bbox${number}`;
  return name;
}
