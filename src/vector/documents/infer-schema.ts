/** Infers the schema of a collection from successive documents. */
import type { ValueType } from '../port/port.ts';
import type { DocumentArray, DocumentNode, DocumentObject, DocumentScalar } from './document.ts';
import type { DocumentAttribute, DocumentSchema, GeometryEncoding } from './document-schema.ts';
import { decodeLegacyPoint, findGeoJsonCrs, GEOJSON_CRS, isGeoJson } from './geojson.ts';

export interface SchemaInference {
  /** Adds the fields and types of a document. */
  add(document: DocumentObject): void;
  /** `indexed` lists the paths with spatial indexes, which are therefore geometries. */
  buildSchema(names: {
    readonly typeName: string;
    readonly collection: string;
    readonly indexed: readonly string[];
  }): DocumentSchema;
  /** Returns warnings about content that the schema does not cover. */
  listWarnings(): readonly string[];
}

/** Real mappings use fewer; documents with data as field names would have any number. */
const MAX_FIELDS = 1_000;
/** Deeper fields are text. */
const MAX_DEPTH = 32;
/** Limits for the array elements and the values of one document that are inspected. */
const MAX_ITEMS = 100;
const MAX_VALUES = 20_000;

/** Field names that indicate legacy points without an index. */
const pointFieldName =
  /(?:^|[._])(?:loc|location|place|pos|position|point|coord|coords|coordinates|geo|geom|geometry|lnglat|lonlat|shape|the_geom)$/i;

interface Field {
  readonly types: Set<ValueType>;
  /** Whether an array of values occurs. */
  hasList: boolean;
  /** Whether an object, or an array of other items than values, occurs. */
  hasOther: boolean;
  /** Whether it is inside an array of objects. */
  isMany: boolean;
  geometries: number;
  pairs: number;
  /** The number of values that are neither geometries nor pairs nor null. */
  others: number;
  crs: string | undefined;
}

export function createSchemaInference(): SchemaInference {
  return new DocumentSchemaInference();
}

class DocumentSchemaInference implements SchemaInference {
  readonly #fields = new Map<string, Field>();
  readonly #left = new Set<string>();
  #valuesLeft = 0;

  add(document: DocumentObject): void {
    this.#valuesLeft = MAX_VALUES;
    this.#visitFields(document, '', false, 0);
  }

