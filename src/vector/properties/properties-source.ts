/** Property files behind the vector port: a folder of files, each a type named after its file. */
import { basename } from 'node:path';
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Attribute, Feature, FeatureTypeDescription, Value, VectorSource } from '../port/port.ts';
import { type DataFile, openDataFile } from '../support/data-file.ts';
import { compareNames, findTypeFiles, getStem } from '../support/type-files.ts';
import { MalformedLineError, type PropertyLine, readPropertyLines, splitAt, unescapeText } from './property-lines.ts';
import { formatExcerpt, type PropertySchema, readSchema } from './schema.ts';
import { createValueReader } from './values.ts';

/** Features per batch, fewer if they are large, which limits memory. */
const BATCH_FEATURES = 1_024;
const BATCH_CHARACTERS = 4_194_304;

/** The number of ids that are checked for duplicates, which limits memory. */
const COMPARED_IDS = 100_000;

/** Opens all property files directly in a directory; nothing is cached, so changes are visible immediately. */
export function openPropertyDirectory(directory: string): VectorSource {
  return createSource(() => findTypeFiles(directory, 'properties'));
}

/** Opens one property file. */
export function openPropertyFile(path: string): VectorSource {
  return createSource(async () => new Map([[getStem(basename(path)), path]]));
}

function createSource(findFiles: () => Promise<ReadonlyMap<string, string>>): VectorSource {
  let isClosed = false;
  const checkOpen = (signal: AbortSignal): void => {
    if (isClosed) throw new Error('The property file source is closed.');
    signal.throwIfAborted();
  };
  return {
    listTypes: async (signal) => {
      checkOpen(signal);
      const types = [];
      for (const [name, path] of await findFiles()) {
        signal.throwIfAborted();
        types.push({ name, hasGeometry: await hasGeometry(path) });
      }
      return types.sort((a, b) => compareNames(a.name, b.name));
    },
    describe: async (name, signal) => {
      checkOpen(signal);
      const path = (await findFiles()).get(name);
      return path === undefined ? undefined : withFile(path, (file) => describe(name, file, signal));
    },
    read: async function* (name, query, signal) {
      checkOpen(signal);
      const path = (await findFiles()).get(name);
      if (path === undefined) throw problem('vector-type-unknown', { name });
      const file = await openDataFile(path);
      try {
        const limit = query.limit ?? Number.POSITIVE_INFINITY;
        if (limit > 0) yield* limitBatches(readFeatures(file, signal), limit);
      } finally {
        await file.close();
      }
    },
    // A read in progress owns its file and keeps it open until it ends.
    close: async () => {
      isClosed = true;
    },
  };
}

