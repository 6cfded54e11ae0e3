/**
 * An archive of vector tiles behind the vector port: each layer is a type. Features are the parts of shapes in single
 * tiles of the zoom that fits a query, in Web Mercator.
 */
import type { Bounds } from '../../crs/bounds.ts';
import { convertDegreesToMercator } from '../../crs/web-mercator.ts';
import { findImpliedBoxes, findImpliedIdentifiers } from '../../filter/implied.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, Feature, FeatureTypeDescription, SourceQuery, Value, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { compareNames } from '../support/type-files.ts';
import { chooseTiles } from './choose-zoom.ts';
import { type DecodedLayer, decodeFeature, decodeLayers, type TileValue } from './decode-tile.ts';
import { type ArchivedTilePosition, type TileArchive, TileArchiveError } from './model/tile-archive.ts';
import { unpackTile } from './model/unpack-tile.ts';
import { readStoredLayer } from './stored-layer.ts';
import { WEB_MERCATOR } from './tile-crs.ts';
import { createTileGeometry } from './tile-geometry.ts';
import { type ArchiveType, listArchiveTypes } from './tile-types.ts';

const BATCH_FEATURES = 1_000;

export interface VectorArchiveParts {
  /** For messages. */
  readonly fileName: string;
  readonly openArchive: () => TileArchive;
}

/** The tiles to read. */
interface TileSelection {
  readonly boxes?: readonly Bounds[];
  readonly resolution?: number;
  /** Only these features. */
  readonly identifiers?: readonly string[];
}

/** The archive is opened for each call, because the file can be replaced in between. */
export class TileArchiveSource implements VectorSource {
  readonly hasLevels = true;
  readonly #parts: VectorArchiveParts;
  #isClosed = false;

  constructor(parts: VectorArchiveParts) {
    this.#parts = parts;
  }

  listTypes: VectorSource['listTypes'] = async (signal) =>
    this.#use(signal, (archive) =>
      listArchiveTypes(archive)
        .map(({ name }) => ({ name, hasGeometry: true }))
        .sort((one, other) => compareNames(one.name, other.name)),
    );

  describe: VectorSource['describe'] = async (name, signal) =>
    this.#use(signal, (archive) => {
      const type = listArchiveTypes(archive).find((each) => each.name === name);
      return type && describeType(type, archive);
    });

  read: VectorSource['read'] = (name, { limit }, signal) => this.#read(name, {}, limit, signal);

  select: NonNullable<VectorSource['select']> = async (of, query, signal) => {
    const name = requireTypeName(of);
    if (query.start !== undefined) throw problem('page-key-invalid', {});
    const { filter, sort, offset, limit, resolution } = query;
    const type = this.#use(signal, (archive) => findType(archive, name));
    const boxes = filter && findImpliedBoxes(filter, type.geometry);
    const identifiers = filter && findImpliedIdentifiers(filter);
    const isLimited = filter === undefined && sort === undefined && offset === undefined;
    const selection = {
      ...(boxes === undefined ? {} : { boxes }),
      ...(resolution === undefined ? {} : { resolution }),
      ...(identifiers === undefined ? {} : { identifiers }),
    };
    const remainder: SourceQuery = {
      ...(filter === undefined ? {} : { filter }),
      ...(sort === undefined ? {} : { sort }),
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined || isLimited ? {} : { limit }),
    };
    return { batches: this.#read(name, selection, isLimited ? limit : undefined, signal), remainder };
  };

  tile: NonNullable<VectorSource['tile']> = async (of, wanted, signal) =>
    this.#use(signal, (archive) => readStoredLayer(archive, findType(archive, requireTypeName(of)), wanted));

  close: VectorSource['close'] = async () => {
    this.#isClosed = true;
  };

  async *#read(
    name: string,
    selection: TileSelection,
    limit: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Feature[]> {
    const archive = this.#open(signal);
    try {
      let left = limit ?? Number.POSITIVE_INFINITY;
      for (const batch of this.#convertErrors(() => readBatches(archive, findType(archive, name), selection))) {
        signal.throwIfAborted();
        const fitting = batch.length > left ? batch.slice(0, left) : batch;
        left -= fitting.length;
        if (fitting.length > 0) yield fitting;
        if (left <= 0) return;
      }
    } catch (error) {
      throw this.#toProblem(error);
    } finally {
      archive.close();
    }
  }

  #use<T>(signal: AbortSignal, work: (archive: TileArchive) => T): T {
    const archive = this.#open(signal);
    try {
      return this.#convertErrors(() => work(archive));
    } finally {
      archive.close();
    }
  }

  #open(signal: AbortSignal): TileArchive {
    if (this.#isClosed) throw new Error('The source of a tile archive is closed.');
    signal.throwIfAborted();
    return this.#convertErrors(() => {
      const archive = this.#parts.openArchive();
      if (archive.info.format === 'mvt') return archive;
      archive.close();
      throw new TileArchiveError('its tiles are images; create a coverage store for it', { isUnsupported: true });
    });
  }

  #convertErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#toProblem(error);
    }
  }

  #toProblem(error: unknown): unknown {
    if (!(error instanceof TileArchiveError)) return error;
    return problem(error.isUnsupported ? 'vector-file-unsupported' : 'vector-file-unreadable', {
      file: this.#parts.fileName,
      reason: error.message,
    });
  }
}

