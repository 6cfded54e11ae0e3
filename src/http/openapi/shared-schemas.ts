/** Extracts parts that several schemas share, such as bounding boxes and links, into components. */

type Json = Readonly<Record<string, unknown>>;

/** Below this length a reference is hardly shorter. */
const LEAST_CHARACTERS = 70;

/** Keywords that stay beside the reference. */
const annotations: ReadonlySet<string> = new Set(['description', 'readOnly', 'writeOnly', 'xml', 'examples']);

/** Returns the schemas and the parts that occur more than once, named after their fields. */
export function shareSchemas(schemas: Json): Json {
  const counts = new Map<string, number>();
  for (const schema of Object.values(schemas))
    forEachPart(schema, (text) => counts.set(text, (counts.get(text) ?? 0) + 1));
  const shared = new Map<string, unknown>();
  /** A part that equals a whole schema uses its name. */
  const names = new Map(
    Object.entries(schemas)
      .map(([name, schema]) => [JSON.stringify(schema), name])
      .toReversed() as [string, string][],
  );

  const nameSharedPart = (part: Json, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const wanted = `With${Object.keys(toJson(part['properties'])).slice(0, 4).map(capitalize).join('')}`;
    let name = wanted;
    for (let count = 2; shared.has(name) || Object.hasOwn(schemas, name); count += 1) name = `${wanted}${count}`;
    names.set(text, name);
    // Reserve the name first: inner parts could claim it.
    shared.set(name, {});
    shared.set(name, replaceInside(part));
    return name;
  };

  const replaceShared = (value: unknown): unknown => {
    if (!isSchema(value)) return value;
    const { part, annotated } = splitAnnotations(value);
    const text = isPart(part) ? JSON.stringify(part) : '';
    if (text.length >= LEAST_CHARACTERS && (names.has(text) || (counts.get(text) ?? 0) > 1)) {
      return { $ref: `#/components/schemas/${nameSharedPart(part, text)}`, ...annotated };
    }
    return replaceInside(value);
  };

  const replaceInside = (schema: Json): Json => ({
    ...schema,
    ...('properties' in schema ? { properties: mapValues(toJson(schema['properties']), replaceShared) } : {}),
    ...('items' in schema ? { items: replaceShared(schema['items']) } : {}),
    ...('additionalProperties' in schema
      ? { additionalProperties: replaceShared(schema['additionalProperties']) }
      : {}),
  });

  const whole = Object.entries(schemas).map(([name, schema]) => {
    const first = names.get(JSON.stringify(schema)) ?? name;
    const isDuplicate = first !== name && JSON.stringify(schema).length >= LEAST_CHARACTERS;
    return [
      name,
      isDuplicate ? { $ref: `#/components/schemas/${first}` } : isSchema(schema) ? replaceInside(schema) : schema,
    ];
  });
  return { ...Object.fromEntries(whole), ...Object.fromEntries(shared) };
}

/** Visits all parts of a schema that can be extracted, as text. */
function forEachPart(schema: unknown, visit: (text: string) => void): void {
  if (!isSchema(schema)) return;
  for (const part of [
    ...Object.values(toJson(schema['properties'])),
    schema['items'],
    schema['additionalProperties'],
  ]) {
    if (isSchema(part) && isPart(part)) visit(JSON.stringify(splitAnnotations(part).part));
    forEachPart(part, visit);
  }
}

/** Separates a schema from its annotations. */
function splitAnnotations(schema: Json): { readonly part: Json; readonly annotated: Json } {
  const keys = Object.entries(schema);
  return {
    part: Object.fromEntries(keys.filter(([key]) => !annotations.has(key))),
    annotated: Object.fromEntries(keys.filter(([key]) => annotations.has(key))),
  };
}

function isPart(schema: Json): boolean {
  return 'properties' in schema;
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toJson(value: unknown): Json {
  return isSchema(value) ? value : {};
}

function mapValues(json: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, change(value)]));
}

/** Removes characters that names of schemas must not contain. */
function capitalize(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9]/g, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
