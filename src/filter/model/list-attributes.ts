/** Lists the attributes that a filter uses, and whether it uses feature ids. */
import type { AttributeValue, GeometryOperand, ResolvedFilter, Scalar } from './resolved-filter.ts';

/** Names can occur more than once. */
export function listFilterAttributes(filter: ResolvedFilter): readonly string[] {
  return listAttributeValues(filter).map(({ name }) => name);
}

/** Returns only the geometry attributes. */
export function listFilterGeometries(filter: ResolvedFilter): readonly string[] {
  return listAttributeValues(filter)
    .filter(({ type }) => type === 'geometry')
    .map(({ name }) => name);
}

function listAttributeValues(filter: ResolvedFilter): readonly AttributeValue[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(listAttributeValues);
    case 'not':
      return listAttributeValues(filter.filter);
    case 'comparison':
    case 'relation':
    case 'distance':
      return [filter.left, filter.right].flatMap(listOperandAttributes);
    case 'membership':
    case 'isNull':
      return listOperandAttributes(filter.value);
    case 'like':
      return listOperandAttributes(filter.attribute);
    case 'heights':
      return listOperandAttributes(filter.geometry);
    case 'computed':
      return filter.attributes.map(({ attribute }) => attribute);
    case 'constant':
    case 'identifiers':
      return [];
  }
}

export function hasIdFilter(filter: ResolvedFilter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(hasIdFilter);
  return filter.kind === 'not' ? hasIdFilter(filter.filter) : filter.kind === 'identifiers';
}

function listOperandAttributes(operand: Scalar | GeometryOperand): readonly AttributeValue[] {
  if (operand.kind === 'arithmetic') return [operand.left, operand.right].flatMap(listOperandAttributes);
  return operand.kind === 'attribute' ? [operand] : [];
}
