/** Reads `indexer.xml`, and the auxiliary file, which maps NetCDF variables to coverages. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { listChildElements, attribute as written } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { readElementText } from '../../lib/xml/text.ts';
import type { MosaicDomain, SchemaAttribute } from './definition.ts';
import {
  checkCoverageName,
  createDefinitionError,
  type DefinitionWarnings,
  type Entry,
  formatExcerpt,
} from './definition-error.ts';
import { type CoverageEntry, createDomain, type IndexerParts, toAttributePair } from './indexer-parts.ts';
import type { CollectorEntry } from './read-collectors.ts';
import { readSchemaText } from './schema-text.ts';

/** An indexer with a hundred coverages has a tenth of this. */
const limits = { maxDepth: 20, maxNodes: 50_000 };

export function readIndexerXml(file: string, bytes: Uint8Array, notes: DefinitionWarnings): IndexerParts {
  return new IndexerReader(file, notes).read(readRoot(file, bytes));
}

function readRoot(file: string, bytes: Uint8Array): XmlElement {
  try {
    return readXml(decodeText(bytes, undefined, true), limits);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { line } = error.details as { readonly line?: unknown };
    throw createDefinitionError(
      { file, line: typeof line === 'number' ? line : 1 },
      file,
      error.message.replace(/\.$/, ''),
    );
  }
}

class IndexerReader {
  readonly #file: string;
  readonly #notes: DefinitionWarnings;

  constructor(file: string, notes: DefinitionWarnings) {
    this.#file = file;
    this.#notes = notes;
  }

