/** Document collections behind the vector port: flattened by their schemas, and whole for mappings. */

import type { Bounds } from '../../crs/bounds.ts';
import { type FilterRunner, inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { SchemaSample } from '../port/internal-stores.ts';
import type {
  Attribute,
  Feature,
  FeatureDocument,
  FeatureTypeDescription,
  ReadQuery,
  Value,
  VectorSource,
} from '../port/port.ts';
import { filterFeatures } from '../support/filter-features.ts';
import type { DocumentDatabase } from './database.ts';
import { type DocumentNode, type DocumentObject, formatJson, type IdentifiedDocument } from './document.ts';
import type { DocumentAttribute, DocumentSchema } from './document-schema.ts';
import { createSchemaInference } from './infer-schema.ts';
import { buildQuery } from './query-filter.ts';
import type { SchemaStore } from './schema-store.ts';
import { findNodes, listNestedDocuments, selectAll, selectFirst, selectGeometry } from './select.ts';

export interface DocumentSourceOptions {
  readonly database: DocumentDatabase;
  readonly schemas: SchemaStore;
  readonly sampling: SchemaSample;
  /** Whether inferred schemas are persisted; false for validation only. */
  readonly isKeeping: boolean;
  /** Evaluates the part of a filter that the database does not support; defaults to this thread. */
  readonly filterRunner?: FilterRunner | undefined;
}

/** The number of documents for the extent of a collection; reading all of them could take too long. */
const MAX_SURVEYED_DOCUMENTS = 20_000;

export function openDocumentSource(parts: DocumentSourceOptions): VectorSource {
  const { database, schemas, sampling, isKeeping, filterRunner = inlineFilterRunner } = parts;
  /** Inferred schemas that are not persisted. */
  const inferred = new Map<string, DocumentSchema>();
  const surveys = new Map<string, { readonly count: number; readonly survey: Survey }>();

  const findSchema = async (name: string, signal: AbortSignal): Promise<DocumentSchema | undefined> => {
    const known = (await schemas.get(name, signal)) ?? inferred.get(name);
    if (known !== undefined) return known;
    if (!(await database.listCollections(signal)).includes(name)) return undefined;
    const { schema } = await inferCollection(database, name, sampling, { signal });
    if (isKeeping && schema.attributes.length > 0) await persist(schemas, schema, signal);
    inferred.set(name, schema);
    return schema;
  };

  const getSurvey = async (schema: DocumentSchema, signal: AbortSignal): Promise<{ count: number; survey: Survey }> => {
    const { collection } = schema;
    const count = await database.count(collection, signal);
    const known = surveys.get(schema.typeName);
    if (known?.count === count) return known;
    const fresh = { count, survey: await surveyCollection(database, schema, signal) };
    surveys.set(schema.typeName, fresh);
    return fresh;
  };

  return {
    filters: true,
    listTypes: async (signal) => {
      const types = [];
      for (const name of await database.listCollections(signal)) {
        const known = await schemas.get(name, signal).catch(() => undefined);
        const hasGeometry =
          known === undefined
            ? (await database.listSpatialIndexes(name, signal)).length > 0
            : known.geometry !== undefined;
        types.push({ name, hasGeometry });
      }
      return types;
    },
    describe: async (name, signal) => {
      const schema = await findSchema(name, signal);
      if (schema === undefined) return undefined;
      const { count, survey } = await getSurvey(schema, signal);
      return describeSchema(schema, count, survey);
    },
    read: async function* (name, query, signal) {
      const schema = await findSchema(name, signal);
      if (schema === undefined) throw problem('vector-type-unknown', { name });
      yield* readFeatures(database, schema, query, { runner: filterRunner, signal });
    },
    connections: () => database.countConnections(),
    close: async () => {
      await schemas.close();
      await database.close();
    },
  };
}

/** A location that is not writable must not prevent reading. */
async function persist(schemas: SchemaStore, schema: DocumentSchema, signal: AbortSignal): Promise<void> {
  try {
    const prepared = await schemas.prepare({ put: [schema], remove: [] }, signal);
    await prepared.commit();
  } catch {
    signal.throwIfAborted();
  }
}

export interface InferredSchema {
  readonly schema: DocumentSchema;
  /** The ids of the requested documents that were found. */
  readonly foundIds: readonly string[];
  readonly warnings: readonly string[];
}

/** Infers the schema of a collection from a sample of its documents. */
export async function inferCollection(
  database: DocumentDatabase,
  collection: string,
  { ids, max }: SchemaSample,
  { signal, progress = () => undefined }: { readonly signal: AbortSignal; readonly progress?: () => void },
): Promise<InferredSchema> {
  const inference = createSchemaInference();
  const foundIds: string[] = [];
  const queries = [...(ids.length > 0 ? [{ ids }] : []), ...(max < 0 ? [{}] : max > 0 ? [{ limit: max }] : [])];
  for (const query of queries) {
    for await (const batch of database.read(collection, query, signal)) {
      for (const { root } of batch) inference.add(root);
      if ('ids' in query) foundIds.push(...batch.map(({ id }) => id));
      progress();
      await yieldToEventLoop();
    }
  }
  const indexed = await database.listSpatialIndexes(collection, signal);
  return {
    schema: inference.buildSchema({ typeName: collection, collection, indexed }),
    foundIds,
    warnings: inference.listWarnings(),
  };
}

/** Yields to other requests between batches. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Survey {
  readonly bounds: Bounds | undefined;
  readonly dimensions: ReadonlyMap<string, Dimension>;
  readonly isPartial: boolean;
}

async function surveyCollection(
  database: DocumentDatabase,
  schema: DocumentSchema,
  signal: AbortSignal,
): Promise<Survey> {
  const geometries = schema.attributes.filter(({ kind }) => kind === 'geometry');
  let bounds: Bounds | undefined;
  const dimensions = new Map<string, Dimension>();
  let seen = 0;
  if (geometries.length === 0) return { bounds, dimensions, isPartial: false };
  for await (const batch of database.read(schema.collection, { limit: MAX_SURVEYED_DOCUMENTS }, signal)) {
    seen += batch.length;
    for (const { root } of batch) {
      for (const { name, path } of geometries) {
        const geometry = selectGeometry(root, path);
        if (geometry === null) continue;
        if (!dimensions.has(name)) dimensions.set(name, geometry.dimension);
        if (name === schema.geometry?.name) bounds = mergeBounds(bounds, computeGeometryBounds(geometry));
      }
    }
    await yieldToEventLoop();
  }
  return { bounds, dimensions, isPartial: seen >= MAX_SURVEYED_DOCUMENTS };
}

function describeSchema(schema: DocumentSchema, count: number, survey: Survey): FeatureTypeDescription {
  const { geometry, typeName } = schema;
  return {
    name: typeName,
    attributes: schema.attributes.map((attribute) => toPortAttribute(attribute, schema, survey)),
    ...(geometry === undefined ? {} : { defaultGeometry: geometry.name }),
    ...(survey.bounds === undefined ? {} : { bounds: survey.bounds }),
    count,
    ...(survey.isPartial
      ? { warnings: [`The extent of '${typeName}' covers only its first ${MAX_SURVEYED_DOCUMENTS} documents.`] }
      : {}),
  };
}

function toPortAttribute(attribute: DocumentAttribute, schema: DocumentSchema, { dimensions }: Survey): Attribute {
  const { name } = attribute;
  if (attribute.kind === 'value') {
    // Several values are returned as a JSON array in text.
    const type = attribute.isMany || attribute.type === 'list' ? 'string' : attribute.type;
    return { kind: 'value', name, nillable: true, type };
  }
  return {
    kind: 'geometry',
    name,
    nillable: true,
    type: 'Geometry',
    dimension: dimensions.get(name) ?? 'XY',
    crs: { code: name === schema.geometry?.name ? schema.geometry.crs : 'EPSG:4326' },
  };
}

async function* readFeatures(
  database: DocumentDatabase,
  schema: DocumentSchema,
  { limit, filter }: ReadQuery,
  { runner, signal }: { readonly runner: FilterRunner; readonly signal: AbortSignal },
): AsyncGenerator<readonly Feature[]> {
  const query = {
    ...(limit === undefined || filter !== undefined ? {} : { limit }),
    ...(filter === undefined ? {} : { filter: buildQuery(filter, schema) }),
  };
  if (limit !== undefined && limit <= 0) return;
  const features = toFeatures(database.read(schema.collection, query, signal), schema);
  const names = schema.attributes.map(({ name }) => name);
  yield* filter === undefined ? features : filterFeatures(features, { names, filter, limit, runner, signal });
}

async function* toFeatures(
  batches: AsyncIterable<readonly IdentifiedDocument[]>,
  schema: DocumentSchema,
): AsyncGenerator<readonly Feature[]> {
  const toFeature = createFeatureReader(schema);
  for await (const batch of batches) yield batch.map(toFeature);
}

function createFeatureReader(schema: DocumentSchema): (document: IdentifiedDocument) => Feature {
  const readers = schema.attributes.map(createValueReader);
  return ({ id, root }) => ({ id, values: readers.map((read) => read(root)), document: toFeatureDocument(root) });
}

function toFeatureDocument(root: DocumentObject): FeatureDocument {
  return {
    first: (path) => selectFirst(root, path),
    all: (path) => selectAll(root, path),
    nested: (path) =>
      listNestedDocuments(root, path).map(({ key, document }) => ({ key, document: toFeatureDocument(document) })),
  };
}

function createValueReader(attribute: DocumentAttribute): (root: DocumentObject) => Value | Geometry {
  const { path } = attribute;
  if (attribute.kind === 'geometry') return (root) => selectGeometry(root, path);
  const { type, isMany } = attribute;
  if (isMany || type === 'list') return (root) => formatList(findNodes(root, path));
  return (root) => {
    const [node] = findNodes(root, path);
    return node === undefined ? null : toSingleValue(node, type);
  };
}

function formatList(nodes: readonly DocumentNode[]): string | null {
  if (nodes.length === 0) return null;
  const [only] = nodes;
  if (nodes.length === 1 && only?.kind === 'array') return formatJson(only);
  return `[${nodes.map(formatJson).join(',')}]`;
}

/** Returns null if the value does not match the schema; text accepts every value. */
function toSingleValue(
  node: DocumentNode,
  type: Exclude<(DocumentAttribute & { kind: 'value' })['type'], 'list'>,
): Value {
  if (node.kind !== 'scalar') return type === 'string' ? formatJson(node) : null;
  const { value } = node;
  if (value === null || node.type === type) return value;
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'string':
      return value instanceof Date
        ? value.toISOString()
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('base64')
          : String(value);
    case 'decimal':
      return isNumber ? String(value) : null;
    case 'float':
    case 'double':
      return isNumber ? Number(value) : node.type === 'decimal' ? Number(value) : null;
    case 'short':
    case 'integer':
    case 'long':
      return isNumber && (typeof value === 'bigint' || Number.isInteger(value)) ? value : null;
    case 'date':
      return value instanceof Date
        ? new Date(Date.UTC(value.getUTCFullYear(), value.getUTCMonth(), value.getUTCDate()))
        : null;
    default:
      return null;
  }
}
