/**
 * Reads the catalog of a running source from the listings of its REST interface, for servers that keep it in a database.
 * The documents take the places that they have in a data directory, so that the same translation follows.
 */
import { Problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements } from '../../../lib/xml/elements.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { findChildText } from '../../../lib/xml/text.ts';
import { MAX_XML_BYTES } from '../read/read-xml.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { MAX_FILES, type Unvisited } from '../source/source.ts';
import { JobQueue } from './job-queue.ts';
import type { KeptFiles } from './kept-files.ts';
import type { RemoteListing } from './list-resources.ts';
import type { SourceServer } from './source-server.ts';

/** A listing of 100,000 resources. */
const MAX_LISTING_BYTES = 67_108_864;

/** Three elements for each resource of a listing. */
const limits = { maxDepth: 200, maxNodes: 2_000_000 };

/** As many as the server receives requests at once. */
const MAX_JOBS = 4;

const DATABASE_FILE = 'jdbcconfig/jdbcconfig.properties';

/** Files of a catalog in the data directory, which a catalog in a database leaves behind. */
const catalogFile =
  /^workspaces\/(?:default\.xml|[^/]+\/(?:workspace|namespace|settings|wms|wfs|wcs|wmts)\.xml|[^/]+\/[^/]+\/(?:[^/]+\/layer|(?:data|coverage|wms|wmts)store|[^/]+\/(?:featuretype|coverage|wmslayer|wmtslayer))\.xml)$|^(?:workspaces\/[^/]+\/)?(?:styles|layergroups)\/[^/]+\.xml$/;

/** Whether the catalog is in the files, and not in a database. */
export function hasCatalogFiles(files: readonly string[], kept: KeptFiles): boolean {
  const settings = kept.read(DATABASE_FILE)?.toString('latin1') ?? '';
  const isInDatabase = /^\s*enabled\s*[=:]\s*true\s*$/im.test(settings);
  return !isInDatabase && files.some((file) => /^workspaces\/[^/]+\/workspace\.xml$/.test(file));
}

/** Replaces the files of the catalog by the documents of the REST interface. */
export async function listCatalog(
  server: SourceServer,
  kept: KeptFiles,
  { files, unvisited }: RemoteListing,
): Promise<RemoteListing> {
  const lister = new CatalogLister(server, kept);
  if (!(await lister.run())) return { files, unvisited };
  const others = files.filter((file) => !lister.files.has(file) && !catalogFile.test(file));
  return { files: [...others, ...lister.files], unvisited: [...unvisited, ...lister.unvisited] };
}

