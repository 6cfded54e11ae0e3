/** A mapping with its documents and source stores behind the vector port: its types are complex features. */

import { isGmlNamespace } from '../../../geometry/gml/version.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import { withDeadline } from '../../../workers/deadline.ts';
import { formatQualifiedName } from '../../port/complex-feature.ts';
import type { DriverContext, VectorDriver } from '../../port/driver.ts';
import type { InternalStore } from '../../port/internal-stores.ts';
import type { Mapping } from '../../port/mapping.ts';
import type {
  DocumentCopy,
  Feature,
  FeatureTypeDescription,
  ReadQuery,
  SchemaDocumentLocation,
  VectorSource,
} from '../../port/port.ts';
import { compareNames } from '../../support/type-files.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { type MappedSource, openMapped } from '../read/open-mapped.ts';
import type { LoadedSchema } from '../xsd/read-schemas.ts';
import { type ExpandedName, toNameKey } from '../xsd/schema-model.ts';
import { checkSources } from './check-sources.ts';
import { type CollectedMapping, collectMapping, type SchemaSources } from './collect-schemas.ts';
import type { CompiledOutcome, MappedType, MappingLocation } from './compile-mapping.ts';
import { createElementNamer, createStepFinder, describeMappedType, hasGeometry } from './describe-mapped-type.ts';
import { isInFolder, readSchemaDocument } from './folder-documents.ts';
import { COPIES_FOLDER } from './schema-cache.ts';
import { toShortFeature } from './short-values.ts';
import { createSourceStores, type SourceStores } from './source-stores.ts';

export interface AppSchemaOptions {
  readonly place: MappingLocation;
  readonly drivers: readonly VectorDriver[];
  readonly context: DriverContext;
  readonly compile: (place: MappingLocation, signal: AbortSignal) => Promise<CompiledOutcome>;
  readonly download?: SchemaSources['download'];
  /** The time limit for source stores that are not essential. */
  readonly patienceMs: number;
}

interface OpenedMapping extends CollectedMapping {
  readonly stores: SourceStores;
  readonly features: MappedSource;
}

export function openAppSchema(options: AppSchemaOptions): VectorSource {
  const mapping = new LazyMapping(options);
  return {
    listTypes: async (signal) => {
      const { types } = await mapping.open(signal);
      return types
        .map(({ name, structure, isIncluded }) => ({
          name,
          hasGeometry: hasGeometry(structure),
          ...(isIncluded ? { isIncluded } : {}),
        }))
        .sort((a, b) => compareNames(a.name, b.name));
    },
    describe: (name, signal) => mapping.describe(name, signal),
    filters: true,
    read: async function* (name, query, signal) {
      const all = await mapping.open(signal);
      const type = all.types.find((each) => each.name === name);
      if (type === undefined) throw problem('vector-type-unknown', { name });
      yield* readType(all, type, query, signal);
    },
    schemas: {
      findSchema: async (name, signal) => {
        const { types, documents } = await mapping.open(signal);
        const type = types.find((each) => each.name === name);
        if (type === undefined) return undefined;
        const gml = type.structure.properties.find(({ name: { uri } }) => isGmlNamespace(uri))?.name.uri;
        const schema = { element: type.mapping.targetElement, documents: listSchemaLocations(type, documents) };
        return gml === undefined ? schema : { ...schema, gml };
      },
      findDocument: async (path, signal) => {
        const { documents, place } = await mapping.open(signal);
        if (!documents.some((each) => each.path === path)) return undefined;
        return readSchemaDocument(place, path);
      },
      collectCopies: async (signal) => collectCopies(await mapping.open(signal)),
    },
    checkReferences: (signal) => mapping.checkReferences(signal),
    internalStores: async (signal) => {
      const { mappings, stores } = await mapping.open(signal);
      return listInternalStores(mappings, stores);
    },
    close: () => mapping.close(),
  };
}

/** Compiles the mapping and opens its source stores on first use. */
class LazyMapping {
  readonly #options: AppSchemaOptions;
  #opened: Promise<OpenedMapping> | undefined;
  /** Source stores that did not respond to a mapping check; they are not queried again. */
  #silent: Map<string, Problem> | undefined;
  #isClosed = false;

  constructor(options: AppSchemaOptions) {
    this.#options = options;
  }

