/** Renames the attributes of a resolved filter from published names to names in the data. */
import type { AttributeValue, GeometryOperand, ResolvedFilter, Scalar } from './resolved-filter.ts';

export interface AttributeRenaming {
  /** Returns undefined for an attribute without a counterpart. */
  renameAttribute(name: string, type: AttributeValue['type']): string | undefined;
  renameIdentifiers(identifiers: readonly string[]): readonly string[];
}

/** Returns undefined if an attribute has no counterpart. */
export function renameAttributes(filter: ResolvedFilter, names: AttributeRenaming): ResolvedFilter | undefined {
  try {
    return renameFilter(filter, names);
  } catch (error) {
    if (error instanceof MissingNameError) return undefined;
    throw error;
  }
}

class MissingNameError extends Error {
  override readonly name = 'MissingNameError';
}

function renameFilter(filter: ResolvedFilter, names: AttributeRenaming): ResolvedFilter {
  switch (filter.kind) {
    case 'constant':
      return filter;
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => renameFilter(each, names)) };
    case 'not':
      return { ...filter, filter: renameFilter(filter.filter, names) };
    case 'comparison':
      return { ...filter, left: renameScalar(filter.left, names), right: renameScalar(filter.right, names) };
    case 'membership':
      return { ...filter, value: renameScalar(filter.value, names) };
    case 'like':
      return { ...filter, attribute: renameAttributeValue(filter.attribute, names) };
    case 'heights':
      return { ...filter, geometry: renameAttributeValue(filter.geometry, names) };
    case 'isNull':
      return { ...filter, value: renameScalar(filter.value, names) };
    case 'identifiers': {
      const identifiers = names.renameIdentifiers(filter.identifiers);
      return identifiers.length === 0 ? { kind: 'constant', value: false } : { ...filter, identifiers };
    }
    case 'relation':
    case 'distance':
      return { ...filter, left: renameOperand(filter.left, names), right: renameOperand(filter.right, names) };
    case 'computed': {
      const attributes = filter.attributes.map((each) => ({
        ...each,
        attribute: renameAttributeValue(each.attribute, names),
      }));
      return { ...filter, attributes };
    }
  }
}

function renameAttributeValue(value: AttributeValue, names: AttributeRenaming): AttributeValue {
  const name = names.renameAttribute(value.name, value.type);
  if (name === undefined) throw new MissingNameError();
  return name === value.name ? value : { ...value, name };
}

function renameScalar(value: Scalar, names: AttributeRenaming): Scalar {
  switch (value.kind) {
    case 'constant':
      return value;
    case 'attribute':
      return renameAttributeValue(value, names);
    case 'arithmetic':
      return { ...value, left: renameScalar(value.left, names), right: renameScalar(value.right, names) };
  }
}

function renameOperand(value: GeometryOperand, names: AttributeRenaming): GeometryOperand {
  return value.kind === 'attribute' ? renameAttributeValue(value, names) : value;
}