/** SQL views are not supported on files. */
function requireTypeName(of: string | SqlView): string {
  if (typeof of !== 'string') throw new Error('Tile archives do not support SQL views.');
  return of;
}

function findType(archive: TileArchive, name: string): ArchiveType {
  const type = listArchiveTypes(archive).find((each) => each.name === name);
  if (type === undefined) throw problem('vector-type-unknown', { name });
  return type;
}

function describeType(
  { name, description, geometry, geometryType, fields }: ArchiveType,
  { info }: TileArchive,
): FeatureTypeDescription {
  const attributes: Attribute[] = [
    { name: geometry, nillable: false, kind: 'geometry', type: geometryType, dimension: 'XY', crs: WEB_MERCATOR },
    ...fields.map((field): Attribute => ({ ...field, nillable: true, kind: 'value' })),
  ];
  const text = description ?? info.description;
  return {
    name,
    ...(text === undefined ? {} : { description: text }),
    ...(info.attribution === undefined ? {} : { attribution: info.attribution }),
    attributes,
    defaultGeometry: geometry,
    bounds: convertDegreesToMercator(info.bounds),
    tileZooms: { min: info.minZoom, max: info.maxZoom },
  };
}

function* readBatches(
  archive: TileArchive,
  type: ArchiveType,
  selection: TileSelection,
): Generator<readonly Feature[]> {
  let batch: Feature[] = [];
  for (const position of listPositions(archive, type, selection)) {
    const stored = archive.readTile(position);
    if (stored === undefined || stored.bytes.length === 0) continue;
    for (const layer of decodeLayers(unpackTile(stored), (name) => name === type.name)) {
      for (const feature of readFeatures(type, layer, position)) {
        batch.push(feature);
        if (batch.length < BATCH_FEATURES) continue;
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

function* listPositions(
  { info }: TileArchive,
  type: ArchiveType,
  { identifiers, ...area }: TileSelection,
): Generator<ArchivedTilePosition> {
  const seen = new Set<string>();
  if (identifiers !== undefined) {
    for (const identifier of identifiers) {
      const position = parseIdentifier(identifier, type);
      if (position === undefined || seen.has(formatPosition(position))) continue;
      seen.add(formatPosition(position));
      yield position;
    }
    return;
  }
  const { zoom, ranges } = chooseTiles(info, convertDegreesToMercator(info.bounds), area);
  for (const { minColumn, maxColumn, minRow, maxRow } of ranges) {
    for (let row = minRow; row <= maxRow; row += 1) {
      for (let column = minColumn; column <= maxColumn; column += 1) {
        const position = { zoom, column, row };
        if (ranges.length > 1) {
          if (seen.has(formatPosition(position))) continue;
          seen.add(formatPosition(position));
        }
        yield position;
      }
    }
  }
}

function formatPosition({ zoom, column, row }: ArchivedTilePosition): string {
  return `${zoom}-${column}-${row}`;
}

/** Ids contain the tile and the number of the feature in it, such as `roads.14-8500-5700-3`. */
function parseIdentifier(identifier: string, { name }: ArchiveType): ArchivedTilePosition | undefined {
  if (!identifier.startsWith(`${name}.`)) return undefined;
  const [, zoom, column, row] =
    /^(\d{1,2})-(\d{1,10})-(\d{1,10})-\d{1,10}$/.exec(identifier.slice(name.length + 1)) ?? [];
  const position = { zoom: Number(zoom), column: Number(column), row: Number(row) };
  const count = 2 ** position.zoom;
  return position.column < count && position.row < count ? position : undefined;
}

function* readFeatures(type: ArchiveType, layer: DecodedLayer, position: ArchivedTilePosition): Generator<Feature> {
  const isMultiple = type.geometryType !== 'Geometry';
  const places = new Map(type.fields.map(({ name }, index) => [name, index]));
  /** The position of the value of each key; undefined for keys that the metadata does not contain. */
  const columns = layer.keys.map((key) => places.get(key));
  for (const [index, bytes] of layer.features.entries()) {
    const decoded = decodeFeature(bytes);
    const geometry = decoded && createTileGeometry(decoded, layer.extent, { position, isMultiple });
    if (decoded === undefined || geometry === undefined) continue;
    const values: (Value | Geometry)[] = [geometry, ...type.fields.map(() => null)];
    for (let at = 0; at + 1 < decoded.tags.length; at += 2) {
      const column = columns[decoded.tags[at] ?? -1];
      const field = column === undefined ? undefined : type.fields[column];
      if (column === undefined || field === undefined) continue;
      values[column + 1] = convertValue(layer.values[decoded.tags[at + 1] ?? -1], field.type);
    }
    yield { id: `${type.name}.${formatPosition(position)}-${index}`, values };
  }
}

/** A value of another type than declared is null, unless it has a text. */
function convertValue(value: TileValue | undefined, type: ArchiveType['fields'][number]['type']): Value {
  if (value === undefined) return null;
  if (type === 'string') return String(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
