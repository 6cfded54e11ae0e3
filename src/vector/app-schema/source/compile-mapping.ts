/**
 * Reads a mapping with all its documents and derives its types. It runs in a thread, because documents of clients can
 * be designed to be slow.
 */
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { Task } from '../../../workers/task.ts';
import type { Mapping, TypeMapping } from '../../port/mapping.ts';
import { createDiagnosticList, type Diagnostic, formatExcerpt } from '../diagnostics.ts';
import { readMappings } from '../mapping/read-mappings.ts';
import { listMappedTypes as allTypes } from '../read/find-types.ts';
import { type LoadedSchema, type MissingSchema, readSchemas } from '../xsd/read-schemas.ts';
import type { SchemaSet } from '../xsd/schema-set.ts';
import type { PropertyStructure, StructureLimits } from '../xsd/structure.ts';
import { isWellKnown } from '../xsd/well-known.ts';
import { type DocumentFolder, type FolderLimits, openFolderDocuments } from './folder-documents.ts';
import { listMappedPaths, type MappedPath } from './mapped-paths.ts';
import { readPlaceholders } from './placeholders.ts';
import { findServerDocument } from './schema-cache.ts';
import { createFindCopy } from './schema-copies.ts';
import { createSchemaWalk, type SchemaWalk } from './schema-walk.ts';

export interface MappingLocation extends DocumentFolder {
  /** The main mapping among the documents of the folder. */
  readonly main: string;
  /** The operator's properties; undefined for callers without access to them. */
  readonly operatorProperties: string | undefined;
}

/** A feature type of a mapping. */
export interface MappedType {
  /** The published name: the local element name, unless it is taken. */
  readonly name: string;
  readonly file: string;
  /** Whether it belongs to an included mapping. */
  readonly isIncluded: boolean;
  readonly mapping: TypeMapping;
  readonly structure: PropertyStructure;
  /** All mapped paths, including nested ones. */
  readonly paths: readonly MappedPath[];
}

export interface CompiledMapping {
  /** The main mapping first. */
  readonly mappings: readonly Mapping[];
  /** Only feature types; types that are only chained are not included. */
  readonly types: readonly MappedType[];
  /** The schemas of the mapping, those that it names first. */
  readonly documents: readonly LoadedSchema[];
  /** About parts of the mapping that have no effect. */
  readonly warnings: readonly Diagnostic[];
}

export type CompiledOutcome =
  | ({ readonly kind: 'compiled' } & CompiledMapping)
  | {
      readonly kind: 'refused';
      readonly complaints: readonly Diagnostic[];
      /** Schemas that the server can possibly obtain for another attempt. */
      readonly missing: readonly MissingSchema[];
    };

/** The largest application schemas have hundreds of documents with a few megabytes. */
const documentLimits: DocumentLimits = { maxDepth: 100, maxNodes: 300_000 };
const schemaLimits: FolderLimits = { maxDocumentBytes: 16_777_216, maxTotalBytes: 67_108_864 };
/** Ten times the largest real mapping; mappings are copied to the main thread in one step. */
const mappingLimits: FolderLimits = { maxDocumentBytes: 4_194_304, maxTotalBytes: 4_194_304 };
/** Limits the time to compile a mapping, which is done for each upload. */
const MAX_MAPPINGS = 500;
const MAX_SCHEMAS = 1_000;

/** The limits for the description of a feature type. */
const structureLimits: StructureLimits = { maxDepth: 5, maxProperties: 1_500 };

export const compileMappingTask: Task<MappingLocation, CompiledOutcome> = {
  module: import.meta.url,
  name: 'compileMapping',
  work: compileMapping,
};

export function compileMapping(place: MappingLocation): CompiledOutcome {
  const { main } = place;
  const files = openFolderDocuments(place, schemaLimits);
  const properties = readPlaceholders(files, main, place.operatorProperties);
  const documents = { files: openFolderDocuments(place, mappingLimits), main };
  const read = readMappings(documents, { limits: documentLimits, maxFiles: MAX_MAPPINGS, properties });
  const complaints = createDiagnosticList();
  const wanted = read.mappings.flatMap(({ file, schemas }) =>
    schemas.map(({ uri, line }) => ({ location: uri, neededBy: { file, line } })),
  );
  const findCopy = createFindCopy(files, { main, mappings: read.mappings }, documentLimits, complaints);
  const options = { limits: documentLimits, maxFiles: MAX_SCHEMAS, findCopy, findServerDocument };
  const schemas = readSchemas(files, wanted, options);
  const refusals = [
    ...(read.kind === 'refused' ? read.complaints : []),
    ...complaints.list,
    ...(schemas.kind === 'refused' ? schemas.complaints : []),
  ];
  if (schemas.kind === 'refused') return { kind: 'refused', complaints: refusals, missing: schemas.missing };
  if (refusals.length > 0) return { kind: 'refused', complaints: refusals, missing: [] };
  const strangers = checkTargets(read.mappings, schemas.schemas);
  if (strangers.length > 0) return { kind: 'refused', complaints: strangers, missing: [] };
  const walk = createSchemaWalk(schemas.schemas);
  const mappings = read.mappings.map((mapping) => ({
    ...mapping,
    types: mapping.types.map((type) => ({ ...type, attributes: walk.sortAttributes(type) })),
  }));
  const types = buildMappedTypes(mappings, schemas.schemas, walk);
  if (types.length === 0) {
    const message =
      'No mapped type is a feature. At least one targetElement must substitute the GML feature element or have a type that extends the GML feature type.';
    return { kind: 'refused', complaints: [{ file: main, line: 1, message }], missing: [] };
  }
  return { kind: 'compiled', mappings, types, documents: schemas.documents, warnings: read.warnings };
}

function checkTargets(mappings: readonly Mapping[], schemas: SchemaSet): readonly Diagnostic[] {
  const complaints = createDiagnosticList();
  for (const { file, types } of mappings) {
    for (const { targetElement, line } of types) {
      if (schemas.hasElement(targetElement) || isWellKnown(targetElement.uri)) continue;
      const { local, uri } = targetElement;
      const where = uri === '' ? 'without a namespace' : `in the namespace '${formatExcerpt(uri)}'`;
      complaints.add(file, line, `The schemas define no element '${formatExcerpt(local)}' ${where}.`);
    }
  }
  return complaints.list;
}

function buildMappedTypes(mappings: readonly Mapping[], schemas: SchemaSet, walk: SchemaWalk): readonly MappedType[] {
  const everything = allTypes(mappings);
  const types: MappedType[] = [];
  const taken = new Set<string>();
  for (const [index, { file, types: all }] of mappings.entries()) {
    for (const mapping of all) {
      const structure = schemas.isFeature(mapping.targetElement)
        ? schemas.findStructure(mapping.targetElement, structureLimits)
        : undefined;
      if (structure === undefined) continue;
      const name = selectFreeName(mapping, taken);
      taken.add(name);
      const paths = everything
        .filter(({ type }) => type === mapping)
        .flatMap((each) => listMappedPaths(each, everything, walk));
      types.push({ name, file, isIncluded: index > 0, mapping, structure, paths });
    }
  }
  return types;
}

/** Two mappings can have the same target, and two namespaces the same name. */
function selectFreeName({ name, targetElement }: TypeMapping, taken: ReadonlySet<string>): string {
  const { local, prefix } = targetElement;
  const candidates = [local, ...(name === undefined ? [] : [name]), `${prefix}_${local}`];
  const free = candidates.find((each) => !taken.has(each));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) if (!taken.has(`${local}_${number}`)) return `${local}_${number}`;
}
