/** Which attributes a filter looks at, and whether it looks at ids. */
import type { AttributeValue, GeometryOperand, ResolvedFilter, Scalar } from './resolved-filter.ts';

/** By their names, some perhaps more than once. */
export function attributesIn(filter: ResolvedFilter): readonly string[] {
  return valuesIn(filter).map(({ name }) => name);
}

/** Those of them that are geometries. */
export function geometriesIn(filter: ResolvedFilter): readonly string[] {
  return valuesIn(filter)
    .filter(({ type }) => type === 'geometry')
    .map(({ name }) => name);
}

function valuesIn(filter: ResolvedFilter): readonly AttributeValue[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(valuesIn);
    case 'not':
      return valuesIn(filter.filter);
    case 'comparison':
    case 'relation':
    case 'distance':
      return [filter.left, filter.right].flatMap(attributesOf);
    case 'membership':
    case 'isNull':
      return attributesOf(filter.value);
    case 'like':
      return attributesOf(filter.attribute);
    case 'heights':
      return attributesOf(filter.geometry);
    case 'computed':
      return filter.attributes.map(({ attribute }) => attribute);
    case 'constant':
    case 'identifiers':
      return [];
  }
}

export function looksAtIds(filter: ResolvedFilter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(looksAtIds);
  return filter.kind === 'not' ? looksAtIds(filter.filter) : filter.kind === 'identifiers';
}

function attributesOf(operand: Scalar | GeometryOperand): readonly AttributeValue[] {
  if (operand.kind === 'arithmetic') return [operand.left, operand.right].flatMap(attributesOf);
  return operand.kind === 'attribute' ? [operand] : [];
}
