/** Lists the files of a running source over `/rest/resource`, and keeps those that a translation reads. */
import { MAX_XML_BYTES } from '../read/read-xml.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { findReasonToSkip, MAX_FILES, type Unvisited } from '../source/source.ts';
import { JobQueue } from './job-queue.ts';
import type { KeptFiles } from './kept-files.ts';
import { type ListedChild, type Listing, parseListing } from './parse-listing.ts';
import type { SourceReply, SourceServer } from './source-server.ts';

/** A directory with 200,000 files. */
const MAX_LISTING_BYTES = 67_108_864;

/** Real data directories have ten levels. */
const MAX_DEPTH = 40;

/** As many as the server receives requests at once. */
const MAX_JOBS = 4;

export interface RemoteListing {
  readonly files: string[];
  readonly unvisited: Unvisited[];
}

/** The address of a file or directory. Names are encoded once more for servers that decode them twice. */
export function formatResourcePath(path: string, isTwice = false): string {
  const encode = (segment: string) => encodeURIComponent(isTwice ? encodeURIComponent(segment) : segment);
  const segments = path === '' ? [] : path.split('/').map((segment) => `/${encode(segment)}`);
  return `/rest/resource${segments.join('')}?format=json`;
}

export async function listResources(
  server: SourceServer,
  kept: KeptFiles,
  maxFiles = MAX_FILES,
): Promise<RemoteListing> {
  const lister = new ResourceLister(server, kept, maxFiles);
  await lister.run();
  return lister;
}

class ResourceLister implements RemoteListing {
  readonly files: string[] = [];
  readonly unvisited: Unvisited[] = [];
  readonly #server: SourceServer;
  readonly #kept: KeptFiles;
  readonly #maxFiles: number;
  readonly #jobs = new JobQueue();
  #entries = 0;

  constructor(server: SourceServer, kept: KeptFiles, maxFiles: number) {
    this.#server = server;
    this.#kept = kept;
    this.#maxFiles = maxFiles;
  }

  async run(): Promise<void> {
    const reply = await this.#server.get(formatResourcePath(''), { maxBytes: MAX_LISTING_BYTES });
    const listing = reply.status === 200 && reply.bytes !== undefined ? parseListing(reply.bytes) : undefined;
    if (listing === undefined) throw this.#createUnknownError(reply);
    this.#addChildren('', listing);
    await this.#jobs.run(MAX_JOBS);
  }

  #createUnknownError({ status, type }: SourceReply): MoveInError {
    const address = `${this.#server.address}/rest/resource`;
    const returned = status === 200 ? `a document of the type '${type.split(';')[0]}'` : `status ${status}`;
    return new MoveInError(
      'source-not-geoserver',
      `${address} is not the data directory of a GeoServer: it returns ${returned}. Use an address such as https://old.example/geoserver.`,
    );
  }

  #addChildren(folder: string, { children, ignored }: Listing): void {
    if (ignored > 0) {
      const names = ignored === 1 ? '1 name in the listing is' : `${ignored} names in the listing are`;
      const reason = `${names} invalid, such as a name with a slash.`;
      this.unvisited.push({ path: folder === '' ? '.' : folder, code: 'path-outside-source', reason });
    }
    this.#entries += children.length;
    if (this.#entries > this.#maxFiles) {
      throw new MoveInError('source-unreadable', `The source has more than ${this.#maxFiles} files.`);
    }
    for (const child of children) this.#addChild(folder === '' ? child.name : `${folder}/${child.name}`, child);
  }

  #addChild(path: string, { canBeDirectory }: ListedChild): void {
    const reason = canBeDirectory ? findReasonToSkip(path) : undefined;
    if (reason !== undefined) this.unvisited.push({ path, ...reason });
    else if (canBeDirectory || isRead(path)) this.#jobs.add(() => this.#visit(path));
    else this.files.push(path);
  }

  /** Requests a directory, or a file whose content is needed. */
  async #visit(path: string): Promise<void> {
    const reply = await fetchResource(this.#server, path, {
      maxBytes: MAX_LISTING_BYTES,
      isWanted: ({ resourceType }) => resourceType === 'directory' || isRead(path),
    });
    if (reply.status !== 200) {
      const reason = `The source returns status ${reply.status} for it.`;
      this.unvisited.push({ path, code: 'file-unreadable', reason });
    } else if (reply.resourceType === 'directory') this.#enter(path, reply.bytes);
    else {
      this.files.push(path);
      if (reply.bytes !== undefined && reply.bytes.length <= MAX_XML_BYTES) this.#kept.keep(path, reply.bytes);
    }
  }

  #enter(path: string, bytes: Buffer | undefined): void {
    if (path.split('/').length >= MAX_DEPTH) {
      throw new MoveInError(
        'source-unreadable',
        `The source has directories with more than ${MAX_DEPTH} levels: ${path}.`,
      );
    }
    const listing = bytes && parseListing(bytes);
    if (listing === undefined) {
      const problem = bytes === undefined ? `has more than ${MAX_LISTING_BYTES} bytes` : 'is not JSON';
      throw new MoveInError('source-unreadable', `The listing of the directory '${path}' of the source ${problem}.`);
    }
    this.#addChildren(path, listing);
  }
}

/** Requests a resource; again with another encoding if the server can have misread the name. */
export async function fetchResource(
  server: SourceServer,
  path: string,
  request: Parameters<SourceServer['get']>[1],
): Promise<SourceReply> {
  const reply = await server.get(formatResourcePath(path), request);
  const isMisread = reply.status !== 200 && /[+%]/.test(path);
  return isMisread ? server.get(formatResourcePath(path, true), request) : reply;
}

/** The directories with documents that a translation reads, and others that it reads on demand. */
const configurationFolders: ReadonlySet<string> = new Set([
  'workspaces',
  'styles',
  'layergroups',
  'security',
  'gwc-layers',
  'gwc',
  'templates',
  'layouts',
  'user_projections',
  'jdbcconfig',
  'wfs',
]);

/** Whether a translation reads the file, so that it is requested at once. */
function isRead(path: string): boolean {
  const [first = '', second] = path.split('/');
  if (second !== undefined && !configurationFolders.has(first)) return false;
  return /\.(?:xml|properties|ftl|sld|css|ysld|info|jceks)$/i.test(path);
}
