/** Reads `indexer.xml`, and the file of the same form that says which variables of NetCDF files are coverages. */
import { decodeText } from '../../lib/decode-text.ts';
import { Problem } from '../../lib/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { childElements, attribute as written } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { textOf } from '../../lib/xml/text.ts';
import type { MosaicDomain, SchemaAttribute } from './definition.ts';
import { checkCoverageName, type Entry, mistake, type Notes, shown } from './definition-mistake.ts';
import { domainOf, type IndexerParts, oneOrTwo, type WrittenCoverage } from './indexer-parts.ts';
import type { WrittenCollector } from './read-collectors.ts';
import { readSchemaText } from './schema-text.ts';

/** An indexer of a hundred coverages has a tenth of it. */
const limits = { maxDepth: 20, maxNodes: 50_000 };

export function readIndexerXml(file: string, bytes: Uint8Array, notes: Notes): IndexerParts {
  return new IndexerReader(file, notes).read(rootOf(file, bytes));
}

function rootOf(file: string, bytes: Uint8Array): XmlElement {
  try {
    return readXml(decodeText(bytes, undefined, true), limits);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { line } = error.details as { readonly line?: unknown };
    throw mistake({ file, line: typeof line === 'number' ? line : 1 }, file, error.message.replace(/\.$/, ''));
  }
}

class IndexerReader {
  readonly #file: string;
  readonly #notes: Notes;

  constructor(file: string, notes: Notes) {
    this.#file = file;
    this.#notes = notes;
  }

