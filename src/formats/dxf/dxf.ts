/** DXF drawings of release 14: a layer for each query, geometries as entities or as blocks. */
import { join } from 'node:path';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { DxfOptions, FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { readScratchFile, ScratchFile, type ScratchFolders, withScratchFolder } from '../writing/scratch.ts';
import { TextWriter } from '../writing/text-writer.ts';
import { isEmptyGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';
import { writeZip } from '../writing/zip-stream.ts';
import { type AttributeColumn, formatDefinitions, listAttributeColumns, writeAttributes } from './attribute-block.ts';
import {
  ENTITIES_HEAD,
  FIRST_HANDLE,
  FRAME_END,
  formatBlockBegin,
  formatBlockEnd,
  formatBlockRecord,
  MODEL_SPACE,
  writeBlocksHead,
  writeFrameHead,
} from './dxf-frame.ts';
import { createDxfName, formatGroups } from './dxf-groups.ts';
import { formatEntityHead, writeEntities } from './entities.ts';

/** White or black, red, blue, green, magenta, cyan, grey: they differ on light and dark backgrounds. */
const DEFAULT_COLORS = [7, 1, 5, 3, 6, 4, 8];

const COMMENT = 999;

export function createDxfEncoder(world: ScratchFolders): FeatureEncoder {
  return { encode: (collection, signal) => encodeDrawing(collection, world, signal) };
}

export function createZippedDxfEncoder(world: ScratchFolders): FeatureEncoder {
  return {
    encode: async function* (collection, signal) {
      const name = `${createDxfName(collection.sets[0]?.typeName.local ?? '', new Set()).toLowerCase()}.dxf`;
      const pieces = encodeDrawing(collection, world, signal);
      try {
        // An error of the source precedes the archive.
        const first = await pieces.next();
        const content = async function* (): AsyncGenerator<Uint8Array> {
          if (first.done !== true) yield first.value;
          yield* pieces;
        };
        yield* writeZip([{ name, content, isLarge: true }], collection.timeStamp);
      } finally {
        // Not awaited, because a source that does not respond does not end either.
        pieces.return(undefined).catch(() => undefined);
      }
    },
  };
}

function encodeDrawing(
  collection: FeatureCollection,
  world: ScratchFolders,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const drawing = new Drawing(collection, signal);
  if (collection.options.dxf?.isAsBlocks !== true) return drawing.writeAsEntities();
  return withScratchFolder(world, (folder) => drawing.writeAsBlocks(folder));
}

interface DrawnSet {
  readonly set: FeatureSet;
  /** The position of the default geometry among the values. */
  readonly place: number;
  readonly layer: string;
  /** The block of attributes, if they are requested. */
  readonly attributes?: {
    readonly layer: string;
    readonly block: string;
    readonly record: string;
    readonly columns: readonly AttributeColumn[];
  };
}

class Drawing {
  readonly #options: DxfOptions;
  readonly #signal: AbortSignal;
  readonly #out: TextWriter;
  readonly #head: string;
  readonly #sets: readonly DrawnSet[];
  #lastHandle = FIRST_HANDLE;
  #omittedFeatures = 0;
  #cutTexts = 0;

  constructor({ sets, options }: FeatureCollection, signal: AbortSignal) {
    this.#options = options.dxf ?? {};
    this.#signal = signal;
    this.#out = new TextWriter(options.decimals);
    const { layers: titles = [], colors = DEFAULT_COLORS, lineTypes = [], hasAttributes = false } = this.#options;
    const taken = new Set(['0']);
    const lineTypeNames = new Set(['BYBLOCK', 'BYLAYER', 'CONTINUOUS']);
    const namedTypes = lineTypes.map((each) => ({ ...each, name: createDxfName(each.name, lineTypeNames) }));
    this.#sets = sets.map((set, index) => this.#describeSet(set, { title: titles[index], taken, hasAttributes }));
    this.#head = writeFrameHead({
      lineTypes: namedTypes,
      layers: this.#sets.flatMap(({ layer, attributes }, index) =>
        [layer, ...(attributes === undefined ? [] : [attributes.layer])].map((name) => ({
          name,
          color: colors[index % colors.length] ?? 7,
          lineType: namedTypes[index % Math.max(1, namedTypes.length)]?.name ?? 'CONTINUOUS',
        })),
      ),
      allocate: this.#allocate,
    });
  }

  readonly #allocate = (): string => {
    this.#lastHandle += 1;
    return this.#lastHandle.toString(16).toUpperCase();
  };

  #describeSet(
    set: FeatureSet,
    wish: { readonly title: string | undefined; readonly taken: Set<string>; readonly hasAttributes: boolean },
  ): DrawnSet {
    const { attributes, defaultGeometry } = set.description;
    const layer = createDxfName(wish.title ?? set.typeName.local, wish.taken);
    const place = attributes.findIndex(({ name, kind }) => kind === 'geometry' && name === defaultGeometry);
    if (!wish.hasAttributes) return { set, place, layer };
    const name = createDxfName(`${layer.slice(0, 20)}_ATTRIBUTES`, wish.taken);
    const columns = listAttributeColumns(attributes);
    return { set, place, layer, attributes: { layer: name, block: name, record: this.#allocate(), columns } };
  }

  /** The features become entities as they are read. */
  async *writeAsEntities(): AsyncGenerator<Uint8Array> {
    const out = this.#out;
    out.writeRaw(this.#head);
    out.writeRaw(this.#formatAttributeRecords());
    out.writeRaw(writeBlocksHead(this.#allocate));
    out.writeRaw(this.#formatAttributeBlocks());
    out.writeRaw(ENTITIES_HEAD);
    for (const drawn of this.#sets) {
      for await (const batch of drawn.set.batches) {
        for (const feature of batch) {
          const geometry = this.#findGeometry(feature, drawn);
          if (geometry === undefined) continue;
          writeEntities(out, geometry, { layer: drawn.layer, owner: MODEL_SPACE, allocate: this.#allocate });
          yield* this.#drain();
          this.#writeAttributes(feature, geometry, drawn);
          yield* this.#drain();
        }
        this.#signal.throwIfAborted();
      }
    }
    out.writeRaw(this.#formatComments());
    out.writeRaw(FRAME_END);
    yield out.flush();
  }

  /** The records of all blocks precede the blocks, so blocks wait in a file until they are counted. */
  async *writeAsBlocks(folder: string): AsyncGenerator<Uint8Array> {
    const blocks = await ScratchFile.create(join(folder, 'blocks'));
    const inserts = await ScratchFile.create(join(folder, 'inserts')).catch(async (error: unknown) => {
      await blocks.close();
      throw error;
    });
    let count = 0;
    try {
      for (const drawn of this.#sets) {
        for await (const batch of drawn.set.batches) {
          for (const feature of batch) {
            const geometry = this.#findGeometry(feature, drawn);
            if (geometry === undefined) continue;
            count += 1;
            await this.#spoolBlock(
              geometry,
              { name: nameBlock(count), record: formatRecordHandle(count) },
              drawn,
              blocks,
            );
            this.#writeInsert(nameBlock(count), drawn.layer);
            this.#writeAttributes(feature, geometry, drawn);
            await this.#spool(inserts);
          }
          this.#signal.throwIfAborted();
        }
      }
      await blocks.flush();
      await inserts.flush();
    } finally {
      await blocks.close();
      await inserts.close();
    }
    const out = this.#out;
    out.writeRaw(this.#head);
    out.writeRaw(this.#formatAttributeRecords());
    for (let number = 1; number <= count; number += 1) {
      out.writeRaw(formatBlockRecord(nameBlock(number), formatRecordHandle(number)));
      yield* this.#drain();
    }
    out.writeRaw(writeBlocksHead(this.#allocate));
    out.writeRaw(this.#formatAttributeBlocks());
    yield out.flush();
    yield* readScratchFile(blocks.path, this.#signal);
    yield Buffer.from(ENTITIES_HEAD);
    yield* readScratchFile(inserts.path, this.#signal);
    yield Buffer.from(`${this.#formatComments()}${FRAME_END}`);
  }

  *#drain(): Generator<Uint8Array> {
    while (this.#out.isFull) {
      this.#signal.throwIfAborted();
      yield this.#out.flush();
    }
  }

  async #spool(file: ScratchFile): Promise<void> {
    for (const piece of this.#drain()) {
      file.append(piece);
      if (file.isFull) await file.flush();
    }
    file.append(this.#out.flush());
    if (file.isFull) await file.flush();
  }

  async #spoolBlock(
    geometry: Geometry,
    { name, record }: { readonly name: string; readonly record: string },
    { layer }: DrawnSet,
    file: ScratchFile,
  ): Promise<void> {
    this.#out.writeRaw(formatBlockBegin({ name, record, layer, handle: this.#allocate() }));
    writeEntities(this.#out, geometry, { layer, owner: record, allocate: this.#allocate });
    this.#out.writeRaw(formatBlockEnd({ record, layer, handle: this.#allocate() }));
    await this.#spool(file);
  }

  #writeInsert(name: string, layer: string): void {
    const head = formatEntityHead('INSERT', { layer, owner: MODEL_SPACE, allocate: this.#allocate });
    this.#out.writeRaw(`${head}100\nAcDbBlockReference\n2\n${name}\n10\n0\n20\n0\n30\n0\n`);
  }

  #writeAttributes(feature: Feature, geometry: Geometry, { attributes }: DrawnSet): void {
    if (attributes === undefined) return;
    const { layer, block, columns } = attributes;
    const target = { layer, owner: MODEL_SPACE, allocate: this.#allocate };
    this.#cutTexts += writeAttributes(this.#out, feature, { block, columns, geometry, target });
  }

  /** Features without a geometry cannot be drawn. */
  #findGeometry({ values }: Feature, { place }: DrawnSet): Geometry | undefined {
    const geometry = toWritableGeometry(values[place]);
    if (geometry !== null && !isEmptyGeometry(geometry)) return geometry;
    this.#omittedFeatures += 1;
    return undefined;
  }

  /** Comments of what the drawing lacks; headers precede the features and cannot count it. */
  #formatComments(): string {
    return formatGroups([
      ...(this.#omittedFeatures === 0
        ? []
        : [[COMMENT, `Features without a geometry, which are omitted: ${this.#omittedFeatures}`] as const]),
      ...(this.#cutTexts === 0
        ? []
        : [[COMMENT, `Texts above 255 characters, which end with "...": ${this.#cutTexts}`] as const]),
    ]);
  }

  #formatAttributeRecords(): string {
    return this.#sets
      .map(({ attributes }) => (attributes === undefined ? '' : formatBlockRecord(attributes.block, attributes.record)))
      .join('');
  }

  #formatAttributeBlocks(): string {
    return this.#sets
      .map(({ attributes }) => {
        if (attributes === undefined) return '';
        const { layer, block, record, columns } = attributes;
        return [
          formatBlockBegin({ name: block, record, layer, handle: this.#allocate() }),
          formatDefinitions(columns, { layer, owner: record, allocate: this.#allocate }),
          formatBlockEnd({ record, layer, handle: this.#allocate() }),
        ].join('');
      })
      .join('');
  }
}

function nameBlock(number: number): string {
  return `FEATURE_${number}`;
}

/** Computed from the number, so that a million records need no memory; other handles are smaller. */
function formatRecordHandle(number: number): string {
  return (FIRST_RECORD_HANDLE + number).toString(16).toUpperCase();
}

const FIRST_RECORD_HANDLE = 0x8000_0000;
