/** Shapefiles behind the vector port: a single one, or all those in a directory. */
import { basename } from 'node:path';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { IndexFolder } from '../port/index-folder.ts';
import type { FeatureTypeDescription, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { compareNames, findTypeFiles, getStem } from '../support/type-files.ts';
import { findCompanions } from './companions.ts';
import { type OpenedShapefile, openShapefileParts } from './opened-shapefile.ts';
import { canPack, packShapes } from './pack-shapes.ts';
import { readFeatures } from './read-features.ts';
import { createIndexes } from './record-indexes.ts';
import { createFieldAttributes, createGeometryAttribute, GEOMETRY_NAME } from './schema.ts';
import { findRecords, selectRecords } from './select.ts';
import { readDimension, surveyRecords } from './survey.ts';
import type { TextSurvey } from './survey-texts.ts';

/** So many tables of a source are known; each is a word. */
const MOST_SURVEYS = 1_000;

interface ShapefileOptions {
  /** The encoding of its texts, whatever its own files say. */
  readonly charset?: string;
  /** Where indexes are kept beyond the life of the source. */
  readonly indexFolder?: IndexFolder;
}

/** One shapefile, by the path of its .shp file; nothing is opened before something is asked. */
export function openShapefile(options: ShapefileOptions & { readonly path: string }): VectorSource {
  const { path } = options;
  const name = getStem(basename(path));
  return createSource(async () => new Map([[name, path]]), options);
}

/** All the shapefiles directly in a directory. */
export function openShapefileDirectory(options: ShapefileOptions & { readonly directory: string }): VectorSource {
  return createSource(() => findTypeFiles(options.directory, 'shp'), options);
}

/** `findFiles` gives the .shp files there are now, by the names of their types. */
function createSource(
  findFiles: () => Promise<ReadonlyMap<string, string>>,
  { charset, indexFolder }: ShapefileOptions,
): VectorSource {
  let isClosed = false;
  const checkOpen = (signal: AbortSignal): void => {
    if (isClosed) throw new Error('The shapefile source is closed.');
    signal.throwIfAborted();
  };
  const surveys = createLruCache<TextSurvey>(MOST_SURVEYS);
  const open = async (name: string): Promise<OpenedShapefile | undefined> => {
    const path = (await findFiles()).get(name);
    return path === undefined ? undefined : openShapefileParts(name, await findCompanions(path), charset, surveys);
  };
  const indexes = createIndexes(indexFolder);

  /** The files are held until the reading ends. */
  async function* readAndClose<B>(opened: OpenedShapefile, batches: AsyncIterable<B>): AsyncGenerator<B> {
    try {
      yield* batches;
    } finally {
      await opened.close();
    }
  }

  const openNamed = async (name: string, signal: AbortSignal): Promise<OpenedShapefile> => {
    checkOpen(signal);
    const opened = await open(name);
    if (opened === undefined) throw problem('vector-type-unknown', { name });
    return opened;
  };

  return {
    listTypes: async (signal) => {
      checkOpen(signal);
      const names = [...(await findFiles()).keys()];
      return names.sort(compareNames).map((name) => ({ name, hasGeometry: true }));
    },
    describe: async (name, signal) => {
      checkOpen(signal);
      const opened = await open(name);
      return opened === undefined ? undefined : describeAndClose(opened, signal);
    },
    read: async function* (name, query, signal) {
      const opened = await openNamed(name, signal);
      yield* readAndClose(opened, readFeatures(opened, query, signal));
    },
    select: async (of, query, signal) => {
      const opened = await openNamed(requireTypeName(of), signal);
      try {
        const selection = await selectRecords(opened, () => indexes.getIndex(opened, signal), query, signal);
        return { ...selection, batches: readAndClose(opened, selection.batches) };
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
    pack: async (of, query, attributes, signal) => {
      if (!canPack(query, attributes)) return undefined;
      const opened = await openNamed(requireTypeName(of), signal);
      try {
        const records = await findRecords(opened.name, () => indexes.getIndex(opened, signal), query.filter, undefined);
        return readAndClose(opened, packShapes(opened, attributes, { records, limit: query.limit }, signal));
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
    // A reading under way has files of its own, and keeps them until it ends.
    close: async () => {
      isClosed = true;
      await indexes.waitForWrites();
    },
  };
}

/** Queries of clients are not run on files. */
function requireTypeName(of: string | SqlView): string {
  if (typeof of !== 'string') throw new Error('Shapefile stores do not support SQL views.');
  return of;
}

async function describeAndClose(opened: OpenedShapefile, signal: AbortSignal): Promise<FeatureTypeDescription> {
  try {
    const { count, bounds } = await surveyRecords(opened, signal);
    return {
      name: opened.name,
      attributes: [
        createGeometryAttribute(opened, await readDimension(opened, signal)),
        ...createFieldAttributes(opened),
      ],
      defaultGeometry: GEOMETRY_NAME,
      ...(bounds === undefined ? {} : { bounds }),
      count,
      ...(opened.warnings.length === 0 ? {} : { warnings: opened.warnings }),
    };
  } finally {
    await opened.close();
  }
}