/** Returns undefined for a document that is not XML. */
export function parseDocument(bytes: Buffer): XmlElement | undefined {
  try {
    return readXml(bytes.toString(), limits);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

interface StoreForm {
  readonly collection: string;
  readonly file: string;
  readonly resources: string;
  readonly resourceFile: string;
}

const storeForms: readonly StoreForm[] = [
  { collection: 'datastores', file: 'datastore', resources: 'featuretypes', resourceFile: 'featuretype' },
  { collection: 'coveragestores', file: 'coveragestore', resources: 'coverages', resourceFile: 'coverage' },
  { collection: 'wmsstores', file: 'wmsstore', resources: 'wmslayers', resourceFile: 'wmslayer' },
  { collection: 'wmtsstores', file: 'wmtsstore', resources: 'layers', resourceFile: 'wmtslayer' },
];

const serverSettings = [
  ['global', '/rest/settings'],
  ['logging', '/rest/logging'],
] as const;

const services = ['wms', 'wfs', 'wcs', 'wmts'];

class CatalogLister {
  readonly files = new Set<string>();
  readonly unvisited: Unvisited[] = [];
  readonly #server: SourceServer;
  readonly #kept: KeptFiles;
  readonly #jobs = new JobQueue();

  constructor(server: SourceServer, kept: KeptFiles) {
    this.#server = server;
    this.#kept = kept;
  }

  /** Returns false for a server without workspaces. */
  async run(): Promise<boolean> {
    const { status, bytes } = await this.#server.get('/rest/workspaces.xml', { maxBytes: MAX_LISTING_BYTES });
    const root = status === 200 ? bytes && parseDocument(bytes) : undefined;
    const workspaces = root === undefined ? [] : listNames(root);
    if (workspaces.length === 0) return false;
    this.#add('workspaces/default.xml', '/rest/workspaces/default');
    for (const [name, path] of serverSettings) this.#add(`${name}.xml`, path);
    for (const service of services) this.#add(`${service}.xml`, `/rest/services/${service}/settings`);
    this.#addCollections('', '/rest');
    for (const workspace of workspaces) this.#addWorkspace(workspace);
    await this.#jobs.run(MAX_JOBS);
    return true;
  }

  #addWorkspace(name: string): void {
    const folder = `workspaces/${formatFileName(name)}`;
    const path = `/rest/workspaces/${encodeURIComponent(name)}`;
    this.#add(`${folder}/workspace.xml`, path);
    this.#add(`${folder}/namespace.xml`, `/rest/namespaces/${encodeURIComponent(name)}`);
    // A workspace without settings has an empty document.
    this.#add(`${folder}/settings.xml`, `${path}/settings`, (root) => child(root, 'workspace') !== undefined);
    for (const service of services) {
      this.#add(
        `${folder}/${service}.xml`,
        `/rest/services/${service}/workspaces/${encodeURIComponent(name)}/settings`,
      );
    }
    this.#addCollections(`${folder}/`, path);
    for (const form of storeForms) {
      this.#jobs.add(async () => {
        for (const store of await this.#list(`${path}/${form.collection}`)) {
          const storePath = `${path}/${form.collection}/${encodeURIComponent(store)}`;
          this.#addStore(name, `${folder}/${formatFileName(store)}`, storePath, form);
        }
      });
    }
  }

  #addStore(workspace: string, folder: string, path: string, { file, resources, resourceFile }: StoreForm): void {
    this.#add(`${folder}/${file}.xml`, path);
    this.#jobs.add(async () => {
      for (const resource of await this.#list(`${path}/${resources}`)) {
        const inner = `${folder}/${formatFileName(resource)}`;
        this.#add(`${inner}/${resourceFile}.xml`, `${path}/${resources}/${encodeURIComponent(resource)}`);
        this.#add(`${inner}/layer.xml`, `/rest/layers/${encodeURIComponent(`${workspace}:${resource}`)}`);
      }
    });
  }

  /** Styles and layer groups, global or of a workspace. */
  #addCollections(before: string, path: string): void {
    for (const collection of ['styles', 'layergroups']) {
      this.#jobs.add(async () => {
        for (const name of await this.#list(`${path}/${collection}`)) {
          const file = `${before}${collection}/${formatFileName(name)}.xml`;
          this.#add(file, `${path}/${collection}/${encodeURIComponent(name)}`);
        }
      });
    }
  }

  /** Requests a document. A missing one is no file. */
  #add(file: string, path: string, isFile: (root: XmlElement) => boolean = () => true): void {
    this.#jobs.add(async () => {
      const { status, bytes } = await this.#server.get(`${path}.xml`, { maxBytes: MAX_XML_BYTES });
      if (status === 404) return;
      if (status !== 200 || bytes === undefined) {
        const problem = bytes === undefined ? `more than ${MAX_XML_BYTES} bytes` : `the status ${status}`;
        const reason = `The source returns ${problem} for ${path}.xml.`;
        this.unvisited.push({ path: file, code: 'file-unreadable', reason });
        return;
      }
      const root = parseDocument(bytes);
      // The translation reports a malformed document.
      if (root !== undefined && !isFile(root)) return;
      this.files.add(file);
      if (!this.#kept.keep(file, bytes) || this.files.size > MAX_FILES) {
        throw new MoveInError('source-unreadable', 'The catalog of the source is too large.');
      }
    });
  }

  /** The names in a listing; none for a kind of resources that an older server does not have. */
  async #list(path: string): Promise<readonly string[]> {
    const { status, bytes } = await this.#server.get(`${path}.xml`, { maxBytes: MAX_LISTING_BYTES });
    if (status === 404) return [];
    const root = status === 200 ? bytes && parseDocument(bytes) : undefined;
    if (root !== undefined) return listNames(root);
    throw new MoveInError(
      'source-unreadable',
      `The source returns no listing at ${this.#server.address}${path}.xml (status ${status}).`,
    );
  }
}

function listNames(root: XmlElement): readonly string[] {
  return listChildElements(root).flatMap((item) => findChildText(item, 'name') || []);
}

/** Names of directories with another meaning. */
const reserved: ReadonlySet<string> = new Set(['.', '..', 'styles', 'layergroups']);

/** A name as the name of a file or directory. */
function formatFileName(name: string): string {
  const plain = name.replaceAll(/[%/\\\p{Cc}]/gu, encodeURIComponent);
  if (!reserved.has(plain)) return plain;
  return `%${plain.charCodeAt(0).toString(16)}${plain.slice(1)}`;
}
