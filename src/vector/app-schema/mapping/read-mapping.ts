/** Reads one mapping document into the model. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { APP_SCHEMA_NAMESPACE, type Mapping, type SourceStore, type TypeMapping } from '../../port/mapping.ts';
import { formatExcerpt } from '../diagnostics.ts';
import { readAttributeMapping } from './attribute-mapping.ts';
import { ElementReader, type ReaderContext } from './element-reader.ts';
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

/** Returns undefined if the document is not a mapping; other errors are added to the diagnostics. */
export function readMapping(root: XmlElement, file: string, context: ReaderContext): Mapping | undefined {
  const reader = new ElementReader(file, context);
  if (root.local !== 'AppSchemaDataAccess' || root.uri !== APP_SCHEMA_NAMESPACE) {
    reader.addDiagnostic(
      root.line,
      `The root element must be AppSchemaDataAccess in the namespace ${APP_SCHEMA_NAMESPACE}, not '${formatExcerpt(root.name)}'.`,
    );
    return undefined;
  }
  const parts = reader.listChildren(root, sections);
  /** Returns the children of a section, which all have the same name. */
  const listItems = (section: string, item: string): readonly XmlElement[] => {
    const element = reader.child(parts, section);
    return element === undefined ? [] : reader.listChildren(element, [item]);
  };
  const namespaces = readNamespaces(reader, listItems('namespaces', 'Namespace'));
  const storesElement = reader.child(parts, 'sourceDataStores');
  const catalog = reader.findText(parts, 'catalog');
  return {
    file,
    namespaces,
    includes: listItems('includedTypes', 'Include').map((element) => ({
      path: reader.text(element),
      line: element.line,
    })),
    stores: storesElement === undefined ? [] : readStores(reader, storesElement, file),
    ...(catalog === undefined ? {} : { catalog }),
    schemas: listItems('targetTypes', 'FeatureType').flatMap((element) =>
      reader.listChildren(element, ['schemaUri']).map((each) => ({ uri: reader.text(each), line: each.line })),
    ),
    types: listItems('typeMappings', 'FeatureTypeMapping').flatMap(
      (element) => readTypeMapping(reader, element, namespaces, file) ?? [],
    ),
  };
}

function readNamespaces(reader: ElementReader, elements: readonly XmlElement[]): ReadonlyMap<string, string> {
  const namespaces = new Map<string, string>();
  for (const element of elements) {
    const children = reader.listChildren(element, ['prefix', 'uri']);
    const prefix = reader.readRequiredText(element, children, 'prefix');
    const uri = reader.readRequiredText(element, children, 'uri');
    const known = namespaces.get(prefix);
    if (known !== undefined && known !== uri) {
      reader.addDiagnostic(
        element.line,
        `The prefix '${formatExcerpt(prefix)}' is bound to two namespaces, '${formatExcerpt(known)}' and '${formatExcerpt(uri)}'.`,
      );
    }
    if (prefix !== '') namespaces.set(prefix, uri);
  }
  return namespaces;
}

function readStores(reader: ElementReader, section: XmlElement, file: string): readonly SourceStore[] {
  const stores: SourceStore[] = [];
  const ids = new Set<string>();
  for (const element of reader.listAllChildren(section)) {
    const isPlain = element.local === 'DataStore';
    const children = isPlain
      ? reader.listChildren(element, ['id', 'parameters', 'isDataAccess'])
      : reader.listAllChildren(element);
    const id = reader.readRequiredText(element, children, 'id');
    if (id !== '' && ids.has(id)) {
      reader.addDiagnostic(element.line, `Duplicate source data store id '${formatExcerpt(id)}'.`);
    }
    ids.add(id);
    stores.push({
      id,
      key: formatStoreKey(file, id),
      element: element.local,
      parameters: isPlain ? readParameters(reader, children) : readPlainChildren(reader, children),
      isDataAccess: reader.readFlag(children, 'isDataAccess', false),
      line: element.line,
    });
  }
  return stores;
}

function formatStoreKey(file: string, id: string): string {
  return JSON.stringify([file, id]);
}

function readParameters(reader: ElementReader, children: readonly XmlElement[]): Readonly<Record<string, string>> {
  const list = reader.child(children, 'parameters');
  const parameters = new Map<string, string>();
  for (const element of list === undefined ? [] : reader.listChildren(list, ['Parameter'])) {
    const parts = reader.listChildren(element, ['name', 'value']);
    const name = reader.readRequiredText(element, parts, 'name');
    if (parameters.has(name)) reader.addDiagnostic(element.line, `Duplicate parameter '${formatExcerpt(name)}'.`);
    if (name !== '') parameters.set(name, reader.findText(parts, 'value') ?? '');
  }
  return Object.fromEntries(parameters);
}

/** Reads stores of other kinds: the children besides the id are kept for their drivers. */
function readPlainChildren(reader: ElementReader, children: readonly XmlElement[]): Readonly<Record<string, string>> {
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
  const children = reader.listChildren(element, typeParts);
  const findOptionalText = (name: string): string | undefined => reader.findText(children, name);
  const name = findOptionalText('mappingName');
  const databaseSchema = findOptionalText('sourceDatabaseSchema');
  const itemXpath = findOptionalText('itemXpath');
  const indexStore = findOptionalText('indexDataStore');
  const indexType = findOptionalText('indexType');
  const sourceStore = reader.readRequiredText(element, children, 'sourceDataStore');
  const sourceType = reader.readRequiredText(element, children, 'sourceType');
  const target = reader.child(children, 'targetElement');
  if (target === undefined)
    reader.addDiagnostic(element.line, `'FeatureTypeMapping' requires a non-empty 'targetElement'.`);
  const targetElement = target && reader.tryRead(target, (text) => readQualifiedName(text, namespaces));
  const geometry = reader.child(children, 'defaultGeometry');
  const defaultGeometry = geometry && reader.tryRead(geometry, (text) => readTargetPath(text, namespaces));
  const list = reader.child(children, 'attributeMappings');
  const attributes = (list === undefined ? [] : reader.listChildren(list, ['AttributeMapping'])).map((each) =>
    readAttributeMapping(reader, each, namespaces),
  );
  const labels = new Set(attributes.map(({ label }) => label));
  for (const { parentLabel, line } of attributes) {
    if (parentLabel !== undefined && !labels.has(parentLabel)) {
      reader.addDiagnostic(line, `'parentLabel' refers to the unknown label '${formatExcerpt(parentLabel)}'.`);
    }
  }
  if (targetElement === undefined) return undefined;
  return {
    ...(name === undefined ? {} : { name }),
    sourceStore,
    storeKey: formatStoreKey(file, sourceStore),
    sourceType,
    ...(databaseSchema === undefined ? {} : { databaseSchema }),
    targetElement,
    ...(defaultGeometry === undefined ? {} : { defaultGeometry }),
    isDenormalised: reader.readFlag(children, 'isDenormalised', true),
    isXmlStore: reader.readFlag(children, 'isXmlDataStore', false),
    ...(itemXpath === undefined ? {} : { itemXpath }),
    ...(indexStore === undefined ? {} : { indexStore }),
    ...(indexType === undefined ? {} : { indexType }),
    attributes,
    line: element.line,
  };
}
