/** Builds a feature from its rows. */

import {
  type ComplexFeature,
  type ComplexProperty,
  type GeometryValue,
  isGeometryValue,
  isSameName,
  type PropertyAttribute,
  type PropertyValue,
  XLINK,
  XSI,
} from '../../port/complex-feature.ts';
import type { QualifiedName } from '../../port/mapping.ts';
import { type SingleValue, type SourceRow, toList, toPlainValue } from './compile-expression.ts';
import type { AttributePlan, NamedValue, NodePlan, TypePlan } from './type-plan.ts';

/** The rows of one feature. */
export interface RowGroup {
  readonly id: string;
  readonly rows: readonly SourceRow[];
}

/** The result of a link or of another table. */
export type LinkedContent =
  | { readonly kind: 'feature'; readonly feature: ComplexProperty }
  /** The attributes of a reference, as the chained row has them. */
  | { readonly kind: 'reference'; readonly attributes: readonly PropertyAttribute[] }
  | { readonly kind: 'value'; readonly value: SingleValue };

/** `row` is the leading row of `rows`. */
export type FindLinked = (plan: AttributePlan, row: SourceRow, rows: readonly SourceRow[]) => readonly LinkedContent[];

const href: QualifiedName = { prefix: 'xlink', local: 'href', uri: XLINK };

export function buildFeature(plan: TypePlan, { id, rows }: RowGroup, findLinked: FindLinked): ComplexFeature {
  const builder = createBuilder(findLinked);
  const { root, type } = plan;
  const [first] = rows;
  const own = root.mappings.flatMap((mapping) => builder.instancesOfMapping({ ...root, children: [] }, mapping, rows));
  const attributes = first === undefined ? [] : evaluateNamed(root.attributes, first);
  const children = [...own.flatMap((each) => each.children), ...builder.childrenOf(root, rows)];
  const value = own.find((each) => each.value !== undefined)?.value;
  const path = type.defaultGeometry?.steps.map(({ name }) => name) ?? [];
  const isWhole = path[0] !== undefined && isSameName(path[0], type.targetElement);
  const geometry = findDefaultGeometry(children, isWhole ? path.slice(1) : path);
  return {
    name: type.targetElement,
    id,
    ...(value === undefined ? {} : { value }),
    children,
    attributes: [...own.flatMap((each) => each.attributes), ...attributes],
    ...(geometry === undefined ? {} : { geometry }),
  };
}

function createBuilder(findLinked: FindLinked) {
  const buildChildren = (node: NodePlan, rows: readonly SourceRow[]): readonly ComplexProperty[] =>
    node.children.flatMap((child) => buildInstances(child, rows));

  const buildInstances = (node: NodePlan, rows: readonly SourceRow[]): readonly ComplexProperty[] => {
    const [first] = rows;
    if (first === undefined) return [];
    if (node.mappings.length === 0) {
      const property = {
        name: node.name,
        children: buildChildren(node, rows),
        attributes: evaluateNamed(node.attributes, first),
      };
      return property.children.length > 0 || property.attributes.length > 0 ? [property] : [];
    }
    const instances = node.mappings.flatMap((mapping, index) =>
      buildMappedInstances(index === 0 ? node : { ...node, children: [], attributes: [] }, mapping, rows),
    );
    return removeRepeatedReferences(instances);
  };

  const buildMappedInstances = (
    node: NodePlan,
    plan: AttributePlan,
    rows: readonly SourceRow[],
  ): readonly ComplexProperty[] => {
    const { mapping } = plan;
    // Rows that are repeated for another property all link to the same features and rows.
    const included = new Set<ComplexProperty | LinkedContent>();
    const isNew = (content: LinkedContent): boolean => {
      const what = content.kind === 'feature' ? content.feature : content;
      const isKnown = included.has(what);
      included.add(what);
      return !isKnown;
    };
    return groupByLeadingRow(plan, rows).flatMap(({ lead, rows: own }) => {
      const id = plan.id === undefined ? null : toPlainValue(plan.id(lead));
      const inside: readonly ComplexProperty[] = [
        ...plan.anonymousAttributes.flatMap(({ name, evaluate }) =>
          toList(evaluate(lead)).map((value) => createLeaf(name, value)),
        ),
        ...buildChildren(node, own),
      ];
      const empty: ComplexProperty = {
        name: node.name,
        ...(id === null ? {} : { id: String(id) }),
        ...(mapping.targetNode === undefined ? {} : { type: mapping.targetNode }),
        children: inside,
        attributes: [...evaluateNamed(plan.clientProperties, lead), ...evaluateNamed(node.attributes, lead)],
      };
      const contents = listContents(plan, lead, own);
      if (contents.length > 0) {
        return contents
          .filter(isNew)
          .map((content, index) => fillProperty(index === 0 ? empty : { ...empty, children: [] }, content));
      }
      return isWorthKeeping(empty) || mapping.encodeIfEmpty ? [empty] : [];
    });
  };

  const listContents = (plan: AttributePlan, lead: SourceRow, rows: readonly SourceRow[]): readonly LinkedContent[] => {
    const { source, multipleValue, isList } = plan.mapping;
    if (source?.kind === 'link' || multipleValue !== undefined) return findLinked(plan, lead, rows);
    const { evaluate } = plan;
    if (evaluate === undefined) return [];
    if (!isList) return toList(evaluate(lead)).map((value) => ({ kind: 'value', value }));
    const values = rows.flatMap((row) => toList(evaluate(row))).map((value) => toPlainValue(value));
    return values.length === 0 ? [] : [{ kind: 'value', value: values.join(' ') }];
  };

  return { childrenOf: buildChildren, instancesOfMapping: buildMappedInstances };
}

