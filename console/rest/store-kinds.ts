/** The kinds of stores with their fields, from the OpenAPI document: a new kind of the server has a form at once. */

export interface StoreField {
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly type: 'text' | 'integer' | 'flag' | 'choice';
  readonly choices: readonly string[];
  readonly usual?: string | undefined;
  readonly example?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

export type StoreCollection = 'datastores' | 'coveragestores' | 'wmsstores' | 'wmtsstores';

export interface StoreKind {
  /** Part of the address of its form. */
  readonly id: string;
  /** Undefined for kinds that have no title in the document. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly collection: StoreCollection;
  readonly fields: readonly StoreField[];
  /** Parameters that are always the same, such as `dbtype`. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The root of the documents of each collection. */
export const storeRoots: Readonly<Record<StoreCollection, string>> = {
  datastores: 'dataStore',
  coveragestores: 'coverageStore',
  wmsstores: 'wmsStore',
  wmtsstores: 'wmtsStore',
};

interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}

export function listStoreKinds({ components: { schemas } }: OpenApi): readonly StoreKind[] {
  const parameters = schemas['DataStore']?.properties?.['connectionParameters']?.anyOf ?? [];
  return [
    ...parameters.flatMap((schema) => (schema.properties === undefined ? [] : [toDataStoreKind(schema)])),
    ...toDocumentKinds(schemas, { id: 'raster', schema: 'CoverageStore', collection: 'coveragestores', key: 'url' }),
    ...toDocumentKinds(schemas, { id: 'wms', schema: 'WmsStore', collection: 'wmsstores', key: 'capabilitiesURL' }),
    ...toDocumentKinds(schemas, { id: 'wmts', schema: 'WmtsStore', collection: 'wmtsstores', key: 'capabilitiesURL' }),
  ];
}

function toDataStoreKind(schema: Schema): StoreKind {
  const { title = '', description, properties = {}, required = [] } = schema;
  const entries = Object.entries(properties);
  return {
    id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    title,
    description,
    collection: 'datastores',
    fields: entries.flatMap(([name, field]) =>
      field.const === undefined ? [toField(name, field, required.includes(name))] : [],
    ),
    fixed: Object.fromEntries(
      entries.flatMap(([name, field]) => (field.const === undefined ? [] : [[name, field.const]])),
    ),
  };
}

/** Fields that every store has, which pages show elsewhere. */
const commonFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'enabled',
  '_default',
  'disableOnConnFailure',
]);

interface DocumentKind {
  readonly id: string;
  readonly schema: string;
  readonly collection: StoreCollection;
  /** The field that says where the data is; it comes first. */
  readonly key: string;
}

function toDocumentKinds(
  schemas: OpenApi['components']['schemas'],
  { id, schema, collection, key }: DocumentKind,
): readonly StoreKind[] {
  const entries = Object.entries(schemas[schema]?.properties ?? {}).filter(
    ([name, { type, readOnly }]) => !commonFields.has(name) && readOnly !== true && isScalar(type),
  );
  if (entries.length === 0) return [];
  const fields = entries.map(([name, field]) => toField(name, field, name === key));
  return [
    { id, collection, fields: fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)), fixed: {} },
  ];
}

function isScalar(type: string | undefined): boolean {
  return type === 'string' || type === 'integer' || type === 'boolean';
}

function toField(name: string, schema: Schema, isRequired: boolean): StoreField {
  const { title, description, minimum, maximum, format, writeOnly } = schema;
  const toText = (value: unknown) => (value === undefined ? undefined : String(value));
  return {
    name,
    title: title ?? toTitle(name),
    description,
    type: schema.enum ? 'choice' : schema.type === 'integer' ? 'integer' : schema.type === 'boolean' ? 'flag' : 'text',
    choices: schema.enum ?? [],
    usual: toText(schema.default),
    example: toText(schema.examples?.[0]),
    minimum,
    maximum,
    isRequired,
    isSecret: format === 'password' || writeOnly === true,
  };
}

/** `capabilitiesURL` becomes `Capabilities URL`. */
function toTitle(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(' ');
  const text = words.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Builds the document of a store. Empty values are left out, so that defaults and kept secrets apply. */
export function createStoreDocument(
  kind: Pick<StoreKind, 'collection' | 'fixed'>,
  name: string,
  values: Readonly<Record<string, string>>,
): object {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const parameters = { ...kind.fixed, ...Object.fromEntries(given) };
  return {
    [storeRoots[kind.collection]]: {
      name,
      ...(kind.collection === 'datastores' ? { connectionParameters: parameters } : parameters),
    },
  };
}
