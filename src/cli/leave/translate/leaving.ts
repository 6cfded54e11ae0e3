/** What all parts of the translation share: resources by path, the files, the ids and the report. */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import type { ServerClient } from '../../client/command.ts';
import { type ExportedConfiguration, type Resource, splitPath } from '../archive/exported-configuration.ts';
import type { ReportCollector } from '../report/report.ts';
import { writeDocument } from '../xml/write-document.ts';

/** The content of a file: its bytes, or the hash of a stored file. */
export type FileContent = { readonly bytes: Buffer } | { readonly sha256: string };

export class Leaving {
  readonly configuration: ExportedConfiguration;
  readonly report: ReportCollector;
  readonly server: ServerClient;
  readonly withSecrets: boolean;
  /** The files of the directory by path. */
  readonly files = new Map<string, FileContent>();
  /** The folders of workspaces, stores and published resources by configuration path. */
  readonly folders = new Map<string, string>();
  readonly #byPath: ReadonlyMap<string, Resource>;
  readonly #usedNames = new Set<string>();

  constructor(
    configuration: ExportedConfiguration,
    options: { readonly report: ReportCollector; readonly server: ServerClient; readonly withSecrets: boolean },
  ) {
    this.configuration = configuration;
    this.report = options.report;
    this.server = options.server;
    this.withSecrets = options.withSecrets;
    this.#byPath = new Map(configuration.resources.map((resource) => [resource.path, resource]));
  }

  list(...kinds: readonly string[]): readonly Resource[] {
    return this.configuration.resources.filter(({ kind }) => kinds.includes(kind));
  }

  find(path: string): Resource | undefined {
    return this.#byPath.get(path);
  }

  /** Writes a document and counts its resource. */
  addDocument(resource: Resource, file: string, root: string, fields: JsonObject): void {
    this.addFile(file, root, fields);
    this.report.countExported(resource.kind);
  }

  addFile(file: string, root: string, fields: JsonObject): void {
    this.addText(file, writeDocument(root, fields));
  }

  /** Reports a resource that belongs to another one, which `--path` excludes. */
  reportMissing(resource: Resource, owner: string): void {
    const message = `The export does not contain its ${owner}.`;
    this.report.add('reference-dangling', resource, message, { remedy: 'Add the path of the workspace with --path.' });
  }

  addText(file: string, text: string): void {
    this.files.set(file, { bytes: Buffer.from(text) });
  }

  /** A name for a file or folder that no other one in the parent has, also where case is ignored. */
  chooseName(parent: string, name: string, path: string): string {
    const plain = name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_');
    const isUsed = this.#usedNames.has(`${parent}/${plain}`.toLowerCase());
    const chosen = isUsed || plain !== name ? `${plain}-${hashPath(path).slice(0, 8)}` : plain;
    this.#usedNames.add(`${parent}/${chosen}`.toLowerCase());
    return chosen;
  }

  /** Reserves names with a meaning of their own. */
  reserveName(parent: string, name: string): void {
    this.#usedNames.add(`${parent}/${name}`.toLowerCase());
  }
}

/** The same resource has the same id in every export. */
export function createId(type: string, path: string): string {
  return `${type}-${hashPath(path).slice(0, 32)}`;
}

function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('hex');
}

export function createReference(type: string, path: string): JsonObject {
  return { id: createId(type, path) };
}

export const workspaceReference = (path: string) => createReference('WorkspaceInfoImpl', path);

/** The path of the workspace that contains a resource; undefined for global ones. */
export function findWorkspacePath(path: string): string | undefined {
  const [first, second] = path.split('/').slice(1);
  return first === 'workspaces' && second !== undefined ? `/${first}/${second}` : undefined;
}

/** The last segment of the path. */
export function getName({ path }: Resource): string {
  return splitPath(path).at(-1) ?? '';
}

/** Fields without those that the document writes in another form. */
export function omitFields(fields: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Adds a member unless it is undefined. */
export function optional(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
