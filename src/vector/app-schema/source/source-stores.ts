/** The source stores of a mapping, opened on demand. */
import { isAbsolute, join, posix } from 'node:path';
import { problem } from '../../../lib/problems/problem.ts';
import { type DriverContext, isPathParameter, type VectorDriver } from '../../port/driver.ts';
import type { SourceStore } from '../../port/mapping.ts';
import type { FeatureTypeDescription, VectorSource } from '../../port/port.ts';
import { type OpenSource, type TableAddress, toMappingStore } from '../read/source-tables.ts';

/** A store with the mapping file that defines it. */
export interface NamedStore {
  readonly store: SourceStore;
  readonly file: string;
}

export interface SourceStores {
  findStore(key: string): NamedStore | undefined;
  /** Returns the driver for the parameters of a store, or undefined if mappings do not support the store. */
  findDriver(store: SourceStore): VectorDriver | undefined;
  /** Lists the store types that mappings support. */
  listTypes(): readonly string[];
  /** Resolves the paths in the stores of a mapping. */
  createContext(named: NamedStore): DriverContext;
  /** Throws a Problem for a path or host that is not allowed, even if the store is unused. */
  admit(named: NamedStore): Promise<void>;
  /** Opens a store that the caller must close; throws for paths and hosts that are not allowed. */
  readonly open: OpenSource;
  /** Describes the current table or file of a store; undefined if it does not exist. */
  describe(address: TableAddress, signal: AbortSignal): Promise<FeatureTypeDescription | undefined>;
  close(): Promise<void>;
}

export interface SourceStoresOptions {
  readonly drivers: readonly VectorDriver[];
  readonly context: DriverContext;
  /** The upload folder, to which relative paths refer. */
  readonly folder: string;
}

export function createSourceStores(stores: readonly NamedStore[], options: SourceStoresOptions): SourceStores {
  const { drivers, context, folder } = options;
  const byKey = new Map(stores.map((named) => [named.store.key, named]));
  const opened = new Map<string, Promise<VectorSource>>();

  const findDriver: SourceStores['findDriver'] = ({ element, isDataAccess, parameters }) =>
    element === 'DataStore' && !isDataAccess ? drivers.find((driver) => driver.accepts(parameters)) : undefined;

  const createContext: SourceStores['createContext'] = ({ file }) => ({
    ...context,
    uploadFolder: folder,
    resolvePath: (written) => resolveSourcePath(written, file, folder, context),
  });

  const admitHosts = (driver: VectorDriver, { parameters }: SourceStore): void => {
    // A host parameter can list several hosts.
    const hosts = driver.getHost?.(parameters).split(',') ?? [];
    for (const host of hosts) if (host !== '') context.checkHost?.(host);
  };

  const admit: SourceStores['admit'] = async (named) => {
    const { store } = named;
    const driver = findDriver(store);
    if (driver === undefined) return;
    admitHosts(driver, store);
    const { resolvePath } = createContext(named);
    for (const [name, value] of Object.entries(store.parameters)) {
      if (isPathParameter(driver, name, value)) await resolvePath(value);
    }
  };

  const open: OpenSource = async (store) => {
    const driver = findDriver(store);
    const named = byKey.get(store.key);
    if (driver === undefined || named === undefined) {
      throw problem('store-kind-unknown', { dbtype: '', kinds: drivers.map(({ type }) => type) });
    }
    admitHosts(driver, store);
    return driver.open(store.parameters, createContext(named));
  };

  /** Kept open for all descriptions of the store. */
  const getSource = ({ store: key, databaseSchema }: TableAddress): Promise<VectorSource> => {
    const place = JSON.stringify([key, databaseSchema]);
    const known = opened.get(place);
    const named = byKey.get(key);
    if (known !== undefined) return known;
    if (named === undefined) throw new Error(`Unknown source data store '${key}'.`);
    const source = open(toMappingStore(named.store, databaseSchema));
    opened.set(place, source);
    // A failed source is opened again on the next use.
    source.catch(() => opened.delete(place));
    return source;
  };

  return {
    findStore: (key) => byKey.get(key),
    admit,
    findDriver,
    listTypes: () => [...new Set(drivers.map(({ type }) => type))],
    createContext,
    open,
    describe: async (address, signal) => (await getSource(address)).describe(address.table, signal),
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await Promise.allSettled(all.map(async (source) => (await source).close()));
    },
  };
}

/** Relative paths refer to uploaded files, starting from the mapping file; all others go through the path gate. */
async function resolveSourcePath(
  written: string,
  file: string,
  folder: string,
  context: DriverContext,
): Promise<string> {
  const path = /^file:/i.test(written) ? decodePath(written.replace(/^file:/i, '')) : written;
  const isElsewhere = path === '' || isAbsolute(path) || /^[a-z][a-z0-9+.-]*:|^[\\/]/i.test(path);
  if (isElsewhere) return context.resolvePath(written);
  const inside = posix.normalize(posix.join(posix.dirname(file), path.replaceAll('\\', '/')));
  if (inside === '..' || inside.startsWith('../') || inside.includes('\0')) {
    throw problem('path-refused', {
      path: written.slice(0, 200).toWellFormed(),
      reason: 'the path leaves the uploaded files',
    });
  }
  const place = join(folder, ...inside.split('/'));
  // A server folder can contain links, and files next to it may not be accessible to clients.
  return context.uploadFolder === undefined ? context.resolvePath(place) : place;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