interface LeadingRowGroup {
  readonly lead: SourceRow;
  /** The rows for the nested properties. */
  readonly rows: readonly SourceRow[];
}

/**
 * Returns one group per row if the property can be repeated, with rows of equal ids merged; otherwise one group for
 * all.
 */
function groupByLeadingRow({ mapping, id }: AttributePlan, rows: readonly SourceRow[]): readonly LeadingRowGroup[] {
  if (mapping.isMultiple && !mapping.isList) {
    if (id === undefined) return rows.map((row) => ({ lead: row, rows: [row] }));
    const groups = Map.groupBy(rows, (row) => toPlainValue(id(row)));
    return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [{ lead: group[0], rows: group }]));
  }
  const index = mapping.source?.kind === 'expression' ? mapping.source.index : undefined;
  const lead = index === 'last' ? rows.at(-1) : rows[(index ?? 1) - 1];
  return lead === undefined ? [] : [{ lead, rows }];
}

function fillProperty(empty: ComplexProperty, content: LinkedContent): ComplexProperty {
  switch (content.kind) {
    case 'reference':
      return { ...empty, attributes: [...content.attributes, ...empty.attributes] };
    case 'feature': {
      const { feature } = content;
      // A path can end with the chained element itself.
      if (isSameName(feature.name, empty.name)) {
        return {
          ...feature,
          children: [...feature.children, ...empty.children],
          attributes: [...feature.attributes, ...empty.attributes],
        };
      }
      return { ...empty, children: [feature, ...empty.children] };
    }
    case 'value': {
      const { value } = content;
      if (isReferenceValue(value)) {
        return { ...empty, attributes: [{ name: href, value: value.href }, ...empty.attributes] };
      }
      return { ...empty, value };
    }
  }
}

function createLeaf(name: QualifiedName, value: SingleValue): ComplexProperty {
  return fillProperty({ name, children: [], attributes: [] }, { kind: 'value', value });
}

function isReferenceValue(value: SingleValue): value is Exclude<SingleValue, PropertyValue> {
  return typeof value === 'object' && value.kind === 'reference';
}

export function evaluateNamed(named: readonly NamedValue[], row: SourceRow): readonly PropertyAttribute[] {
  return named.flatMap(({ name, evaluate }) => {
    const value = toPlainValue(evaluate(row));
    return value === null ? [] : [{ name, value: String(value) }];
  });
}

/** An element with only XML attributes is omitted, unless it is a reference or nil. */
function isWorthKeeping({ children, attributes }: ComplexProperty): boolean {
  return children.length > 0 || attributes.some((each) => isHref(each) || isNil(each));
}

function isHref({ name }: PropertyAttribute): boolean {
  return isSameName(name, href);
}

function isNil({ name, value }: PropertyAttribute): boolean {
  return name.local === 'nil' && name.uri === XSI && value === 'true';
}

function removeRepeatedReferences(instances: readonly ComplexProperty[]): readonly ComplexProperty[] {
  const seen = new Set<string>();
  return instances.filter(({ children, value, attributes }) => {
    const reference = children.length === 0 && value === undefined ? attributes.find(isHref)?.value : undefined;
    if (reference === undefined) return true;
    if (seen.has(reference)) return false;
    seen.add(reference);
    return true;
  });
}

/** Finds the geometry by its path; without a path the first direct geometry property of the feature. */
function findDefaultGeometry(
  children: readonly ComplexProperty[],
  path: readonly QualifiedName[],
): GeometryValue | undefined {
  if (path.length === 0) return children.map(({ value }) => value).find(isGeometryValue);
  let level = children;
  for (const [index, name] of path.entries()) {
    const found = level.filter((each) => isSameName(each.name, name));
    if (index === path.length - 1) return found.map(({ value }) => value).find(isGeometryValue);
    level = found.flatMap((each) => each.children);
  }
  return undefined;
}
