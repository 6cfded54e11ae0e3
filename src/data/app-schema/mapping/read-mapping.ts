/** Reads one mapping document into the model. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { type Complaints, shown } from '../complaints.ts';
import { readAttributeMapping } from './attribute-mapping.ts';
import { ElementReader } from './element-reader.ts';
import { APP_SCHEMA_NAMESPACE, type Mapping, type SourceStore, type TypeMapping } from './mapping.ts';
import { readQualifiedName, readTargetPath } from './target-path.ts';

const sections = ['namespaces', 'includedTypes', 'sourceDataStores', 'catalog', 'targetTypes', 'typeMappings'];

const typeParts = [
  'mappingName',
  'sourceDataStore',
  'sourceType',
  'sourceDatabaseSchema',
  'targetElement',
  'defaultGeometry',
  'isDenormalised',
  'isXmlDataStore',
  'itemXpath',
  'indexDataStore',
  'indexType',
  'attributeMappings',
];

/** Undefined where it is no mapping at all; what is wrong in one is among the complaints. */
export function readMapping(
  root: XmlElement,
  file: string,
  complaints: Complaints,
  properties: ReadonlyMap<string, string>,
): Mapping | undefined {
  const reader = new ElementReader(file, complaints, properties);
  if (root.local !== 'AppSchemaDataAccess' || root.uri !== APP_SCHEMA_NAMESPACE) {
    reader.complain(
      root.line,
      `The root element must be AppSchemaDataAccess of the namespace ${APP_SCHEMA_NAMESPACE}, not '${shown(root.name)}'.`,
    );
    return undefined;
  }
  const parts = reader.children(root, sections);
  /** The children of a section, all of one name. */
  const itemsOf = (section: string, item: string): readonly XmlElement[] => {
    const element = reader.child(parts, section);
    return element === undefined ? [] : reader.children(element, [item]);
  };
  const namespaces = readNamespaces(reader, itemsOf('namespaces', 'Namespace'));
  const storesElement = reader.child(parts, 'sourceDataStores');
  const catalog = reader.textOf(parts, 'catalog');
  return {
    file,
    namespaces,
    includes: itemsOf('includedTypes', 'Include').map((element) => ({
      path: reader.text(element),
      line: element.line,
    })),
    stores: storesElement === undefined ? [] : readStores(reader, storesElement, file),
    ...(catalog === undefined ? {} : { catalog }),
    schemas: itemsOf('targetTypes', 'FeatureType').flatMap((element) =>
      reader.children(element, ['schemaUri']).map((each) => ({ uri: reader.text(each), line: each.line })),
    ),
    types: itemsOf('typeMappings', 'FeatureTypeMapping').flatMap(
      (element) => readTypeMapping(reader, element, namespaces, file) ?? [],
    ),
  };
}

function readNamespaces(reader: ElementReader, elements: readonly XmlElement[]): ReadonlyMap<string, string> {
  const namespaces = new Map<string, string>();
  for (const element of elements) {
    const children = reader.children(element, ['prefix', 'uri']);
    const prefix = reader.requiredText(element, children, 'prefix');
    const uri = reader.requiredText(element, children, 'uri');
    const known = namespaces.get(prefix);
    if (known !== undefined && known !== uri) {
      reader.complain(
        element.line,
        `The prefix '${shown(prefix)}' stands for two namespaces, '${shown(known)}' and '${shown(uri)}'.`,
      );
    }
    if (prefix !== '') namespaces.set(prefix, uri);
  }
  return namespaces;
}

function readStores(reader: ElementReader, section: XmlElement, file: string): readonly SourceStore[] {
  const stores: SourceStore[] = [];
  const ids = new Set<string>();
  for (const element of reader.allChildren(section)) {
    const isPlain = element.local === 'DataStore';
    const children = isPlain
      ? reader.children(element, ['id', 'parameters', 'isDataAccess'])
      : reader.allChildren(element);
    const id = reader.requiredText(element, children, 'id');
    if (id !== '' && ids.has(id)) {
      reader.complain(element.line, `There are two source data stores with the id '${shown(id)}'.`);
    }
    ids.add(id);
    stores.push({
      id,
      key: storeKeyOf(file, id),
      element: element.local,
      parameters: isPlain ? readParameters(reader, children) : plainChildren(reader, children),
      isDataAccess: reader.flag(children, 'isDataAccess', false),
      line: element.line,
    });
  }
  return stores;
}

