/** A type mapping prepared for its source: compiled expressions and a tree of target paths. */
import type { Expression } from '../../../filter/model/expression.ts';
import { formatQualifiedName, isSameName, XLINK } from '../../port/complex-feature.ts';
import type { AttributeMapping, ClientProperty, Mapping, QualifiedName, TypeMapping } from '../../port/mapping.ts';
import type { Attribute } from '../../port/port.ts';
import { compileExpression, type Evaluate, type SourceRow, toPlainValue } from './compile-expression.ts';

/** A type with its mapping document. */
export interface MappedType {
  readonly mapping: Mapping;
  readonly type: TypeMapping;
}

export interface TypePlan extends MappedType {
  readonly attributes: readonly Attribute[];
  readonly getId: (row: SourceRow) => string;
  /** Absent if features use the ids of the source. */
  readonly idExpression?: Expression;
  /** Whether several rows can form one feature. */
  readonly isGrouped: boolean;
  readonly root: NodePlan;
  /** All attributes in the tree that read other tables. */
  readonly linked: readonly AttributePlan[];
}

/** A step of target paths with everything that is mapped to it and below it. */
export interface NodePlan {
  readonly name: QualifiedName;
  readonly index: number;
  readonly mappings: AttributePlan[];
  /** Values of paths such as `gml:name/@codeSpace`. */
  readonly attributes: NamedValue[];
  readonly children: NodePlan[];
}

export interface AttributePlan {
  readonly mapping: AttributeMapping;
  /** For a link: evaluates the value that selects the chained features. */
  readonly evaluate?: Evaluate;
  readonly id?: Evaluate;
  readonly clientProperties: readonly NamedValue[];
  readonly anonymousAttributes: readonly NamedValue[];
  /** Whether chained features are only referenced. */
  readonly isByReference: boolean;
}

export interface NamedValue {
  readonly name: QualifiedName;
  readonly evaluate: Evaluate;
}

export function planType({ mapping, type }: MappedType, attributes: readonly Attribute[]): TypePlan {
  const root = createEmptyNode(type.targetElement, 1);
  const linked: AttributePlan[] = [];
  for (const each of type.attributes) {
    if (each.target === undefined || each.target.isFeatureLink) continue;
    const plan = planAttribute(each, attributes);
    if (each.source?.kind === 'link' || each.multipleValue !== undefined) linked.push(plan);
    insertAttribute(root, plan);
  }
  const idExpression = findIdExpression(type);
  const evaluateId = idExpression && compileExpression(idExpression, attributes);
  return {
    mapping,
    type,
    attributes,
    getId: (row) => String((evaluateId && toPlainValue(evaluateId(row))) ?? row.id),
    ...(idExpression === undefined ? {} : { idExpression }),
    isGrouped: type.isDenormalised && idExpression !== undefined,
    root,
    linked,
  };
}

/** Returns the id expression of the target, or undefined if it equals the id of the source. */
export function findIdExpression(type: TypeMapping): Expression | undefined {
  const own = type.attributes.find(({ target, id }) => {
    const [first, ...rest] = target?.steps ?? [];
    return id !== undefined && first !== undefined && rest.length === 0 && isSameName(first.name, type.targetElement);
  });
  const expression = own?.id?.kind === 'expression' ? own.id.expression : undefined;
  const isOwn = expression?.kind === 'function' && /^(?:getid|collectionid)$/i.test(expression.name);
  return isOwn ? undefined : expression;
}

/** Returns the expressions mapped to the link field, which select chained features. */
export function listLinkFields(type: TypeMapping, field: string): readonly Expression[] {
  const wanted = normalizePath(field);
  return type.attributes.flatMap(({ target, source }) =>
    target !== undefined && normalizePath(target.text) === wanted && source?.kind === 'expression'
      ? [source.expression]
      : [],
  );
}

/** A first step is the same with and without its index. */
function normalizePath(text: string): string {
  return text.replaceAll('[1]', '').replace(/^\//, '');
}

export function isReference({ name }: ClientProperty): boolean {
  return name.local === 'href' && name.uri === XLINK;
}

function planAttribute(mapping: AttributeMapping, attributes: readonly Attribute[]): AttributePlan {
  const { source, id } = mapping;
  const isByReference = source?.kind === 'link' && mapping.clientProperties.some(isReference);
  const expression = source === undefined || source.kind === 'path' ? undefined : source.expression;
  return {
    mapping,
    ...(expression === undefined ? {} : { evaluate: compileExpression(expression, attributes) }),
    ...(id?.kind === 'expression' ? { id: compileExpression(id.expression, attributes) } : {}),
    clientProperties: isByReference ? [] : compileNamedValues(mapping.clientProperties, attributes),
    anonymousAttributes: compileNamedValues(mapping.anonymousAttributes, attributes),
    isByReference,
  };
}

export function compileNamedValues(
  properties: readonly ClientProperty[],
  attributes: readonly Attribute[],
): readonly NamedValue[] {
  return properties.map(({ name, value }) => ({ name, evaluate: compileExpression(value, attributes) }));
}

function createEmptyNode(name: QualifiedName, index: number): NodePlan {
  return { name, index, mappings: [], attributes: [], children: [] };
}

/** A path can begin with the target itself. */
function insertAttribute(root: NodePlan, plan: AttributePlan): void {
  const steps = plan.mapping.target?.steps ?? [];
  const [first] = steps;
  let at = root;
  for (const { name, index, isAttribute } of first !== undefined && isSameName(first.name, root.name)
    ? steps.slice(1)
    : steps) {
    if (isAttribute) {
      if (plan.evaluate !== undefined) at.attributes.push({ name, evaluate: plan.evaluate });
      return;
    }
    at = getOrCreateChild(at, name, index);
  }
  at.mappings.push(plan);
}

function getOrCreateChild(parent: NodePlan, name: QualifiedName, index: number): NodePlan {
  const { children } = parent;
  const known = children.find((child) => isSameName(child.name, name) && child.index === index);
  if (known !== undefined) return known;
  const node = createEmptyNode(name, index);
  const next = children.findIndex((child) => isSameName(child.name, name) && child.index > index);
  children.splice(next < 0 ? children.length : next, 0, node);
  return node;
}

/** Formats the name of a type for messages and listings. */
export function formatTypeName({ type }: MappedType): string {
  return type.name ?? formatQualifiedName(type.targetElement);
}
