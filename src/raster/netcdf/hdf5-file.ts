/**
 * Reads NetCDF-4 files, which are HDF5 files, with the h5wasm library; loaded on first use.
 *
 * The library sees a virtual file system with only this file: references to other files by links, external storage or
 * virtual datasets lead nowhere.
 */
import type { Dataset, File as Hdf5, ready as Ready } from 'h5wasm';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { MAX_BLOCK_BYTES, MAX_SIDE_PIXELS, MAX_TEXT_BYTES } from '../port/limits.ts';
import type { RasterFile } from '../port/raster-file.ts';
import { createSamples, type Samples, type SampleType } from '../port/samples.ts';
import {
  type AttributeValue,
  createDamagedError,
  cutAtNul,
  MAX_VARIABLES,
  type NetcdfFile,
  type NetcdfVariable,
} from './netcdf-file.ts';

type Module = Awaited<typeof Ready>;

/** The NAME attribute of a dimension without values. */
const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable';

/** Internal attributes of the NetCDF library. */
const internal = /^(?:_Netcdf4|_NC|REFERENCE_LIST$|DIMENSION_LIST$|CLASS$|NAME$)/;

/** The supported HDF5 filters by id. */
const readableFilters: ReadonlySet<number> = new Set([1, 2, 3, 5, 6]);
const filterNames: Readonly<Record<number, string>> = {
  4: 'szip',
  307: 'bzip2',
  32000: 'LZF',
  32001: 'Blosc',
  32004: 'LZ4',
  32013: 'ZFP',
  32015: 'Zstandard',
  32026: 'Blosc 2',
};

export function isHdf5(head: Uint8Array): boolean {
  return Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]).equals(head.subarray(0, 8));
}

let openedFiles = 0;

