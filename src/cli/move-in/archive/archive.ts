/** The resources of a move in the order of an archive, compressed in memory: a hundred thousand layers have 150 MB. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonObject } from '../../../lib/json/value.ts';
import type { TargetChange } from '../previous/previous-moves.ts';
import type { Report, Subject } from '../report/report.ts';
import type { FileTree } from '../source/file-tree.ts';

export const FORMAT = 'graticule-configuration/1';

/** In the order in which a reader looks for them; the server orders the steps itself. */
const kindOrder = [
  'workspace',
  'defaultWorkspace',
  'urlCheck',
  'style',
  'dataStore',
  'coverageStore',
  'wmsStore',
  'wmtsStore',
  'featureType',
  'coverage',
  'wmsLayer',
  'wmtsLayer',
  'layer',
  'template',
  'layerGroup',
  'storedQuery',
  'gridSet',
  'tileLayer',
  'globalSettings',
  'loggingSettings',
  'serviceSettings',
  'workspaceSettings',
  'userGroupService',
  'user',
  'group',
  'role',
  'authProvider',
  'authProviderOrder',
  'accessRules',
  'catalogMode',
] as const;

export type ArchiveKind = (typeof kindOrder)[number];

/** What the target does not accept, by path. */
export type Rejections = ReadonlyMap<string, Rejection>;

export interface Rejection {
  /** Fields that are left out, with the message of the target. */
  readonly fields: ReadonlyMap<string, string>;
  /** Those of the fields whose CRS is unknown. */
  readonly crsFields?: ReadonlySet<string>;
  /** The message of the target if it rejects the resource. */
  readonly message?: string;
}

export interface ArchiveOptions {
  /** The configuration paths that the archive is limited to; empty for everything. */
  readonly only: readonly string[];
  readonly rejections: Rejections;
  /** Resources that the target keeps as they are, because it changed them. */
  readonly kept?: ReadonlyMap<string, TargetChange> | undefined;
}

export class Archive {
  readonly #report: Report;
  readonly #options: ArchiveOptions;
  readonly #spools = new Map<ArchiveKind, Spool>();
  /** The file of each resource by path, as its position if it is one of the source. */
  readonly #sources = new Map<string, number | string>();
  readonly #files: FileTree;
  /** Paths that the source describes, but that are not imported. */
  readonly #mentioned = new Set<string>();
  /** The paths that the archive deletes. */
  deletions: readonly string[] = [];
  #omitted = 0;

  constructor(report: Report, files: FileTree, options: ArchiveOptions) {
    this.#report = report;
    this.#files = files;
    this.#options = options;
  }

  /** Returns whether the resource is imported; otherwise the report has the reason. */
  add(kind: ArchiveKind, path: string, fields: JsonObject, { source }: Pick<Subject, 'source'>): boolean {
    const subject = { source, kind, path };
    if (!this.isSelected(path)) {
      this.#omitted += 1;
      return false;
    }
    if (this.#sources.has(path)) {
      this.#report.add('name-taken', subject, `Another file describes a resource at '${path}'.`, 'Rename one of them.');
      return false;
    }
    const rejection = this.#options.rejections.get(path);
    if (rejection?.message !== undefined) {
      this.#report.add('target-rejected', subject, `The target rejects the resource: ${rejection.message}`);
      return false;
    }
    const index = this.#files.findIndex(source);
    this.#sources.set(path, index < 0 ? source : index);
    const change = this.#options.kept?.get(path);
    if (change !== undefined) {
      const what = change.isDeleted ? 'deleted' : 'modified';
      const message = `Change ${change.sequence} of the target ${what} the resource, which stays as it is there.`;
      this.#report.add('target-changed', subject, message, 'Use --prefer source to import it again.');
      return true;
    }
    for (const [field, message] of rejection?.fields ?? []) {
      const code = rejection?.crsFields?.has(field) ? 'crs-unknown' : 'field-rejected';
      this.#report.add(code, subject, `The field '${field}' is left out: ${message}`);
    }
    this.#report.countImported(kind);
    const kept = Object.entries(fields).filter(([name]) => rejection?.fields.has(name) !== true);
    const spool = this.#spools.get(kind) ?? new Spool();
    this.#spools.set(kind, spool);
    spool.add(JSON.stringify({ kind, path, fields: Object.fromEntries(kept) }));
    return true;
  }

  has(path: string): boolean {
    return this.#sources.has(path);
  }

  findSource(path: string): string | undefined {
    const found = this.#sources.get(path);
    return typeof found === 'number' ? this.#files.getPath(found) : found;
  }

  get size(): number {
    return this.#sources.size;
  }

  /** Notes that the source describes a resource that is not imported. */
  mention(path: string): void {
    this.#mentioned.add(path);
  }

  isMentioned(path: string): boolean {
    return this.#mentioned.has(path);
  }

  /** Whether it has users or roles. */
  get hasAccounts(): boolean {
    return this.#spools.has('user') || this.#spools.has('role');
  }

  /** The number of resources outside of the selected paths. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Whether the resource is among the selected paths. */
  isSelected(path: string): boolean {
    const { only } = this.#options;
    return only.length === 0 || only.some((each) => path === each || path.startsWith(`${each}/`));
  }

  /** The document; `message` becomes the description of the change. Files of the `pending` stores are left out. */
  *encode(message: string, pending: ReadonlySet<string> = new Set()): Generator<Buffer> {
    const { deletions } = this;
    const head = { format: FORMAT, message, ...(deletions.length === 0 ? {} : { delete: deletions }) };
    yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"resources":[`);
    let isFirst = true;
    for (const kind of kindOrder) {
      for (const text of this.#spools.get(kind)?.read() ?? []) {
        if (!isFirst) yield Buffer.from(',\n');
        isFirst = false;
        yield pending.size > 0 && storesWithFiles.has(kind) ? omitFiles(text, pending) : text;
      }
    }
    yield Buffer.from(']}\n');
  }
}

const storesWithFiles: ReadonlySet<ArchiveKind> = new Set(['dataStore', 'coverageStore']);

function omitFiles(text: Buffer, pending: ReadonlySet<string>): Buffer {
  const resources = JSON.parse(`[${text.toString()}]`) as readonly {
    readonly path: string;
    readonly fields: JsonObject;
  }[];
  const written = resources.map((resource) => {
    const { files: _, ...fields } = resource.fields;
    return JSON.stringify(pending.has(resource.path) ? { ...resource, fields } : resource);
  });
  return Buffer.from(written.join(',\n'));
}

/** The size of the pieces that are compressed together. */
const PIECE_CHARACTERS = 262_144;

/** Texts of resources, separated by commas. */
class Spool {
  readonly #pieces: Buffer[] = [];
  #texts: string[] = [];
  #characters = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters > PIECE_CHARACTERS) this.#flush();
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#pieces.push(deflateRawSync(this.#texts.join(',\n'), { level: 1 }));
    this.#texts = [];
    this.#characters = 0;
  }

  *read(): Generator<Buffer> {
    this.#flush();
    for (const piece of this.#pieces) yield inflateRawSync(piece);
  }
}

/** The path of a resource with these segments. */
export function createPath(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}
