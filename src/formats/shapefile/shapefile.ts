/** Encodes zipped shapefiles: one per feature type, or several if the geometries have several types. */

import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { findFileNameFault } from '../../lib/text/file-name.ts';
import type { Feature } from '../../vector/port/port.ts';
import { chooseTextEncode, type EncodedCharset } from '../../vector/shapefile/table/charset.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { readScratchFile, type ScratchFolders, withScratchFolder } from '../writing/scratch.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';
import { writeZip, type ZipEntry } from '../writing/zip-stream.ts';
import { shapeForms } from './shape-record.ts';
import { type ShapefileKind, ShapefileWriter, type WrittenShapefile } from './shapefile-writer.ts';
import { createTableFields } from './table-fields.ts';

const UTF_8 = 'UTF-8';

/** File headers summarise the content, so all features are read before the first byte is sent. */
export function createShapefileEncoder(world: ScratchFolders): FeatureEncoder {
  return {
    encode: (collection, signal) =>
      withScratchFolder(world, async function* (folder) {
        const charset = await chooseTextEncode(collection.options.charset ?? UTF_8);
        const entries: ZipEntry[] = [];
        for (const [index, set] of collection.sets.entries()) {
          const shapefiles = await writeSet(set, { folder, index, charset, modified: collection.timeStamp, signal });
          const target = { name: chooseFileName(collection, index), charset };
          entries.push(...(await listZipEntries(set, shapefiles, target, signal)));
        }
        yield* writeZip(entries, collection.timeStamp);
      }),
  };
}

interface SetTarget {
  readonly folder: string;
  readonly index: number;
  readonly charset: EncodedCharset;
  readonly modified: Date;
  readonly signal: AbortSignal;
}

/** Each shape type has its own file, which is created for its first feature. */
async function writeSet(
  { description, batches }: FeatureSet,
  { folder, index, charset, modified, signal }: SetTarget,
): Promise<readonly WrittenShapefile[]> {
  const { attributes, defaultGeometry } = description;
  const place = attributes.findIndex(({ name, kind }) => kind === 'geometry' && name === defaultGeometry);
  const column = attributes[place];
  const declared = column?.kind === 'geometry' ? column : undefined;
  const fields = createTableFields(attributes, charset.encode);
  const writers = new Map<string, ShapefileWriter>();

  const openWriter = async (kind: ShapefileKind | undefined): Promise<ShapefileWriter> => {
    const key = kind === undefined ? 'table' : `${kind.form}${kind.dimension}`;
    const found = writers.get(key);
    if (found !== undefined) return found;
    const made = await ShapefileWriter.create(folder, `${index}-${writers.size}`, kind, fields);
    writers.set(key, made);
    return made;
  };
  /** For features without a geometry, and for an empty result. */
  const openDefaultWriter = async (): Promise<ShapefileWriter> => {
    const [first] = writers.values();
    if (first !== undefined) return first;
    if (declared === undefined) return openWriter(undefined);
    return openWriter({ form: shapeForms[declared.type] ?? 'point', dimension: declared.dimension });
  };
  const write = async (feature: Feature): Promise<void> => {
    const geometry = declared === undefined ? null : toWritableGeometry(feature.values[place]);
    const parts = geometry === null ? [] : splitCollection(geometry);
    if (parts.length === 0) await (await openDefaultWriter()).append(feature, null);
    for (const part of parts) {
      const form = shapeForms[part.type];
      if (form !== undefined) await (await openWriter({ form, dimension: part.dimension })).append(feature, part);
    }
  };

  try {
    for await (const batch of batches) {
      signal.throwIfAborted();
      for (const feature of batch) await write(feature);
    }
    await openDefaultWriter();
    const written: WrittenShapefile[] = [];
    for (const writer of writers.values()) written.push(await writer.finish(charset.languageDriver, modified));
    return written;
  } catch (error) {
    for (const writer of writers.values()) await writer.close();
    throw error;
  }
}

/** The members of a collection are written to the files of their types, each with the values of the feature. */
function splitCollection(geometry: Geometry): readonly Geometry[] {
  return geometry.type === 'GeometryCollection' ? (geometry.members ?? []).flatMap(splitCollection) : [geometry];
}

/** Based on the type name without invalid characters; a number distinguishes equal names. */
function chooseFileName({ sets }: FeatureCollection, index: number): string {
  const toFileName = (set: FeatureSet | undefined): string => {
    const name = (set?.typeName.local ?? '').replaceAll(/[\p{Cc}\\/<>:"|?*]/gu, '_');
    return findFileNameFault(name, 200) === undefined ? name : `features_${index + 1}`;
  };
  const name = toFileName(sets[index]);
  return sets.slice(0, index).some((other) => toFileName(other) === name) ? `${name}_${index + 1}` : name;
}

async function listZipEntries(
  { crs }: FeatureSet,
  shapefiles: readonly WrittenShapefile[],
  { name, charset }: { readonly name: string; readonly charset: EncodedCharset },
  signal: AbortSignal,
): Promise<readonly ZipEntry[]> {
  const wkt = (await resolveCrs(crs.reference))?.wkt;
  const createTextEntry = (ending: string, content: string): readonly [string, () => AsyncIterable<Uint8Array>] => [
    ending,
    async function* () {
      yield Buffer.from(content);
    },
  ];
  return shapefiles.flatMap(({ kind, files }) => {
    const suffix = shapefiles.length > 1 && kind !== undefined ? `_${kind.form}${formatDimensionSuffix(kind)}` : '';
    const written = Object.entries(files).map(
      ([ending, path]) => [ending, () => readScratchFile(path, signal)] as const,
    );
    const notes = [
      ...(wkt === undefined || kind === undefined ? [] : [createTextEntry('prj', wkt)]),
      // Most programs read the first, and the reference server writes the second.
      createTextEntry('cpg', charset.name),
      createTextEntry('cst', charset.name),
    ];
    return [...written, ...notes].map(([ending, content]) => ({ name: `${name}${suffix}.${ending}`, content }));
  });
}

function formatDimensionSuffix({ dimension }: ShapefileKind): string {
  return dimension.slice(2).toLowerCase();
}
