/** Shapefiles behind the vector port: a single file, or all in a directory. */
import { basename } from 'node:path';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { IndexFolder } from '../port/index-folder.ts';
import type { FeatureTypeDescription, VectorSource } from '../port/port.ts';
import type { SqlView } from '../port/sql-view.ts';
import { FolderLister, findTypeFile } from '../support/folder-listing.ts';
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

/** The number of tables with a cached encoding; each is one word. */
const MOST_SURVEYS = 1_000;

interface ShapefileOptions {
  /** The configured encoding, which overrides that of the files. */
  readonly charset?: string;
  /** The persistent cache of indexes. */
  readonly indexFolder?: IndexFolder;
}

/** Opens one shapefile by the path of its .shp file; no file is opened before the first call. */
export function openShapefile(options: ShapefileOptions & { readonly path: string }): VectorSource {
  const { path } = options;
  const name = getStem(basename(path));
  const files: ShapefileNames = { list: async () => [name], find: async (each) => (each === name ? path : undefined) };
  return createSource(files, new FolderLister(), options);
}

/** Opens all shapefiles directly in a directory. */
export function openShapefileDirectory(options: ShapefileOptions & { readonly directory: string }): VectorSource {
  const { directory } = options;
  const folders = new FolderLister();
  const files: ShapefileNames = {
    list: async () => [...(await findTypeFiles(directory, 'shp')).keys()],
    find: async (name) => findTypeFile(await folders.list(directory), directory, { name, extension: 'shp' }),
  };
  return createSource(files, folders, options);
}

/** The current .shp files by type name. */
interface ShapefileNames {
  list(): Promise<readonly string[]>;
  find(name: string): Promise<string | undefined>;
}

function createSource(
  files: ShapefileNames,
  folders: FolderLister,
  { charset, indexFolder }: ShapefileOptions,
): VectorSource {
  let isClosed = false;
  const checkOpen = (signal: AbortSignal): void => {
    if (isClosed) throw new Error('The shapefile source is closed.');
    signal.throwIfAborted();
  };
  const surveys = createLruCache<TextSurvey>(MOST_SURVEYS);
  const open = async (name: string): Promise<OpenedShapefile | undefined> => {
    const path = await files.find(name);
    if (path === undefined) return undefined;
    return openShapefileParts(name, await findCompanions(path, folders), charset, surveys);
  };
  const indexes = createIndexes(indexFolder);

  /** Keeps the files open until the read ends. */
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
      return (await files.list()).toSorted(compareNames).map((name) => ({ name, hasGeometry: true }));
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
    // A read in progress owns its files and keeps them open until it ends.
    close: async () => {
      isClosed = true;
      await indexes.waitForWrites();
    },
  };
}

/** SQL views are not supported on files. */
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