  read(root: XmlElement): IndexerParts {
    if (root.local !== 'Indexer') throw this.#wrong(root, `the document must be an Indexer`);
    const parts = this.#children(root, ['domains', 'schemas', 'coverages', 'collectors', 'parameters']);
    const of = (name: string, item: string): readonly XmlElement[] =>
      parts.filter(({ local }) => local === name).flatMap((list) => this.#children(list, [item]));

    const collectors = of('collectors', 'collector').map((each) => this.#collector(each));
    const names = new Set(collectors.map(({ name }) => name));
    const domains = new Map(of('domains', 'domain').map((each) => this.#domain(each, names)));
    const schemas = new Map(
      of('schemas', 'schema').map((each) => [this.#required(each, 'name'), this.#attributes(each)]),
    );
    return {
      parameters: this.#parameters(of('parameters', 'parameter')),
      collectors: collectors.map(({ collector }) => collector),
      coverages: of('coverages', 'coverage').map((each) => this.#coverage(each, schemas, domains)),
      domains: [...domains.values()],
    };
  }

  #parameters(elements: readonly XmlElement[]): ReadonlyMap<string, Entry> {
    const parameters = new Map<string, Entry>();
    for (const element of elements) {
      const key = this.#required(element, 'name');
      const child = this.#children(element, ['value'])[0];
      const value = (attribute(element, 'value') ?? (child === undefined ? textOf(element) : textOf(child))).trim();
      const before = parameters.get(key);
      if (before !== undefined) {
        throw mistake(this.#at(element), key, `it is there twice, first on line ${before.line}`);
      }
      parameters.set(key, { ...this.#at(element), key, value });
    }
    return parameters;
  }

  #collector(element: XmlElement): { readonly name: string; readonly collector: WrittenCollector } {
    const children = this.#children(element, ['spi', 'value', 'mapped', 'type']);
    const text = (name: string): string => {
      const child = children.find(({ local }) => local === name);
      return child === undefined ? '' : textOf(child);
    };
    const spi = text('spi');
    if (spi === '') throw this.#wrong(element, "it has no 'spi' that names its kind");
    const value = text('value');
    const mapped = children.filter(({ local }) => local === 'mapped').flatMap((each) => textOf(each).split(','));
    return {
      name: attribute(element, 'name') ?? '',
      collector: {
        ...this.#at(element),
        spi,
        value,
        // The name of a file is told by its ending: anything else is an expression.
        isInline: !/\.properties$/i.test(value),
        attributes: mapped.map((each) => each.trim()).filter((each) => each !== ''),
      },
    };
  }

  #domain(element: XmlElement, collectors: ReadonlySet<string>): readonly [string, MosaicDomain] {
    const name = this.#required(element, 'name');
    const written = this.#children(element, ['attributes'])
      .flatMap((list) => this.#children(list, ['attribute']))
      .map((each) => {
        const reference = attribute(each, 'ref') ?? attribute(each, 'collectorRef');
        if (reference !== undefined && !collectors.has(reference)) {
          throw this.#wrong(each, `there is no collector named '${shown(reference)}'`);
        }
        return textOf(each);
      });
    const attributes = oneOrTwo(written);
    if (attributes === undefined) {
      throw this.#wrong(
        element,
        `the domain '${shown(name)}' needs one attribute, or one for the start and one for the end`,
      );
    }
    return [name, domainOf(name, attributes)];
  }

  #coverage(
    element: XmlElement,
    schemas: ReadonlyMap<string, readonly SchemaAttribute[]>,
    domains: ReadonlyMap<string, MosaicDomain>,
  ): WrittenCoverage {
    const children = this.#children(element, ['name', 'origName', 'schema', 'domains', 'nameCollector']);
    const child = (name: string): XmlElement | undefined => children.find(({ local }) => local === name);
    const originalName = child('origName');
    const name = child('name') ?? originalName;
    const collector = child('nameCollector');
    if (collector !== undefined) {
      throw this.#wrong(collector, 'names of coverages come from the parameter CoverageNameCollectorSPI');
    }
    if (name === undefined || textOf(name) === '') throw this.#wrong(element, "it has no 'name'");
    checkCoverageName({ ...this.#at(name), key: name.local }, textOf(name));
    const schema = child('schema');
    const listed = child('domains');
    return {
      entry: { ...this.#at(element), key: 'coverage', value: textOf(name) },
      name: textOf(name),
      ...(originalName === undefined ? {} : { originalName: textOf(originalName) }),
      ...(schema === undefined ? {} : { schema: this.#schema(schema, schemas) }),
      ...(listed === undefined
        ? {}
        : {
            domains: this.#children(listed, ['domain']).map((each) =>
              this.#referred(each, this.#required(each, 'ref'), domains, 'domain'),
            ),
          }),
    };
  }

  #schema(element: XmlElement, schemas: ReadonlyMap<string, readonly SchemaAttribute[]>): readonly SchemaAttribute[] {
    const reference = attribute(element, 'ref');
    return reference === undefined ? this.#attributes(element) : this.#referred(element, reference, schemas, 'schema');
  }

  #referred<T>(element: XmlElement, name: string, all: ReadonlyMap<string, T>, what: string): T {
    const found = all.get(name);
    if (found === undefined) throw this.#wrong(element, `there is no ${what} named '${shown(name)}'`);
    return found;
  }

  #attributes(element: XmlElement): readonly SchemaAttribute[] {
    const [list] = this.#children(element, ['attributes']);
    if (list === undefined) throw this.#wrong(element, "it has no 'attributes'");
    return readSchemaText({ ...this.#at(list), key: 'attributes', value: textOf(list) }, this.#notes);
  }

  /** The elements of these names; any other is noted. */
  #children(element: XmlElement, names: readonly string[]): readonly XmlElement[] {
    const elements = childElements(element);
    for (const child of elements) {
      if (!names.includes(child.local)) this.#notes.unknown(this.#at(child), child.name, names);
    }
    return elements.filter(({ local }) => names.includes(local));
  }

  #required(element: XmlElement, name: string): string {
    const value = attribute(element, name);
    if (value === undefined || value === '') throw this.#wrong(element, `its attribute '${name}' is missing`);
    return value;
  }

  #at({ line }: XmlElement): { readonly file: string; readonly line: number } {
    return { file: this.#file, line };
  }

  #wrong(element: XmlElement, reason: string): Error {
    return mistake(this.#at(element), element.local, reason);
  }
}

function attribute(element: XmlElement, name: string): string | undefined {
  return written(element, name)?.trim();
}