  buildSchema({
    typeName,
    collection,
    indexed,
  }: {
    readonly typeName: string;
    readonly collection: string;
    readonly indexed: readonly string[];
  }): DocumentSchema {
    const attributes = [...this.#fields].flatMap(
      ([path, field]) => toAttribute(path, field, indexed, this.#fields) ?? [],
    );
    const geometries = attributes.filter(({ kind }) => kind === 'geometry');
    const drawn = geometries.find(({ path }) => indexed.includes(path)) ?? geometries[0];
    return {
      typeName,
      collection,
      ...(drawn === undefined
        ? {}
        : { geometry: { name: drawn.name, crs: this.#fields.get(drawn.path)?.crs ?? GEOJSON_CRS } }),
      attributes: drawn === undefined ? attributes : [drawn, ...attributes.filter((each) => each !== drawn)],
    };
  }

  listWarnings(): readonly string[] {
    return [...this.#left];
  }

  #getOrAddField(path: string, isMany: boolean): Field | undefined {
    const known = this.#fields.get(path);
    if (known !== undefined) {
      known.isMany ||= isMany;
      return known;
    }
    if (this.#fields.size >= MAX_FIELDS) {
      this.#left.add(`The documents have more than ${MAX_FIELDS} fields; the schema contains the first ${MAX_FIELDS}.`);
      return undefined;
    }
    const fresh: Field = {
      types: new Set(),
      hasList: false,
      hasOther: false,
      isMany,
      geometries: 0,
      pairs: 0,
      others: 0,
      crs: undefined,
    };
    this.#fields.set(path, fresh);
    return fresh;
  }

  #visitFields(object: DocumentObject, path: string, isMany: boolean, depth: number): void {
    for (const name of object.listNames()) {
      if (depth === 0 && name === '_id') continue;
      this.#valuesLeft -= 1;
      if (this.#valuesLeft < 0) {
        this.#left.add(
          `A document has more than ${MAX_VALUES} values; the schema considers only the first ${MAX_VALUES}.`,
        );
        return;
      }
      if (name === '' || name.includes('.') || name.startsWith('$') || !name.isWellFormed() || name.includes('\0')) {
        this.#left.add('Fields are omitted if their name is empty, begins with $ or contains a dot.');
        continue;
      }
      const node = object.get(name);
      if (node !== undefined) this.#visit(node, path === '' ? name : `${path}.${name}`, isMany, depth + 1);
    }
  }

  #visit(node: DocumentNode, path: string, isMany: boolean, depth: number): void {
    if (node.kind === 'scalar') recordType(node, this.#getOrAddField(path, isMany));
    else if (node.kind === 'array') this.#visitArray(node, path, isMany, depth);
    else this.#visitObject(node, path, isMany, depth);
  }

  #visitObject(object: DocumentObject, path: string, isMany: boolean, depth: number): void {
    if (isGeoJson(object)) {
      const field = this.#getOrAddField(path, isMany);
      if (field === undefined) return;
      field.geometries += 1;
      field.crs ??= findGeoJsonCrs(object);
      return;
    }
    const isPair = decodeLegacyPoint(object) !== undefined;
    if (depth >= MAX_DEPTH || isPair) {
      const field = this.#getOrAddField(path, isMany);
      if (field === undefined) return;
      if (isPair) field.pairs += 1;
      else {
        this.#left.add(`Values nested deeper than ${MAX_DEPTH} levels are treated as text.`);
        field.hasOther = true;
        field.others += 1;
      }
      if (!isPair) return;
    }
    const known = this.#fields.get(path);
    if (known !== undefined && !isPair) {
      // A value in one document and an object in another are both shown as text.
      known.others += 1;
      known.hasOther = true;
    }
    if (depth < MAX_DEPTH) this.#visitFields(object, path, isMany, depth);
  }

  #visitArray(array: DocumentArray, path: string, isMany: boolean, depth: number): void {
    const hasObjects = hasItem(array, ({ kind }) => kind === 'object');
    if (hasObjects) {
      for (let index = 0; index < Math.min(array.length, MAX_ITEMS); index += 1) {
        const item = array.at(index);
        if (item.kind === 'object') this.#visitObject(item, path, true, depth);
        else if (item.kind === 'scalar' && item.type !== 'null') recordType(item, this.#getOrAddField(path, true));
      }
      return;
    }
    const field = this.#getOrAddField(path, isMany);
    if (field === undefined) return;
    if (decodeLegacyPoint(array) !== undefined) field.pairs += 1;
    else field.others += 1;
    field.hasList = true;
  }
}

function recordType({ type }: DocumentScalar, field: Field | undefined): void {
  if (field === undefined || type === 'null') return;
  field.types.add(type);
  field.others += 1;
}

function hasItem(array: DocumentArray, test: (item: DocumentNode) => boolean): boolean {
  for (let index = 0; index < Math.min(array.length, MAX_ITEMS); index += 1) if (test(array.at(index))) return true;
  return false;
}

function toAttribute(
  path: string,
  field: Field,
  indexed: readonly string[],
  all: ReadonlyMap<string, Field>,
): DocumentAttribute | undefined {
  const encoding = findEncoding(path, field, indexed);
  if (encoding !== undefined) return { kind: 'geometry', name: path, path, encoding };
  if (matchParent(path, (above) => isPair(above, all, indexed))) return undefined;
  // The numbers of a named pair that is not a position are attributes.
  if (field.types.size === 0 && !field.hasList && !field.hasOther && field.geometries === 0 && field.pairs > 0)
    return undefined;
  return { kind: 'value', name: path, path, type: selectValueType(field), isMany: field.isMany || field.hasList };
}

/** Whether an ancestor field is the geometry that contains it. */
function matchParent(path: string, test: (above: string) => boolean): boolean {
  const end = path.lastIndexOf('.');
  return end > 0 && test(path.slice(0, end));
}

function isPair(path: string, all: ReadonlyMap<string, Field>, indexed: readonly string[]): boolean {
  const field = all.get(path);
  return field !== undefined && findEncoding(path, field, indexed) !== undefined;
}

/** Geometries only if no other values occur; pairs only if an index or the name indicates positions. */
function findEncoding(path: string, field: Field, indexed: readonly string[]): GeometryEncoding | undefined {
  if (field.isMany || field.others > 0 || field.types.size > 0) return undefined;
  if (field.geometries > 0) return 'GeoJSON';
  return field.pairs > 0 && (indexed.includes(path) || pointFieldName.test(path)) ? 'Legacy' : undefined;
}

const numericTypes: readonly ValueType[] = ['integer', 'long', 'double', 'decimal'];

/** Returns the narrowest type that fits all values. */
function selectValueType({ types, hasList, hasOther, geometries }: Field): ValueType | 'list' {
  if (hasOther || geometries > 0) return 'string';
  if (hasList) return 'list';
  const [only, ...more] = types;
  if (only !== undefined && more.length === 0) return only;
  if (types.size > 0 && [...types].every((type) => numericTypes.includes(type))) {
    return numericTypes.findLast((type) => types.has(type)) ?? 'string';
  }
  return 'string';
}
