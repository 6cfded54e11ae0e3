/**
 * Exchange files behind the vector port: each is one type named after the file, and is read completely to infer its
 * types.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { FeatureTypeDescription, TypeSummary, VectorSource } from '../port/port.ts';
import { openDataFile, readBytes } from '../support/data-file.ts';
import { findTypeFiles, getStem } from '../support/type-files.ts';
import { readCsv } from './csv.ts';
import { readGeoJson } from './geojson.ts';
import type { InterchangeFormat } from './interchange-formats.ts';
import { readKml } from './kml.ts';
import { inferTypes, MalformedFileError, type RawTable, type TypedTable } from './raw-features.ts';

/** A file and its features are in memory while it is read; larger data belongs in a database. */
const MAX_BYTES = 268_435_456;

const BATCH_FEATURES = 1_000;

/** Opens one file, or all files directly in a folder. */
export async function openInterchange(
  path: string,
  format: InterchangeFormat,
  charset: string | undefined,
): Promise<VectorSource> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder
    ? createMultiFileSource(await findTypeFiles(path, format), (file) => openInterchangeFile(file, format, charset))
    : openInterchangeFile(path, format, charset);
}

/** Combines several files to one source that holds one file in memory at a time. */
function createMultiFileSource(files: ReadonlyMap<string, string>, open: (file: string) => VectorSource): VectorSource {
  let current: { readonly file: string; readonly source: VectorSource } | undefined;

  async function openSource(file: string): Promise<VectorSource> {
    if (current?.file !== file) {
      await current?.source.close();
      current = { file, source: open(file) };
    }
    return current.source;
  }

  return {
    async listTypes(signal) {
      const types: TypeSummary[] = [];
      for (const file of files.values()) types.push(...(await (await openSource(file)).listTypes(signal)));
      return types;
    },
    async describe(wanted, signal) {
      const file = files.get(wanted);
      return file === undefined ? undefined : (await openSource(file)).describe(wanted, signal);
    },
    async *read(wanted, query, signal) {
      const file = files.get(wanted);
      if (file === undefined) throw problem('vector-type-unknown', { name: wanted });
      yield* (await openSource(file)).read(wanted, query, signal);
    },
    close: async () => current?.source.close(),
  };
}

export function openInterchangeFile(
  path: string,
  format: InterchangeFormat,
  charset: string | undefined,
): VectorSource {
  const name = getStem(basename(path));
  let known: { readonly stamp: string; readonly table: TypedTable; readonly warnings: readonly string[] } | undefined;

  /** Reads the file again only if it has changed. */
  async function loadTable(signal: AbortSignal) {
    const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
    signal.throwIfAborted();
    const stamp = `${mtimeMs} ${size}`;
    if (known?.stamp !== stamp) {
      const raw = await readTable(path, format, charset);
      known = { stamp, table: inferTypes(raw), warnings: raw.warnings ?? [] };
    }
    return known;
  }

  return {
    async listTypes(signal) {
      const found = await loadTable(signal);
      return [{ name, hasGeometry: found.table.defaultGeometry !== undefined }];
    },
    async describe(wanted, signal) {
      if (wanted !== name) return undefined;
      const { table: found, warnings } = await loadTable(signal);
      return describeTable(name, found, warnings);
    },
    async *read(wanted, query, signal) {
      if (wanted !== name) throw problem('vector-type-unknown', { name: wanted });
      const { count, createFeature } = (await loadTable(signal)).table;
      const end = Math.min(count, query.limit ?? count);
      for (let at = 0; at < end; at += BATCH_FEATURES) {
        signal.throwIfAborted();
        yield Array.from({ length: Math.min(end - at, BATCH_FEATURES) }, (_, index) => createFeature(at + index));
      }
    },
    close: async () => {
      known = undefined;
    },
  };
}

async function readTable(path: string, format: InterchangeFormat, charset: string | undefined): Promise<RawTable> {
  const file = await openDataFile(path);
  let bytes: Buffer = Buffer.alloc(0);
  try {
    if (file.sizeBytes > MAX_BYTES) {
      const reason = `its size of ${file.sizeBytes} bytes exceeds the limit of ${MAX_BYTES} bytes`;
      throw problem('vector-file-unsupported', { file: file.name, reason });
    }
    bytes = await readBytes(file, 0, file.sizeBytes);
    return await parse(bytes, format, charset);
  } catch (error) {
    if (error instanceof MalformedFileError)
      throw problem('vector-file-malformed', { file: file.name, offset: error.offset, reason: error.message });
    if (error instanceof Problem && error.code === 'text-undecodable') {
      const encoding = String(error.details['charset']);
      const reason = `it is not text in the encoding '${encoding}'. Save the file as UTF-8`;
      throw problem('vector-file-malformed', { file: file.name, offset: findUndecodable(bytes, encoding), reason });
    }
    throw error;
  } finally {
    await file.close();
  }
}

const SEARCHED_BYTES = 65_536;

/** Returns where the first character that is not valid in the encoding begins; 0 if the encoding is unknown. */
function findUndecodable(bytes: Buffer, encoding: string): number {
  let [at, start] = [0, 0];
  for (const step of [SEARCHED_BYTES, 1]) {
    try {
      const decoder = new TextDecoder(encoding, { fatal: true });
      decoder.decode(bytes.subarray(0, at), { stream: true });
      start = at;
      for (; at < bytes.length; at += step)
        // Nothing is returned within a character.
        if (decoder.decode(bytes.subarray(at, at + step), { stream: true }) !== '') start = at + step;
    } catch {
      // The next step is smaller.
    }
  }
  return start;
}

function parse(bytes: Buffer, format: InterchangeFormat, charset: string | undefined): RawTable | Promise<RawTable> {
  switch (format) {
    case 'geojson':
      return readGeoJson(decodeText(bytes, charset, false));
    case 'kml':
      return readKml(decodeText(bytes, charset, true));
    case 'csv':
      return readCsv(decodeText(bytes, charset, false));
  }
}

function describeTable(name: string, table: TypedTable, warnings: readonly string[]): FeatureTypeDescription {
  const { attributes, count, defaultGeometry } = table;
  const bounds = computeBounds(table);
  return {
    name,
    attributes,
    count,
    ...(defaultGeometry === undefined ? {} : { defaultGeometry }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function computeBounds({ count, getGeometry }: TypedTable) {
  let bounds: ReturnType<typeof computeGeometryBounds>;
  for (let row = 0; row < count; row += 1) {
    const geometry = getGeometry(row);
    if (geometry !== null) bounds = mergeBounds(bounds, computeGeometryBounds(geometry));
  }
  return bounds;
}
