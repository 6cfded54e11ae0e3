/** The documents of a data directory as the REST interface of the other server returns them: names instead of ids. */
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { child, listChildElements } from '../../../src/lib/xml/elements.ts';
import { readXml } from '../../../src/lib/xml/reader.ts';
import { findChildText, readRawText } from '../../../src/lib/xml/text.ts';
import { type DirectoryFiles, type Element, writeXml } from './documents.ts';

/** Documents by their path below `/rest`, without the suffix. */
export type RestDocuments = ReadonlyMap<string, string>;

/** The files of the catalog, which a server with a database does not have. */
export const catalogFile =
  /^(?:global|logging|w[mfc]s|wmts)\.xml$|^workspaces\/(?!.*\.ftl$)(?!.*\/styles\/.*(?<!\.xml)$)|^(?:styles|layergroups)\/[^/]+\.xml$/;

const stores = {
  datastore: ['datastores', 'featuretypes'],
  coveragestore: ['coveragestores', 'coverages'],
  wmsstore: ['wmsstores', 'wmslayers'],
  wmtsstore: ['wmtsstores', 'layers'],
} as const;

const resourceFiles = ['featuretype', 'coverage', 'wmslayer', 'wmtslayer'];

export function createRestDocuments(files: DirectoryFiles): RestDocuments {
  const catalog = new RestCatalog(files);
  catalog.run();
  return catalog.documents;
}

class RestCatalog {
  readonly documents = new Map<string, string>();
  readonly #roots: ReadonlyMap<string, XmlElement>;
  /** The qualified names of resources by id. */
  readonly #names = new Map<string, string>();
  readonly #listings = new Map<string, string[]>();

  constructor(files: DirectoryFiles) {
    this.#roots = new Map(
      Object.entries(files).flatMap(([path, content]) => {
        if (!path.endsWith('.xml') || !catalogFile.test(path)) return [];
        return [[path, readXml(String(content), { maxDepth: 100, maxNodes: 100_000 })] as const];
      }),
    );
  }

  run(): void {
    this.#list('/workspaces');
    for (const collection of ['/styles', '/layergroups']) this.#list(collection);
    for (const [path, root] of this.#roots) this.#names.set(findChildText(root, 'id') ?? '', this.#qualify(path, root));
    for (const [path, root] of this.#roots) this.#addDocument(path, root);
    for (const [path, names] of this.#listings) {
      const items = names.map((name): Element => ['item', [['name', name], createLink(`${path}/${name}`)]]);
      this.documents.set(path, writeXml(['list', items]));
    }
  }

  #list(path: string, name?: string): void {
    const names = this.#listings.get(path) ?? [];
    this.#listings.set(path, names);
    if (name !== undefined) names.push(name);
  }

  #findWorkspace(path: string): string | undefined {
    const [, folder] = /^workspaces\/([^/]+)\//.exec(path) ?? [];
    const root = folder === undefined ? undefined : this.#roots.get(`workspaces/${folder}/workspace.xml`);
    return root && findChildText(root, 'name');
  }

  #qualify(path: string, root: XmlElement): string {
    const name = findChildText(root, 'name') ?? findChildText(root, 'prefix') ?? '';
    const workspace = /\/(?:workspace|namespace)\.xml$/.test(path) ? undefined : this.#findWorkspace(path);
    return workspace === undefined ? name : `${workspace}:${name}`;
  }

  #addDocument(path: string, root: XmlElement): void {
    const place = this.#findPlace(path, root);
    if (place !== undefined) this.documents.set(place, writeXml(this.#toElement(root, true)));
  }

  /** The path of a document below `/rest`; its name becomes part of the listing above. */
  #findPlace(path: string, root: XmlElement): string | undefined {
    const name = findChildText(root, 'name') ?? '';
    const workspace = this.#findWorkspace(path);
    const home = workspace === undefined ? '' : `/workspaces/${workspace}`;
    const [folder = '', file = ''] = [path.slice(0, Math.max(0, path.lastIndexOf('/'))), path.split('/').at(-1)];
    const [collection = ''] = folder.split('/').slice(-1);
    if (path === 'workspaces/default.xml') return '/workspaces/default';
    if (path === 'global.xml') return '/settings';
    if (path === 'logging.xml') return '/logging';
    if (collection === 'styles' || collection === 'layergroups') {
      this.#list(`${home}/${collection}`, name);
      return `${home}/${collection}/${name}`;
    }
    switch (file) {
      case 'workspace.xml':
        this.#list('/workspaces', name);
        for (const [stored] of Object.values(stores)) this.#list(`${home}/${stored}`);
        for (const each of ['styles', 'layergroups']) this.#list(`${home}/${each}`);
        return home;
      case 'namespace.xml':
        return `/namespaces/${findChildText(root, 'prefix')}`;
      case 'settings.xml':
        return `${home}/settings`;
      case 'layer.xml':
        return `/layers/${workspace}:${name}`;
    }
    const plain = file.replace(/\.xml$/, '');
    if (['wms', 'wfs', 'wcs', 'wmts'].includes(plain)) return `/services/${plain}${home}/settings`;
    return this.#findStorePlace(home, { folder, plain, name });
  }

  #findStorePlace(
    home: string,
    { folder, plain, name }: { readonly folder: string; readonly plain: string; readonly name: string },
  ): string | undefined {
    if (Object.hasOwn(stores, plain)) {
      const [collection, resources] = stores[plain as keyof typeof stores];
      this.#list(`${home}/${collection}`, name);
      this.#list(`${home}/${collection}/${name}/${resources}`);
      return `${home}/${collection}/${name}`;
    }
    if (!resourceFiles.includes(plain)) return undefined;
    const above = folder.slice(0, folder.lastIndexOf('/'));
    for (const [file, [collection, resources]] of Object.entries(stores)) {
      const store = this.#roots.get(`${above}/${file}.xml`);
      if (store === undefined) continue;
      const listing = `${home}/${collection}/${findChildText(store, 'name')}/${resources}`;
      this.#list(listing, name);
      return `${listing}/${name}`;
    }
    return undefined;
  }

  /** References by id become names with a link; ids are left out. */
  #toElement(element: XmlElement, isRoot = false): Element {
    const attributes = Object.fromEntries(element.attributes.map(({ name, value }) => [name, value]));
    const children = listChildElements(element);
    const id = children.length === 1 ? child(element, 'id') : undefined;
    if (id !== undefined && !isRoot) {
      const name = this.#names.get(readRawText(id));
      const reference: readonly Element[] = name === undefined ? [] : [['name', name], createLink(`/any/${name}`)];
      return [element.name, reference, attributes];
    }
    if (children.length === 0) return [element.name, readRawText(element), attributes];
    const shown = isRoot ? children.filter(({ local }) => local !== 'id') : children;
    return [element.name, shown.map((each) => this.#toElement(each)), attributes];
  }
}

function createLink(path: string): Element {
  const href = `http://old.example/geoserver/rest${encodeURI(path)}.xml`;
  const attributes = { 'xmlns:atom': 'http://www.w3.org/2005/Atom', rel: 'alternate', href, type: 'application/xml' };
  return ['atom:link', undefined, attributes];
}