  read(root: XmlElement): IndexerParts {
    if (root.local !== 'Indexer') throw this.#createError(root, `the root element must be Indexer`);
    const parts = this.#listChildren(root, ['domains', 'schemas', 'coverages', 'collectors', 'parameters']);
    const of = (name: string, item: string): readonly XmlElement[] =>
      parts.filter(({ local }) => local === name).flatMap((list) => this.#listChildren(list, [item]));

    const collectors = of('collectors', 'collector').map((each) => this.#readCollector(each));
    const names = new Set(collectors.map(({ name }) => name));
    const domains = new Map(of('domains', 'domain').map((each) => this.#readDomain(each, names)));
    const schemas = new Map(
      of('schemas', 'schema').map((each) => [this.#getRequired(each, 'name'), this.#readAttributes(each)]),
    );
    const listed = of('coverages', 'coverage');
    const collected = listed.find((each) => findChild(each, 'nameCollector') !== undefined);
    const nameCollector = collected && this.#findNameCollector(collected, collectors);
    // Without a name, the collector names the coverage, and its schema applies to all.
    const isNamed = (each: XmlElement): boolean =>
      findChild(each, 'name') !== undefined || findChild(each, 'origName') !== undefined || each !== collected;
    const schema = collected && !isNamed(collected) ? findChild(collected, 'schema') : undefined;
    return {
      parameters: this.#readParameters(of('parameters', 'parameter')),
      collectors: collectors
        .map(({ collector }) => collector)
        .filter((each) => each !== nameCollector || each.attributes.length > 0),
      coverages: listed.filter(isNamed).map((each) => this.#readCoverage(each, schemas, domains)),
      domains: [...domains.values()],
      ...(nameCollector === undefined ? {} : { nameCollector }),
      ...(schema === undefined ? {} : { schema: this.#readSchema(schema, schemas) }),
    };
  }

  /** The element contains the name of a collector, or the collector as in the parameter `CoverageNameCollectorSPI`. */
  #findNameCollector(
    coverage: XmlElement,
    collectors: readonly { readonly name: string; readonly collector: CollectorEntry }[],
  ): CollectorEntry | undefined {
    const element = findChild(coverage, 'nameCollector');
    if (element === undefined) return undefined;
    const text = findAttribute(element, 'ref') ?? readElementText(element);
    const known = collectors.find(({ name }) => name === text)?.collector;
    if (known !== undefined) return known;
    const [, spi = '', value] = /^([\w.$]+)\s*:\s*regex\s*=([\s\S]+)$/.exec(text) ?? [];
    if (value === undefined) throw this.#createError(element, `no collector is named '${formatExcerpt(text)}'`);
    return { ...this.#getPosition(element), spi, value, isInline: true, attributes: [] };
  }

  #readParameters(elements: readonly XmlElement[]): ReadonlyMap<string, Entry> {
    const parameters = new Map<string, Entry>();
    for (const element of elements) {
      const key = this.#getRequired(element, 'name');
      const child = this.#listChildren(element, ['value'])[0];
      const value = (
        findAttribute(element, 'value') ?? (child === undefined ? readElementText(element) : readElementText(child))
      ).trim();
      const before = parameters.get(key);
      if (before !== undefined) {
        throw createDefinitionError(this.#getPosition(element), key, `it is a duplicate of line ${before.line}`);
      }
      parameters.set(key, { ...this.#getPosition(element), key, value });
    }
    return parameters;
  }

  #readCollector(element: XmlElement): { readonly name: string; readonly collector: CollectorEntry } {
    const children = this.#listChildren(element, ['spi', 'value', 'mapped', 'type']);
    const text = (name: string): string => {
      const child = children.find(({ local }) => local === name);
      return child === undefined ? '' : readElementText(child);
    };
    const spi = text('spi');
    if (spi === '') throw this.#createError(element, "the element 'spi' is required");
    const value = text('value');
    const mapped = children
      .filter(({ local }) => local === 'mapped')
      .flatMap((each) => readElementText(each).split(','));
    return {
      name: findAttribute(element, 'name') ?? '',
      collector: {
        ...this.#getPosition(element),
        spi,
        value,
        // A value with this extension is a file name: anything else is an expression.
        isInline: !/\.properties$/i.test(value),
        attributes: mapped.map((each) => each.trim()).filter((each) => each !== ''),
      },
    };
  }

  #readDomain(element: XmlElement, collectors: ReadonlySet<string>): readonly [string, MosaicDomain] {
    const name = this.#getRequired(element, 'name');
    const written = this.#listChildren(element, ['attributes'])
      .flatMap((list) => this.#listChildren(list, ['attribute']))
      .map((each) => {
        const reference = findAttribute(each, 'ref') ?? findAttribute(each, 'collectorRef');
        if (reference !== undefined && !collectors.has(reference)) {
          throw this.#createError(each, `no collector is named '${formatExcerpt(reference)}'`);
        }
        return readElementText(each);
      });
    const attributes = toAttributePair(written);
    if (attributes === undefined) {
      throw this.#createError(
        element,
        `the domain '${formatExcerpt(name)}' must name one attribute, or two for the start and the end`,
      );
    }
    return [name, createDomain(name, attributes)];
  }

  #readCoverage(
    element: XmlElement,
    schemas: ReadonlyMap<string, readonly SchemaAttribute[]>,
    domains: ReadonlyMap<string, MosaicDomain>,
  ): CoverageEntry {
    const children = this.#listChildren(element, ['name', 'origName', 'schema', 'domains', 'nameCollector']);
    const child = (name: string): XmlElement | undefined => children.find(({ local }) => local === name);
    const originalName = child('origName');
    const name = child('name') ?? originalName;
    if (name === undefined || readElementText(name) === '')
      throw this.#createError(element, "the element 'name' is required");
    checkCoverageName({ ...this.#getPosition(name), key: name.local }, readElementText(name));
    const schema = child('schema');
    const listed = child('domains');
    return {
      entry: { ...this.#getPosition(element), key: 'coverage', value: readElementText(name) },
      name: readElementText(name),
      ...(originalName === undefined ? {} : { originalName: readElementText(originalName) }),
      ...(schema === undefined ? {} : { schema: this.#readSchema(schema, schemas) }),
      ...(listed === undefined
        ? {}
        : {
            domains: this.#listChildren(listed, ['domain']).map((each) =>
              this.#getReferenced(each, this.#getRequired(each, 'ref'), domains, 'domain'),
            ),
          }),
    };
  }

  #readSchema(
    element: XmlElement,
    schemas: ReadonlyMap<string, readonly SchemaAttribute[]>,
  ): readonly SchemaAttribute[] {
    const reference = findAttribute(element, 'ref');
    return reference === undefined
      ? this.#readAttributes(element)
      : this.#getReferenced(element, reference, schemas, 'schema');
  }

  #getReferenced<T>(element: XmlElement, name: string, all: ReadonlyMap<string, T>, what: string): T {
    const found = all.get(name);
    if (found === undefined) throw this.#createError(element, `no ${what} is named '${formatExcerpt(name)}'`);
    return found;
  }

  #readAttributes(element: XmlElement): readonly SchemaAttribute[] {
    const [list] = this.#listChildren(element, ['attributes']);
    if (list === undefined) throw this.#createError(element, "the element 'attributes' is required");
    return readSchemaText({ ...this.#getPosition(list), key: 'attributes', value: readElementText(list) }, this.#notes);
  }

  /** Returns the children with these names and warns about others. */
  #listChildren(element: XmlElement, names: readonly string[]): readonly XmlElement[] {
    const elements = listChildElements(element);
    for (const child of elements) {
      if (!names.includes(child.local)) this.#notes.warnUnknown(this.#getPosition(child), child.name, names);
    }
    return elements.filter(({ local }) => names.includes(local));
  }

  #getRequired(element: XmlElement, name: string): string {
    const value = findAttribute(element, name);
    if (value === undefined || value === '') throw this.#createError(element, `the attribute '${name}' is required`);
    return value;
  }

  #getPosition({ line }: XmlElement): { readonly file: string; readonly line: number } {
    return { file: this.#file, line };
  }

  #createError(element: XmlElement, reason: string): Error {
    return createDefinitionError(this.#getPosition(element), element.local, reason);
  }
}

function findChild(element: XmlElement, name: string): XmlElement | undefined {
  return listChildElements(element).find(({ local }) => local === name);
}

function findAttribute(element: XmlElement, name: string): string | undefined {
  return written(element, name)?.trim();
}
