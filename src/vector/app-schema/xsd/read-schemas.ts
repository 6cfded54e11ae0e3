/** Reads a schema with its includes and imports from a set of files, and lists those that are missing. */
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import {
  createDiagnosticList,
  type Diagnostic,
  type DiagnosticList,
  formatExcerpt,
  sortDiagnostics,
} from '../diagnostics.ts';
import { type DocumentFiles, readDocument, resolveRelativePath } from '../document-files.ts';
import { readSchema } from './read-schema.ts';
import {
  type AttributeUse,
  createSchemaParts,
  fromNameKey,
  type NameKey,
  type Particle,
  type SchemaParts,
  type SchemaReference,
  type SourcePosition,
  type TypeDefinition,
} from './schema-model.ts';
import { createSchemaSet, type SchemaSet } from './schema-set.ts';
import { isWellKnown, isWellKnownLocation } from './well-known.ts';
import { writeWellKnownSchemas } from './well-known-schemas.ts';

export interface SchemaOptions {
  readonly limits: DocumentLimits;
  /** The maximum number of schema documents. */
  readonly maxFiles: number;
  /** Returns the path of the local copy of a remote schema, if there is one. */
  readonly findCopy?: (url: string) => string | undefined;
  /** Returns the document path of a schema on the disk of the server; undefined for other locations. */
  readonly findServerDocument?: (location: string, from: SchemaReferrer) => string | undefined;
}

/** A main schema by path or URL, with the file that refers to it. */
export interface SchemaRequest {
  readonly location: string;
  readonly neededBy: SourcePosition;
}

/** A schema that is missing from the files, with everything that refers to it. */
export interface MissingSchema {
  readonly location: string;
  readonly isRemote: boolean;
  /** The URL from which it can be downloaded. */
  readonly address?: string;
  /** The document path under which the server can provide it from its disk. */
  readonly serverDocument?: string;
  readonly neededBy: readonly SourcePosition[];
}

/** A document that was read. */
export interface LoadedSchema {
  /** The path among the files. */
  readonly path: string;
  readonly namespace: string;
  /** The URL at which its author publishes it, if it was referenced by URL. */
  readonly address?: string;
  /** Whether it is a main schema. */
  readonly isMain: boolean;
}

export type SchemasOutcome =
  /** Documents are in the order in which they were found. */
  | { readonly kind: 'read'; readonly schemas: SchemaSet; readonly documents: readonly LoadedSchema[] }
  | {
      readonly kind: 'refused';
      readonly missing: readonly MissingSchema[];
      readonly complaints: readonly Diagnostic[];
    };

export function readSchemas(
  files: DocumentFiles,
  wanted: readonly SchemaRequest[],
  options: SchemaOptions,
): SchemasOutcome {
  const loader = new SchemaLoader(files, options);
  loader.load(wanted);
  return loader.finish();
}

interface SchemaTask extends Omit<LoadedSchema, 'address'> {
  readonly address: string | undefined;
}

/** Reads the requested schemas and all that they refer to. */
class SchemaLoader {
  readonly #files: DocumentFiles;
  readonly #options: SchemaOptions;
  readonly #complaints = createDiagnosticList();
  readonly #parts = createSchemaParts();
  readonly #missing = new Map<string, MissingSchema & { readonly neededBy: SourcePosition[] }>();
  /** By path and namespace: a schema without a namespace differs per including namespace. */
  readonly #read = new Set<string>();
  readonly #order: string[] = [];
  readonly #documents: LoadedSchema[] = [];
  readonly #tasks: SchemaTask[] = [];
  #isFull = false;

  constructor(files: DocumentFiles, options: SchemaOptions) {
    this.#files = files;
    this.#options = options;
  }