function storeKeyOf(file: string, id: string): string {
  return JSON.stringify([file, id]);
}

function readParameters(reader: ElementReader, children: readonly XmlElement[]): Readonly<Record<string, string>> {
  const list = reader.child(children, 'parameters');
  const parameters = new Map<string, string>();
  for (const element of list === undefined ? [] : reader.children(list, ['Parameter'])) {
    const parts = reader.children(element, ['name', 'value']);
    const name = reader.requiredText(element, parts, 'name');
    if (parameters.has(name)) reader.complain(element.line, `The parameter '${shown(name)}' is there twice.`);
    if (name !== '') parameters.set(name, reader.textOf(parts, 'value') ?? '');
  }
  return Object.fromEntries(parameters);
}

/** Stores that are configured otherwise: what they have beside their id is for whoever knows them. */
function plainChildren(reader: ElementReader, children: readonly XmlElement[]): Readonly<Record<string, string>> {
  const plain = children.filter(
    ({ local, children: inner }) => local !== 'id' && inner.every(({ kind }) => kind === 'text'),
  );
  return Object.fromEntries(plain.map((element) => [element.local, reader.text(element)]));
}

function readTypeMapping(
  reader: ElementReader,
  element: XmlElement,
  namespaces: ReadonlyMap<string, string>,
  file: string,
): TypeMapping | undefined {
  const children = reader.children(element, typeParts);
  const optional = (name: string): string | undefined => reader.textOf(children, name);
  const name = optional('mappingName');
  const databaseSchema = optional('sourceDatabaseSchema');
  const itemXpath = optional('itemXpath');
  const indexStore = optional('indexDataStore');
  const indexType = optional('indexType');
  const sourceStore = reader.requiredText(element, children, 'sourceDataStore');
  const sourceType = reader.requiredText(element, children, 'sourceType');
  const target = reader.child(children, 'targetElement');
  if (target === undefined)
    reader.complain(element.line, `'FeatureTypeMapping' must have 'targetElement', with text in it.`);
  const targetElement = target && reader.reading(target, (text) => readQualifiedName(text, namespaces));
  const geometry = reader.child(children, 'defaultGeometry');
  const defaultGeometry = geometry && reader.reading(geometry, (text) => readTargetPath(text, namespaces));
  const list = reader.child(children, 'attributeMappings');
  const attributes = (list === undefined ? [] : reader.children(list, ['AttributeMapping'])).map((each) =>
    readAttributeMapping(reader, each, namespaces),
  );
  const labels = new Set(attributes.map(({ label }) => label));
  for (const { parentLabel, line } of attributes) {
    if (parentLabel !== undefined && !labels.has(parentLabel)) {
      reader.complain(
        line,
        `There is no attribute mapping with the label '${shown(parentLabel)}' that 'parentLabel' names.`,
      );
    }
  }
  if (targetElement === undefined) return undefined;
  return {
    ...(name === undefined ? {} : { name }),
    sourceStore,
    storeKey: storeKeyOf(file, sourceStore),
    sourceType,
    ...(databaseSchema === undefined ? {} : { databaseSchema }),
    targetElement,
    ...(defaultGeometry === undefined ? {} : { defaultGeometry }),
    isDenormalised: reader.flag(children, 'isDenormalised', true),
    isXmlStore: reader.flag(children, 'isXmlDataStore', false),
    ...(itemXpath === undefined ? {} : { itemXpath }),
    ...(indexStore === undefined ? {} : { indexStore }),
    ...(indexType === undefined ? {} : { indexType }),
    attributes,
    line: element.line,
  };
}