export async function openHdf5(file: RasterFile): Promise<NetcdfFile> {
  const library = await import('h5wasm');
  const module = await library.ready;
  // Errors are thrown instead of printed.
  module.activate_throwing_error_handler();
  openedFiles += 1;
  const path = `/file${openedFiles}`;
  mountFile(module, path, file);
  let hdf5: Hdf5 | undefined;
  const close = (): void => {
    try {
      hdf5?.close();
    } finally {
      hdf5 = undefined;
      module.FS.unlink(path);
      file.close();
    }
  };
  try {
    const root = runGuarded(file, () => {
      hdf5 = new library.File(path, 'r');
      return hdf5;
    });
    const datasets = new Map<string, Dataset>();
    const variables = runGuarded(file, () => readVariables(file, root, datasets, library.Dataset));
    return {
      name: file.name,
      variables,
      read: (variable, start, count) =>
        runGuarded(file, () => readPart(file, datasets.get(variable.name), variable, { start, count })),
      readTexts: (variable) => runGuarded(file, () => toTexts(datasets.get(variable.name)?.value)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Creates a virtual file whose bytes are read from the real one on demand. */
function mountFile({ FS }: Module, path: string, file: RasterFile): void {
  // The type declarations of the library omit parts of the Emscripten file system.
  const system = FS as unknown as {
    createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): VirtualFile;
  };
  const node = system.createFile('/', path.slice(1), {}, true, false);
  Object.defineProperty(node, 'usedBytes', { get: () => file.sizeBytes });
  node.stream_ops = {
    ...node.stream_ops,
    read(_stream: unknown, target: Uint8Array, offset: number, length: number, position: number): number {
      const available = Math.max(0, Math.min(length, file.sizeBytes - position));
      if (available > 0) target.set(file.read(position, available), offset);
      return available;
    },
  };
}

interface VirtualFile {
  stream_ops: object;
}

/** Converts any error of the library to a problem of the file. */
function runGuarded<T>(file: RasterFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const message = error instanceof Error ? error.message : String(error);
    // The library reports a stack of errors; the last one is the reason.
    const reason = [...message.matchAll(/ in \w+\(\): (.*)/g)].at(-1)?.[1] ?? message.split('\n')[0] ?? '';
    throw createDamagedError(file, `its HDF5 structure is invalid (${reason.slice(0, 200)})`);
  }
}

function readVariables(
  file: RasterFile,
  root: Hdf5,
  datasets: Map<string, Dataset>,
  datasetClass: typeof Dataset,
): readonly NetcdfVariable[] {
  const names = root.keys();
  if (names.length > MAX_VARIABLES)
    throw createDamagedError(file, `it has ${names.length} variables, which exceeds the limit`);
  const variables: NetcdfVariable[] = [];
  for (const name of names) {
    const entity = root.get(name);
    if (!(entity instanceof datasetClass)) continue;
    const { shape, chunks, virtual_sources: sources } = entity.metadata;
    if (shape === null || shape.length === 0 || shape.some((length) => length > MAX_SIDE_PIXELS)) {
      if (shape?.length !== 0) continue;
    }
    const attributes = readAttributes(entity);
    if (String(entity.attrs['NAME']?.value ?? '').startsWith(NO_VARIABLE)) continue;
    const unreadable = (sources?.length ?? 0) > 0 ? 'external storage' : findUnreadableFilter(entity);
    datasets.set(name, entity);
    variables.push({
      name,
      type: findSampleType(entity),
      dimensions: shape.map((_, index) => getDimensionName(entity, name, index)),
      shape,
      attributes,
      ...(chunks === null ? {} : { chunks }),
      ...(unreadable === undefined ? {} : { unreadable }),
    });
  }
  return variables;
}

function findUnreadableFilter(dataset: Dataset): string | undefined {
  const filter = dataset.filters.find(({ id }) => !readableFilters.has(id));
  return filter === undefined ? undefined : (filterNames[filter.id] ?? `HDF5 filter ${filter.id}`);
}

function getDimensionName(dataset: Dataset, name: string, index: number): string {
  const isScale = dataset.attrs['CLASS']?.value === 'DIMENSION_SCALE';
  if (isScale && index === 0) return name;
  const [scale] = dataset.get_attached_scales(index);
  return scale === undefined ? `${name}_${index}` : scale.replace(/^\//, '');
}

const INTEGER = 0;
const FLOAT = 1;

function findSampleType({ metadata: { type, signed, size } }: Dataset): SampleType | undefined {
  if (type === FLOAT) return size === 4 ? 'float32' : size === 8 ? 'float64' : undefined;
  if (type !== INTEGER) return undefined;
  const bits = ([1, 2, 4, 8] as const).find((each) => each === size);
  return bits === undefined ? undefined : `${signed ? 'int' : 'uint'}${(bits * 8) as 8 | 16 | 32 | 64}`;
}

function readAttributes(dataset: Dataset): ReadonlyMap<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const [name, attribute] of Object.entries(dataset.attrs)) {
    if (internal.test(name)) continue;
    const { total_size: count, size } = attribute.metadata;
    // No attribute that is read here is this large.
    if (count * size > MAX_TEXT_BYTES) continue;
    const { value } = attribute;
    if (typeof value === 'string') attributes.set(name, value.replace(/\0+$/, ''));
    else if (typeof value === 'number' || typeof value === 'bigint') attributes.set(name, [value]);
    else if (ArrayBuffer.isView(value)) attributes.set(name, [...(value as Iterable<number | bigint>)]);
    else if (Array.isArray(value) && typeof value[0] === 'string') attributes.set(name, value[0]);
  }
  return attributes;
}

function readPart(
  file: RasterFile,
  dataset: Dataset | undefined,
  { name, type, chunks, shape, unreadable }: NetcdfVariable,
  { start, count }: { readonly start: readonly number[]; readonly count: readonly number[] },
): Samples {
  if (dataset === undefined || type === undefined) throw new Error(`The variable '${name}' is not numeric.`);
  if (unreadable !== undefined) {
    throw problem('raster-file-unsupported', {
      file: file.name,
      reason: `its variable '${name}' uses ${unreadable}`,
    });
  }
  const chunkBytes = chunks?.reduce((product, each) => product * each, 8) ?? 0;
  if (chunkBytes > MAX_BLOCK_BYTES) {
    throw problem('raster-file-unsupported', {
      file: file.name,
      reason: `its variable '${name}' has chunks of ${chunkBytes} bytes, which exceeds the limit`,
    });
  }
  const length = count.reduce((product, each) => product * each, 1);
  if (length === 0) return createSamples(type, 0);
  const part =
    shape.length === 0
      ? dataset.value
      : dataset.slice(start.map((first, index) => [first, first + (count[index] ?? 0)]));
  if (!ArrayBuffer.isView(part) || (part as Samples).length !== length) {
    throw createDamagedError(file, `its variable '${name}' is not readable`);
  }
  return part as Samples;
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').map(cutAtNul) : [];
}