async function withFile<T>(path: string, work: (file: DataFile) => Promise<T>): Promise<T> {
  const file = await openDataFile(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** A file without attributes is listed; the error is reported on access. */
async function hasGeometry(path: string): Promise<boolean> {
  return withFile(path, async (file) => {
    for await (const lines of readPropertyLines(file)) {
      const [first] = lines;
      if (first === undefined) continue;
      try {
        return (await readSchema(first.text)).defaultGeometry !== undefined;
      } catch (error) {
        if (error instanceof MalformedLineError) return false;
        throw error;
      }
    }
    return false;
  });
}

interface ReadBatch {
  readonly schema: PropertySchema;
  readonly features: readonly Feature[];
  /** Whether a text was not valid UTF-8. */
  readonly hasLatin: boolean;
}

/** Yields batches; the first can be empty, because it carries the schema. */
async function* readFeatures(file: DataFile, signal: AbortSignal): AsyncGenerator<ReadBatch> {
  let schema: PropertySchema | undefined;
  let readers: ReturnType<typeof createValueReader>[] = [];
  let features: Feature[] = [];
  let characters = 0;
  let hasLatin = false;
  for await (const lines of readPropertyLines(file)) {
    signal.throwIfAborted();
    for (const line of lines) {
      hasLatin ||= line.isLatin;
      if (schema === undefined) {
        schema = await readSchema(line.text).catch((error: unknown) => {
          throw toProblem(error, file, line);
        });
        readers = schema.attributes.map(createValueReader);
        yield { schema, features: [], hasLatin };
        continue;
      }
      try {
        features.push(parseFeature(line.text, readers));
      } catch (error) {
        throw toProblem(error, file, line);
      }
      characters += line.text.length;
      if (features.length >= BATCH_FEATURES || characters >= BATCH_CHARACTERS) {
        yield { schema, features, hasLatin };
        // Yields to other requests, because the lines of many batches are in memory.
        await othersFirst();
        signal.throwIfAborted();
        features = [];
        characters = 0;
      }
    }
  }
  if (schema === undefined) {
    throw createMalformedProblem(
      file,
      { number: 1, offset: 0 },
      "the attribute line is missing, for example '_=name:String,place:Point:srid=4326'",
    );
  }
  signal.throwIfAborted();
  if (features.length > 0) yield { schema, features, hasLatin };
}

function parseFeature(line: string, readers: readonly ReturnType<typeof createValueReader>[]): Feature {
  const [key = '', written] = splitAt(line, '=', 2);
  const id = unescapeText(key.trim());
  if (written === undefined) throw new MalformedLineError("the line does not have the form 'id=value|value'");
  if (id === '') throw new MalformedLineError("the id before '=' is missing");
  if (id === '_') throw new MalformedLineError('the attributes are declared twice');
  const texts = splitAt(written, '|');
  if (texts.length > readers.length) {
    throw new MalformedLineError(
      `'${formatExcerpt(id)}' has ${texts.length} values, but there are ${readers.length} attributes`,
    );
  }
  // Missing trailing values are null.
  const values: (Value | Geometry)[] = readers.map((read, index) => read(texts[index] ?? ''));
  return { id, values };
}

async function* limitBatches(batches: AsyncIterable<ReadBatch>, limit: number): AsyncGenerator<readonly Feature[]> {
  let left = limit;
  for await (const { features } of batches) {
    if (features.length === 0) continue;
    yield features.length <= left ? features : features.slice(0, left);
    left -= features.length;
    if (left <= 0) return;
  }
}

async function describe(name: string, file: DataFile, signal: AbortSignal): Promise<FeatureTypeDescription> {
  let schema: PropertySchema = { attributes: [], defaultGeometry: undefined };
  let count = 0;
  let bounds: Bounds | undefined;
  let hasLatin = false;
  const dimensions: (Dimension | undefined)[] = [];
  const ids = new Set<string>();
  let repeated: string | undefined;
  for await (const batch of readFeatures(file, signal)) {
    schema = batch.schema;
    hasLatin ||= batch.hasLatin;
    const drawn = schema.attributes.findIndex((attribute) => attribute.name === schema.defaultGeometry);
    const geometries = schema.attributes.flatMap(({ kind }, index) => (kind === 'geometry' ? [index] : []));
    for (const { id, values } of batch.features) {
      count += 1;
      if (ids.has(id)) repeated ??= id;
      else if (ids.size < COMPARED_IDS) ids.add(id);
      for (const index of geometries) {
        const geometry = values[index];
        if (typeof geometry !== 'object' || geometry === null || !('ordinates' in geometry)) continue;
        dimensions[index] ??= geometry.dimension;
        if (index === drawn) bounds = mergeBounds(bounds, computeGeometryBounds(geometry));
      }
    }
  }
  const warnings = listWarnings(name, schema, { hasLatin, repeated });
  return {
    name,
    attributes: schema.attributes.map(
      (attribute, index): Attribute =>
        attribute.kind === 'geometry' ? { ...attribute, dimension: dimensions[index] ?? 'XY' } : attribute,
    ),
    ...(schema.defaultGeometry === undefined ? {} : { defaultGeometry: schema.defaultGeometry }),
    ...(bounds === undefined ? {} : { bounds }),
    count,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function listWarnings(
  name: string,
  { attributes, defaultGeometry }: PropertySchema,
  { hasLatin, repeated }: { readonly hasLatin: boolean; readonly repeated: string | undefined },
): readonly string[] {
  const drawn = attributes.find((attribute) => attribute.name === defaultGeometry);
  const isPlaceless = drawn?.kind === 'geometry' && drawn.crs.code === undefined && drawn.crs.wkt === undefined;
  return [
    ...(isPlaceless
      ? [
          `The geometry '${formatExcerpt(drawn.name)}' of '${name}' has no srid, so its coordinate reference system is unknown. Set the srs of the feature type.`,
        ]
      : []),
    ...(hasLatin ? [`'${name}' contains lines that are not valid UTF-8; they are read as ISO-8859-1.`] : []),
    ...(repeated === undefined ? [] : [`'${name}' has several features with the id '${formatExcerpt(repeated)}'.`]),
  ];
}

function toProblem(error: unknown, file: DataFile, line: PropertyLine): unknown {
  return error instanceof MalformedLineError ? createMalformedProblem(file, line, error.message) : error;
}

function createMalformedProblem(
  file: DataFile,
  { number, offset }: Pick<PropertyLine, 'number' | 'offset'>,
  reason: string,
): Error {
  return problem('vector-file-malformed', { file: file.name, offset, reason: `in line ${number}, ${reason}` });
}