  async open(signal: AbortSignal): Promise<OpenedMapping> {
    if (this.#isClosed) throw new Error('The mapping is closed.');
    signal.throwIfAborted();
    if (this.#opened === undefined) {
      const opening = openMapping(this.#options, signal);
      this.#opened = opening;
      // The documents can change before the next attempt.
      opening.catch(() => {
        if (this.#opened === opening) this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  async describe(name: string, signal: AbortSignal): Promise<FeatureTypeDescription | undefined> {
    const all = await this.open(signal);
    const type = all.types.find((each) => each.name === name);
    if (type === undefined) return undefined;
    return this.#silent === undefined
      ? describe(all, type, signal)
      : this.#describeWithTimeout(all, type, signal, this.#silent);
  }

  async checkReferences(signal: AbortSignal): Promise<readonly string[]> {
    const { mappings, stores, warnings } = await this.open(signal);
    const found = await checkSources(mappings, stores, signal, this.#options.patienceMs);
    if (found.complaints.length > 0) throw createRefusal(found.complaints);
    this.#silent = new Map(found.silent);
    const ignored = warnings.map(({ file, line, message }) => `${file}, line ${line}: ${message}`);
    return [...ignored, ...found.warnings];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = await this.#opened?.catch(() => undefined);
    await all?.features.close();
    await all?.stores.close();
  }

  /** A mapping is described without its databases if necessary, so that none of them uses up the time for all. */
  async #describeWithTimeout(
    all: OpenedMapping,
    type: MappedType,
    signal: AbortSignal,
    silence: Map<string, Problem>,
  ): Promise<FeatureTypeDescription> {
    const { sourceStore, storeKey } = type.mapping;
    try {
      const known = silence.get(storeKey);
      if (known !== undefined) throw known;
      const described = await withDeadline(this.#options.patienceMs, sourceStore, (late) =>
        describe(all, type, AbortSignal.any([signal, late])),
      );
      const { unreachable: reason } = described;
      if (reason !== undefined) silence.set(storeKey, problem('store-unreachable', { name: sourceStore, reason }));
      return described;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'store-unreachable') throw error;
      silence.set(storeKey, error);
      return describeUnreachable(all, type, error);
    }
  }
}

async function openMapping(
  { place, drivers, context, compile, download }: AppSchemaOptions,
  signal: AbortSignal,
): Promise<OpenedMapping> {
  const resolvePath = (path: string) => context.resolvePath(path);
  const collected = await collectMapping(place, { compile, resolvePath, download }, signal);
  const { mappings, types } = collected;
  const named = mappings.flatMap(({ file, stores }) => stores.map((store) => ({ file, store })));
  const stores = createSourceStores(named, { drivers, context, folder: place.folder });
  const features = new Set(types.map(({ mapping }) => toNameKey(mapping.targetElement)));
  const schemas = { isFeature: (name: ExpandedName) => features.has(toNameKey(name)) };
  return {
    ...collected,
    stores,
    features: openMapped({ mappings, schemas, openSource: stores.open, filterRunner: context.filterRunner }),
  };
}

async function* readType(
  { features, mappings }: OpenedMapping,
  type: MappedType,
  { limit, filter }: ReadQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Feature[]> {
  const { attributes } = describeMappedType(type, mappings, undefined);
  const names = createElementNamer(type, mappings);
  const getSteps = createStepFinder(type, names);
  const query = {
    ...(limit === undefined ? {} : { limit }),
    ...(filter === undefined ? {} : { condition: { filter, getSteps } }),
  };
  for await (const batch of features.read(getMappedName(type), query, signal)) {
    yield batch.map((each) => toShortFeature(each, attributes, names));
  }
}

/** Reads the schemas that the folder of the mapping lacks. */
async function collectCopies({ documents, place }: OpenedMapping): Promise<readonly DocumentCopy[]> {
  const paths = new Set(documents.map(({ path }) => path).filter((path) => !isInFolder(place, path)));
  const copies: DocumentCopy[] = [];
  for (const path of paths) {
    const bytes = await readSchemaDocument(place, path);
    if (bytes !== undefined) copies.push({ path: `${COPIES_FOLDER}/${path}`, bytes });
  }
  return copies;
}

/** Returns the schemas of its namespace that the mapping names, or else the first one found. */
function listSchemaLocations(
  { mapping }: MappedType,
  documents: readonly LoadedSchema[],
): readonly SchemaDocumentLocation[] {
  const own = documents.filter(({ namespace }) => namespace === mapping.targetElement.uri);
  const main = own.filter(({ isMain }) => isMain);
  return (main.length > 0 ? main : own.slice(0, 1)).map(({ path, address }) =>
    address === undefined ? { path } : { address },
  );
}

/** Document schemas are persisted for the collections that mapped types use. */
async function listInternalStores(
  mappings: readonly Mapping[],
  stores: SourceStores,
): Promise<readonly InternalStore[]> {
  const types = mappings.flatMap((mapping) => mapping.types);
  const all = mappings.flatMap((mapping) => mapping.stores.map((store) => ({ store, file: mapping.file })));
  return Promise.all(
    all.map(async (named): Promise<InternalStore> => {
      const { id, key, parameters } = named.store;
      const used = types.filter(({ storeKey }) => storeKey === key).map(({ sourceType }) => sourceType);
      const driver = stores.findDriver(named.store);
      const schemas = await driver?.schemas?.(parameters, stores.createContext(named), [...new Set(used)]);
      return { id, ...(schemas === undefined ? {} : { schemas }) };
    }),
  );
}

/** If a source store does not respond, only the extent is missing. */
async function describe(all: OpenedMapping, type: MappedType, signal: AbortSignal): Promise<FeatureTypeDescription> {
  const { mappings, stores } = all;
  const { storeKey, sourceType, databaseSchema } = type.mapping;
  const schema = databaseSchema === undefined ? {} : { databaseSchema };
  try {
    const source = await stores.describe({ store: storeKey, table: sourceType, ...schema }, signal);
    return describeMappedType(type, mappings, source);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'store-unreachable') throw error;
    return describeUnreachable(all, type, error);
  }
}

function describeUnreachable(
  { mappings }: OpenedMapping,
  type: MappedType,
  { details }: Problem,
): FeatureTypeDescription {
  return { ...describeMappedType(type, mappings, undefined), unreachable: String(details['reason']) };
}

/** The name within mappings, which identifies one type even if several have the same published name. */
function getMappedName({ mapping }: MappedType): string {
  return mapping.name ?? formatQualifiedName(mapping.targetElement);
}

function createRefusal(complaints: readonly Diagnostic[]): Problem {
  return problem('mapping-refused', { reasons: complaints });
}