  load(wanted: readonly SchemaRequest[]): void {
    for (const { location, neededBy } of wanted) {
      const path = this.#locate({ path: neededBy.file, isMapping: true }, location, '', neededBy);
      if (path !== undefined) {
        this.#enqueue({ path, namespace: '', address: resolveAddress(location, undefined), isMain: true }, neededBy);
      }
    }
    /** Redefined schemas are read first, because redefinitions refer to them by their own names. */
    const redefinitions: SchemaParts[] = [];
    for (let task = this.#tasks.shift(); task !== undefined && !this.#isFull; task = this.#tasks.shift()) {
      const { path, address } = task;
      const referrer = { path, address, isMapping: false };
      for (const { kind, location, namespace, line, redefined } of this.#readTask(task)) {
        const place = { file: path, line };
        const target = location === undefined ? undefined : this.#locate(referrer, location, namespace, place);
        if (redefined !== undefined) redefinitions.push(redefined);
        if (target === undefined || location === undefined) continue;
        const own = kind === 'import' ? '' : namespace;
        const nextAddress = resolveAddress(location, address);
        this.#enqueue({ path: target, namespace: own, address: nextAddress, isMain: false }, place);
      }
    }
    for (const redefined of redefinitions) redefine(this.#parts, redefined);
  }

  finish(): SchemasOutcome {
    const [parts, complaints] = [this.#parts, this.#complaints];
    const own = [...parts.elements.keys()];
    addWellKnown(parts, this.#options.limits);
    const isFound = this.#missing.size === 0;
    if (isFound && !this.#isFull && complaints.list.length === 0) checkReferences(parts, complaints);
    if (isFound && complaints.list.length === 0) {
      const set = createSchemaSet(parts, own);
      const mistake = set.findFirstError();
      if (mistake === undefined) return { kind: 'read', schemas: set, documents: this.#documents };
      complaints.add(mistake.file, mistake.line, mistake.message);
    }
    return {
      kind: 'refused',
      missing: [...this.#missing.values()],
      complaints: sortDiagnostics(complaints.list, this.#order),
    };
  }

  /** Returns the file of a location; if it is required and does not exist, it is recorded as missing. */
  #locate(from: SchemaReferrer, location: string, namespace: string, place: SourcePosition): string | undefined {
    const { paths, ...sources } = findCandidates(from, location, this.#options);
    const path = paths.find((each) => each !== undefined && this.#files.has(each));
    if (path === undefined && !isWellKnown(namespace) && !isWellKnownLocation(location)) {
      this.#addMissing({ location, isRemote: hasScheme(location), ...sources }, place);
    }
    return path;
  }

  #addMissing(schema: Omit<MissingSchema, 'neededBy'>, place: SourcePosition): void {
    const key = schema.address ?? schema.serverDocument ?? schema.location;
    const known = this.#missing.get(key);
    if (known === undefined) this.#missing.set(key, { ...schema, neededBy: [place] });
    else known.neededBy.push(place);
  }

  #enqueue(task: SchemaTask, place: SourcePosition): void {
    const key = `${task.path}\0${task.namespace}`;
    if (this.#read.has(key)) return;
    const { maxFiles } = this.#options;
    if (this.#read.size >= maxFiles) {
      if (!this.#isFull)
        this.#complaints.add(place.file, place.line, `The schema consists of more than ${maxFiles} files.`);
      this.#isFull = true;
      return;
    }
    this.#read.add(key);
    this.#tasks.push(task);
  }

  #readTask({ path, namespace, address, isMain }: SchemaTask): readonly SchemaReference[] {
    this.#order.push(path);
    const root = readDocument(this.#files, path, this.#options.limits, this.#complaints);
    const document = root && readSchema(root, path, namespace, this.#complaints);
    if (document === undefined) return [];
    addParts(this.#parts, document.parts);
    const { namespace: own } = document;
    this.#documents.push({ path, isMain, namespace: own, ...(address === undefined ? {} : { address }) });
    return document.references;
  }
}

/** The document that refers to a schema. */
export interface SchemaReferrer {
  readonly path: string;
  readonly address?: string | undefined;
  /** Whether it is a mapping, whose paths can start in the data directory. */
  readonly isMapping: boolean;
}

/** Returns the possible paths of a schema, and where the server can obtain it. */
function findCandidates(
  from: SchemaReferrer,
  location: string,
  { findCopy, findServerDocument }: SchemaOptions,
): Pick<MissingSchema, 'address' | 'serverDocument'> & { readonly paths: readonly (string | undefined)[] } {
  const address = resolveAddress(location, from.address);
  const serverDocument = findServerDocument?.(location, from);
  const copy = hasScheme(location) ? location : address;
  return {
    paths: [
      resolveRelativePath(from.path, location.replace(/^file:(?!\/)/i, '')),
      copy === undefined ? undefined : findCopy?.(copy),
      serverDocument,
    ],
    ...(address === undefined ? {} : { address }),
    ...(serverDocument === undefined ? {} : { serverDocument }),
  };
}

function hasScheme(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(location);
}

/** Returns undefined for a location without a public URL. */
function resolveAddress(location: string, from: string | undefined): string | undefined {
  const address = URL.parse(location, from);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined;
}

/** The first definition of a name applies, because packages often contain the same schema twice. */
function addParts(into: SchemaParts, from: SchemaParts): void {
  const add = <T>(target: Map<NameKey, T>, source: ReadonlyMap<NameKey, T>): void => {
    for (const [key, value] of source) if (!target.has(key)) target.set(key, value);
  };
  add(into.elements, from.elements);
  add(into.types, from.types);
  add(into.groups, from.groups);
  add(into.attributeGroups, from.attributeGroups);
  add(into.attributes, from.attributes);
}

/** Files that define these namespaces take precedence. */
function addWellKnown(parts: SchemaParts, limits: DocumentLimits): void {
  const ours = createDiagnosticList();
  for (const [namespace, text] of writeWellKnownSchemas()) {
    const document = readSchema(readXml(text, { ...limits, maxNodes: text.length }), namespace, namespace, ours);
    if (document !== undefined) addParts(parts, document.parts);
  }
}

/** The previous definition is renamed to an impossible name, to which the new one refers. */
function redefine(parts: SchemaParts, redefined: SchemaParts): void {
  const replace = <T>(
    target: Map<NameKey, T>,
    changes: ReadonlyMap<NameKey, T>,
    renamed: (value: T, from: NameKey, to: NameKey) => T,
  ): void => {
    for (const [key, value] of changes) {
      const former = target.get(key);
      let formerKey = `${key} before`;
      while (target.has(formerKey)) formerKey += ' that';
      if (former !== undefined) target.set(formerKey, former);
      target.set(key, former === undefined ? value : renamed(value, key, formerKey));
    }
  };
  replace(
    parts.types,
    redefined.types,
    (type, from, to): TypeDefinition => (type.base === from ? { ...type, base: to } : type),
  );
  replace(parts.groups, redefined.groups, renameGroup);
  replace(parts.attributeGroups, redefined.attributeGroups, (uses, from, to): readonly AttributeUse[] =>
    uses.map((use) => (use.kind === 'group' && use.group === from ? { ...use, group: to } : use)),
  );
}

function renameGroup(particle: Particle, from: NameKey, to: NameKey): Particle {
  if (particle.kind === 'group') return particle.group === from ? { ...particle, group: to } : particle;
  return 'parts' in particle
    ? { ...particle, parts: particle.parts.map((part) => renameGroup(part, from, to)) }
    : particle;
}

/** Every reference must be defined or belong to a well-known namespace. */
function checkReferences(parts: SchemaParts, complaints: DiagnosticList): void {
  const check = (what: string, known: ReadonlyMap<NameKey, unknown>, key: NameKey, place: SourcePosition): void => {
    const { uri, local } = fromNameKey(key);
    if (known.has(key) || isWellKnown(uri)) return;
    const where = uri === '' ? 'without a namespace' : `in the namespace '${formatExcerpt(uri)}'`;
    complaints.add(place.file, place.line, `The schemas define no ${what} '${formatExcerpt(local)}' ${where}.`);
  };
  const checkAttributes = (uses: readonly AttributeUse[]): void => {
    for (const use of uses) {
      if (use.kind === 'group') check('attribute group', parts.attributeGroups, use.group, use);
      else if (use.kind === 'reference') check('attribute', parts.attributes, use.attribute, use);
      else checkType(use.type, use);
    }
  };
  const checkType = (type: NameKey | TypeDefinition | undefined, place: SourcePosition): void => {
    if (typeof type === 'string') check('type', parts.types, type, place);
    if (type === undefined || typeof type === 'string') return;
    checkType(type.base, type);
    if (type.kind === 'simple') return;
    checkAttributes(type.attributes);
    if (type.content !== undefined) checkParticle(type.content);
  };
  const checkParticle = (particle: Particle): void => {
    if (particle.kind === 'reference') check('element', parts.elements, particle.element, particle);
    else if (particle.kind === 'group') check('group', parts.groups, particle.group, particle);
    else if (particle.kind === 'local') checkType(particle.element.type, particle.element);
    else for (const part of particle.parts) checkParticle(part);
  };
  for (const element of parts.elements.values()) {
    checkType(element.type, element);
    for (const head of element.substitutes) check('element', parts.elements, head, element);
  }
  for (const type of parts.types.values()) checkType(type, type);
  for (const group of parts.groups.values()) checkParticle(group);
  for (const uses of parts.attributeGroups.values()) checkAttributes(uses);
}
