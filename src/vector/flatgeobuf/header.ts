/** The header of a FlatGeobuf file, and the positions of its index and its features. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { findCrs } from '../../crs/resolve-crs.ts';
import { type Dimension, type GeometryType, geometryTypes } from '../../geometry/geometry.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import type { Problem } from '../../lib/problems/problem.ts';
import { type DataFile, readBytes } from '../support/data-file.ts';
import { createMalformedProblem, createUnsupportedProblem } from '../support/file-problems.ts';
import { type Column, readColumns } from './column-values.ts';
import { FlatTable, MalformedMessageError } from './flat-table.ts';
import { countLevelNodes, NODE_BYTES, type TreeLayout } from './packed-tree.ts';

/** The signature of version 3; a number of the patch follows. */
const MAGIC = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62]);

const LENGTH_BYTES = 4;
const HEADER_AT = 8;

/** About 65,000 columns. */
const MAX_HEADER_BYTES = 8_388_608;

/** The bytes of the headers that one thread keeps parsed, because files are opened for each request. */
const MAX_KEPT_BYTES = 4_194_304;

/** The field numbers of the header and of its CRS. */
const fields = { envelope: 1, type: 2, hasZ: 3, hasM: 4, columns: 7, count: 8, nodeSize: 9, crs: 10 } as const;
const crsFields = { authority: 0, code: 1, wkt: 4, text: 5 } as const;

/** The value of a header without the field. */
const DEFAULT_NODE_SIZE = 16;

export interface Header {
  readonly geometryType: GeometryType;
  readonly dimension: Dimension;
  readonly columns: readonly Column[];
  readonly crs: CrsReference;
  readonly bounds: Bounds | undefined;
  /** Undefined if the header does not contain it. */
  readonly count: number | undefined;
  /** Undefined without an index. */
  readonly tree: TreeLayout | undefined;
  /** The position of the first feature. */
  readonly featuresAt: number;
}

const headers = createLruCache<Header>(MAX_KEPT_BYTES);

export async function readHeader(file: DataFile): Promise<Header> {
  const known = headers.get(file.version);
  if (known !== undefined) return known;
  const start = await readBytes(file, 0, Math.min(file.sizeBytes, HEADER_AT + LENGTH_BYTES));
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) {
    const reason = 'it does not begin with the signature of FlatGeobuf version 3';
    throw createMalformedProblem(file.name, 0, reason);
  }
  const length = start.length < HEADER_AT + LENGTH_BYTES ? file.sizeBytes : start.readUInt32LE(HEADER_AT);
  const position = HEADER_AT + LENGTH_BYTES;
  if (position + length > file.sizeBytes)
    throw createMalformedProblem(file.name, HEADER_AT, 'its header is larger than the file');
  if (length > MAX_HEADER_BYTES) {
    const reason = `its header of ${length} bytes exceeds the limit of ${MAX_HEADER_BYTES} bytes`;
    throw createUnsupportedProblem(file.name, reason);
  }
  const bytes = await readBytes(file, position, length);
  const table = decodeMessage(file, position, () => FlatTable.readRoot(bytes));
  const parts = decodeMessage(file, position, () => parseHeader(file, table, position + length));
  const crs = await readCrs(decodeMessage(file, position, () => readCrsTexts(table.readTable(fields.crs))));
  const header = { ...parts, crs };
  headers.set(file.version, header, length);
  return header;
}

/** Runs a decoder of a message that begins at a position of the file. */
export function decodeMessage<T>(file: DataFile, position: number, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof MalformedMessageError ? toProblem(file, position, error) : error;
  }
}

function toProblem(file: DataFile, position: number, { offset, message }: MalformedMessageError): Problem {
  return createMalformedProblem(file.name, position + offset, message);
}

function parseHeader(file: DataFile, table: FlatTable, treeAt: number): Omit<Header, 'crs'> {
  const columns = readColumns(table.readTables(fields.columns));
  if (new Set(columns.map(({ name }) => name)).size < columns.length)
    throw new MalformedMessageError('two of its columns have the same name');
  const number = table.readByte(fields.type);
  const geometryType = geometryTypes[number];
  if (geometryType === undefined) {
    const reason = `its geometries have the unsupported type ${number}. Convert curves and surfaces to lines and polygons`;
    throw createUnsupportedProblem(file.name, reason);
  }
  const count = Number(table.readLong(fields.count));
  const nodeSize = table.readShort(fields.nodeSize, DEFAULT_NODE_SIZE);
  const hasTree = nodeSize > 0 && count > 0;
  if (count * (hasTree ? NODE_BYTES : LENGTH_BYTES) > file.sizeBytes - treeAt || nodeSize === 1)
    throw new MalformedMessageError('its header declares more features than the file contains');
  const levels = hasTree ? countLevelNodes(count, nodeSize) : [];
  const treeBytes = levels.reduce((sum, nodes) => sum + nodes, 0) * NODE_BYTES;
  if (treeAt + treeBytes > file.sizeBytes) throw new MalformedMessageError('its index is larger than the file');
  const featuresAt = treeAt + treeBytes;
  const isEmpty = featuresAt === file.sizeBytes;
  return {
    geometryType,
    dimension: `XY${table.readByte(fields.hasZ) === 0 ? '' : 'Z'}${table.readByte(fields.hasM) === 0 ? '' : 'M'}`,
    columns,
    bounds: parseBounds(table.readDoubles(fields.envelope)),
    count: count > 0 || isEmpty ? count : undefined,
    tree: hasTree ? { position: treeAt, levels, nodeSize } : undefined,
    featuresAt,
  };
}

function parseBounds(envelope: readonly number[]): Bounds | undefined {
  const [minX, minY, maxX, maxY] = envelope;
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined || envelope.length > 4)
    return undefined;
  return envelope.every(Number.isFinite) && minX <= maxX && minY <= maxY ? { minX, minY, maxX, maxY } : undefined;
}

interface CrsTexts {
  readonly identifier: string | undefined;
  readonly wkt: string | undefined;
}

function readCrsTexts(table: FlatTable | undefined): CrsTexts | undefined {
  if (table === undefined) return undefined;
  const number = table.readInteger(crsFields.code);
  const text = table.readText(crsFields.text) ?? (number > 0 ? String(number) : undefined);
  const identifier = text === undefined ? undefined : `${table.readText(crsFields.authority) ?? 'EPSG'}:${text}`;
  return { identifier, wkt: table.readText(crsFields.wkt) };
}

async function readCrs(texts: CrsTexts | undefined): Promise<CrsReference> {
  const code = texts?.identifier === undefined ? undefined : (await findCrs(texts.identifier))?.code;
  if (code !== undefined) return { code };
  return texts?.wkt === undefined ? {} : { wkt: texts.wkt };
}
