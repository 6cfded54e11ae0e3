/** Lists the files of an app-schema mapping: included mappings, schemas and the data of its stores. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path/posix';
import { decodeText } from '../../../lib/files/decode-text.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { findChildText, readElementText } from '../../../lib/xml/text.ts';
import { isFileFailure } from './data-copies.ts';
import type { DataPlace } from './data-place.ts';
import { listFilesByEnding, listShapefileParts, listShapefiles, type StoreFiles } from './folder-files.ts';

/** As for all documents of a source. */
const MAX_XML_BYTES = 10_485_760;
const limits = { maxDepth: 200, maxNodes: 500_000 };

/** Mappings and schemas of large models have some hundreds of files. */
const MAX_DOCUMENTS = 2_000;

/** The files keep their places relative to each other, because they refer to each other by relative paths. */
export async function listMappingFiles(place: DataPlace, main: string): Promise<StoreFiles> {
  if (!place.hasFile(main)) return { main: basename(main), files: [] };
  const found = await new MappingFiles(place, main).list();
  const folder = findCommonFolder(found);
  const toName = (path: string) => (folder === '' ? path : relative(folder, path));
  return { main: toName(main), files: found.map((path) => ({ name: toName(path), path })) };
}

class MappingFiles {
  readonly #place: DataPlace;
  readonly #main: string;
  readonly #found = new Set<string>();
  readonly #documents: { readonly path: string; readonly isSchema: boolean }[] = [];

  constructor(place: DataPlace, main: string) {
    this.#place = place;
    this.#main = main;
  }

  async list(): Promise<readonly string[]> {
    this.#addDocument(this.#main, false);
    for (const { path, isSchema } of this.#documents) {
      const root = await this.#readDocument(path);
      if (root === undefined) continue;
      if (isSchema) this.#addIncludedSchemas(root, path);
      else this.#addMappedFiles(root, path);
    }
    return [...this.#found].sort();
  }

  #addDocument(path: string | undefined, isSchema: boolean): void {
    if (path === undefined || this.#found.has(path) || this.#documents.length >= MAX_DOCUMENTS) return;
    if (!this.#add(path)) return;
    this.#documents.push({ path, isSchema });
  }

  #add(path: string): boolean {
    const isUsable = path === this.#main || this.#place.isReadable(path, this.#main);
    if (!isUsable || !this.#place.hasFile(path)) return false;
    this.#found.add(path);
    return true;
  }

  /** The server reports invalid documents. */
  async #readDocument(path: string): Promise<XmlElement | undefined> {
    try {
      const file = await this.#place.locate(path);
      return statSync(file).size > MAX_XML_BYTES
        ? undefined
        : readXml(decodeText(readFileSync(file), undefined, true), limits);
    } catch (error) {
      if (error instanceof Problem || isFileFailure(error)) return undefined;
      throw error;
    }
  }

  #addMappedFiles(root: XmlElement, path: string): void {
    for (const include of listItems(root, 'includedTypes', 'Include')) {
      this.#addDocument(resolveReference(path, readElementText(include)), false);
    }
    for (const type of listItems(root, 'targetTypes', 'FeatureType')) {
      for (const schema of listChildren(type, 'schemaUri')) {
        this.#addDocument(resolveReference(path, readElementText(schema)), true);
      }
    }
    const catalog = findChildText(root, 'catalog');
    const catalogPath = catalog === undefined ? undefined : resolveReference(path, catalog);
    if (catalogPath !== undefined) this.#add(catalogPath);
    for (const store of listItems(root, 'sourceDataStores', 'DataStore')) {
      const parameters = child(store, 'parameters');
      for (const parameter of parameters === undefined ? [] : listChildren(parameters, 'Parameter')) {
        this.#addSource(path, findChildText(parameter, 'name') ?? '', findChildText(parameter, 'value') ?? '');
      }
    }
  }

  #addSource(mapping: string, name: string, value: string): void {
    const path = sourceParameters.has(name) ? resolveReference(mapping, value) : undefined;
    if (path === undefined || (path !== '' && !this.#place.isReadable(`${path}/x`, this.#main))) return;
    for (const file of this.#listSourceFiles(name, path)) this.#add(file);
  }

  #listSourceFiles(name: string, path: string): readonly string[] {
    if (this.#place.hasFile(path)) {
      return [path, ...(/\.shp$/i.test(path) ? listShapefileParts(this.#place, path) : [])];
    }
    if (name === 'directory') return listFilesByEnding(this.#place, path, 'properties');
    // The schemas of the collections of a MongoDB database.
    return name === 'schema_store' ? listFilesByEnding(this.#place, path, 'json') : listShapefiles(this.#place, path);
  }

  #addIncludedSchemas(root: XmlElement, path: string): void {
    for (const element of listChildElements(root)) {
      const location = schemaReferences.has(element.local) ? attribute(element, 'schemaLocation') : undefined;
      if (location !== undefined) this.#addDocument(resolveReference(path, location), true);
    }
  }
}

const schemaReferences: ReadonlySet<string> = new Set(['include', 'import', 'redefine', 'override']);

/** The parameters of source stores that name files. */
const sourceParameters: ReadonlySet<string> = new Set(['url', 'directory', 'database', 'schema_store']);

function listItems(root: XmlElement, section: string, item: string): readonly XmlElement[] {
  const element = child(root, section);
  return element === undefined ? [] : listChildren(element, item);
}

/** Undefined for references that are not relative, or that lead out of the place. */
function resolveReference(from: string, written: string): string | undefined {
  const text = written.trim().replace(/^file:(?!\/)/i, '');
  if (text === '' || /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(text) || text.includes('\0')) return undefined;
  const path = normalize(join(dirname(from), text.replaceAll('\\', '/'))).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../')) return undefined;
  return path === '.' ? '' : path;
}

function findCommonFolder(paths: readonly string[]): string {
  let common = dirname(paths[0] ?? '').split('/');
  for (const path of paths) {
    const parts = dirname(path).split('/');
    const end = common.findIndex((part, index) => parts[index] !== part);
    if (end >= 0) common = common.slice(0, end);
  }
  const folder = common.join('/');
  return folder === '.' ? '' : folder;
}
