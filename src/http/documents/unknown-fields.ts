/** Finds fields of a document that its schema does not contain. */
import type { InputNode } from '../serialization/input-tree.ts';
import type { JsonSchema } from './schema.ts';

/** Called for each unknown field with its path and the known names. */
export type ReportUnknown = (at: string, name: string, onlyList: readonly string[]) => void;

/** For callers that need no report: the document is not searched. */
export const ignoreUnknown: ReportUnknown = () => {};

/**
 * Checks the members of nodes recursively. Attributes are not checked, because clients and responses have many; nor are
 * nodes whose schema allows additional properties or describes none.
 */
export function reportUnknownFields(
  nodes: readonly InputNode[],
  schema: JsonSchema,
  at: string,
  report: ReportUnknown,
): void {
  const { properties, additionalProperties = false } = getItemSchema(schema);
  if (report === ignoreUnknown || properties === undefined || additionalProperties !== false) {
    return;
  }
  for (const node of nodes) {
    const item = findBareItemSchema(node, properties);
    if (item !== undefined) {
      reportUnknownFields([node], item, at, report);
      continue;
    }
    for (const [name, inner] of node.members) {
      const onlyList = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (onlyList === undefined) {
        report(at, name, Object.keys(properties));
      } else {
        reportUnknownFields(inner, onlyList, `${at}.${name}`, report);
      }
    }
  }
}

function getItemSchema(schema: JsonSchema): JsonSchema {
  return schema.type === 'array' ? (schema.items ?? {}) : schema;
}

/** Lists can be sent without the element around their items: `"styles":[{"name":"a"}]`. */
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

/** A cache: schemas never change and are checked for every field. */
const listsByProperties = new WeakMap<Properties, OnlyList | null>();

/** Returns the list if it is the only property. */
function findOnlyList(properties: Properties): OnlyList | null {
  let onlyList = listsByProperties.get(properties);
  if (onlyList === undefined) {
    const [[name, list] = [], ...others] = Object.entries(properties);
    if (name === undefined || list?.type !== 'array' || others.length > 0) {
      onlyList = null;
    } else {
      const item = getItemSchema(list);
      onlyList = { name, item, members: Object.keys(item.properties ?? {}) };
    }
    listsByProperties.set(properties, onlyList);
  }
  return onlyList;
}
