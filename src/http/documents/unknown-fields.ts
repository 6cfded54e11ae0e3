/** Finds the fields of a document that its description does not have. */
import type { InputNode } from '../serialization/input-tree.ts';
import type { JsonSchema } from './schema.ts';

/** Told of each field that is none, where it stands, and of the names that could stand in its place. */
export type ReportUnknown = (at: string, name: string, known: readonly string[]) => void;

/**
 * Looks at what a client sent under a name. Attributes are not looked at, since clients and replies have them of many
 * kinds; nor is what may hold anything, or nothing that is described.
 */
export function reportUnknownFields(
  nodes: readonly InputNode[],
  schema: JsonSchema,
  at: string,
  report: ReportUnknown,
): void {
  const { properties, additionalProperties = false } = getItemSchema(schema);
  if (properties === undefined || additionalProperties !== false) {
    return;
  }
  for (const node of nodes) {
    const item = findBareItemSchema(node, properties);
    if (item !== undefined) {
      reportUnknownFields([node], item, at, report);
      continue;
    }
    for (const [name, inner] of node.members) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known === undefined) {
        report(at, name, Object.keys(properties));
      } else {
        reportUnknownFields(inner, known, `${at}.${name}`, report);
      }
    }
  }
}

function getItemSchema(schema: JsonSchema): JsonSchema {
  return schema.type === 'array' ? (schema.items ?? {}) : schema;
}

/** Lists are read without the element around their items as well: `"styles":[{"name":"a"}]`. */
function findBareItemSchema(node: InputNode, properties: Properties): JsonSchema | undefined {
  const list = findOnlyList(properties);
  return list === null || node.members.has(list.name) || !list.members.some((each) => node.members.has(each))
    ? undefined
    : list.item;
}

type Properties = Readonly<Record<string, JsonSchema>>;

interface OnlyList {
  readonly name: string;
  readonly item: JsonSchema;
  readonly members: readonly string[];
}

/** Descriptions stay as they are, and each is asked for every field that is sent. */
const listsByProperties = new WeakMap<Properties, OnlyList | null>();

/** The list that is all that somebody can say here. */
function findOnlyList(properties: Properties): OnlyList | null {
  let known = listsByProperties.get(properties);
  if (known === undefined) {
    const [[name, list] = [], ...others] = Object.entries(properties);
    if (name === undefined || list?.type !== 'array' || others.length > 0) {
      known = null;
    } else {
      const item = getItemSchema(list);
      known = { name, item, members: Object.keys(item.properties ?? {}) };
    }
    listsByProperties.set(properties, known);
  }
  return known;
}
