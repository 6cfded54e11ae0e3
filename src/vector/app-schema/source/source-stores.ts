/** The stores that a mapping takes its data from, each opened when something of it is asked. */
import { isAbsolute, join, posix } from 'node:path';
import { problem } from '../../../lib/problems/problem.ts';
import type { DriverContext, VectorDriver } from '../../port/driver.ts';
import type { SourceStore } from '../../port/mapping.ts';
import type { FeatureTypeDescription, VectorSource } from '../../port/port.ts';
import { type OpenSource, type TableAddress, toMappingStore } from '../read/source-tables.ts';

/** A store as a mapping names it, and which mapping does. */
export interface NamedStore {
  readonly store: SourceStore;
  readonly file: string;
}

export interface SourceStores {
  findStore(key: string): NamedStore | undefined;
  /** The driver that the parameters of a store mean; undefined if there is none, or one that mappings cannot use. */
  findDriver(store: SourceStore): VectorDriver | undefined;
  /** Where what a mapping names in its stores leads. */
  createContext(named: NamedStore): DriverContext;
  /** Throws a Problem for a place or host that may not be used, whether anything is taken from the store or not. */
  admit(named: NamedStore): Promise<void>;
  /** Opens a store, for whoever closes it; problems of places and hosts that may not be used are thrown. */
  readonly open: OpenSource;
  /** A table or file of a store as it is now; undefined if there is none. */
  describe(address: TableAddress, signal: AbortSignal): Promise<FeatureTypeDescription | undefined>;
  close(): Promise<void>;
}

export interface SourceStoresOptions {
  readonly drivers: readonly VectorDriver[];
  readonly context: DriverContext;
  /** The folder of the upload, in which relative paths lead to files. */
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
    // Some name several.
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
      const isPath = driver.pathParameters?.includes(name) === true || driver.isPath?.(name, value) === true;
      if (isPath) await resolvePath(value);
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

  /** Kept for all that is described of it. */
  const getSource = ({ store: key, databaseSchema }: TableAddress): Promise<VectorSource> => {
    const place = JSON.stringify([key, databaseSchema]);
    const known = opened.get(place);
    const named = byKey.get(key);
    if (known !== undefined) return known;
    if (named === undefined) throw new Error(`Unknown source data store '${key}'.`);
    const source = open(toMappingStore(named.store, databaseSchema));
    opened.set(place, source);
    // One that failed to open is tried again.
    source.catch(() => opened.delete(place));
    return source;
  };

  return {
    findStore: (key) => byKey.get(key),
    admit,
    findDriver: findDriver,
    createContext: createContext,
    open,
    describe: async (address, signal) => (await getSource(address)).describe(address.table, signal),
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      await Promise.allSettled(all.map(async (source) => (await source).close()));
    },
  };
}

/** Relative paths lead to files of the upload, from the mapping that names them; all others are for the gate. */
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
  // In a folder of the server there may be links, and beside it what is not for clients.
  return context.uploadFolder === undefined ? context.resolvePath(place) : place;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
