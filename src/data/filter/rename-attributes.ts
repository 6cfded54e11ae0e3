/** A resolved filter on attributes of other names: what is published under one name may have another in the data. */
import type { AttributeValue, GeometryOperand, ResolvedFilter, Scalar } from './resolved-filter.ts';

export interface OtherNames {
  /** Undefined for an attribute that is not there under any other name. */
  attribute(name: string, type: AttributeValue['type']): string | undefined;
  identifiers(identifiers: readonly string[]): readonly string[];
}

/** Undefined where an attribute has no other name, so that the filter cannot be said with them. */
export function renameAttributes(filter: ResolvedFilter, names: OtherNames): ResolvedFilter | undefined {
  try {
    return renamed(filter, names);
  } catch (error) {
    if (error instanceof NoOtherName) return undefined;
    throw error;
  }
}

class NoOtherName extends Error {
  override readonly name = 'NoOtherName';
}

function renamed(filter: ResolvedFilter, names: OtherNames): ResolvedFilter {
  switch (filter.kind) {
    case 'constant':
      return filter;
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => renamed(each, names)) };
    case 'not':
      return { ...filter, filter: renamed(filter.filter, names) };
    case 'comparison':
      return { ...filter, left: scalar(filter.left, names), right: scalar(filter.right, names) };
    case 'membership':
      return { ...filter, value: scalar(filter.value, names) };
    case 'like':
      return { ...filter, attribute: attribute(filter.attribute, names) };
    case 'heights':
      return { ...filter, geometry: attribute(filter.geometry, names) };
    case 'isNull':
      return { ...filter, value: scalar(filter.value, names) };
    case 'identifiers': {
      const identifiers = names.identifiers(filter.identifiers);
      return identifiers.length === 0 ? { kind: 'constant', value: false } : { ...filter, identifiers };
    }
    case 'relation':
    case 'distance':
      return { ...filter, left: operand(filter.left, names), right: operand(filter.right, names) };
    case 'computed': {
      const attributes = filter.attributes.map((each) => ({ ...each, attribute: attribute(each.attribute, names) }));
      return { ...filter, attributes };
    }
  }
}

function attribute(value: AttributeValue, names: OtherNames): AttributeValue {
  const name = names.attribute(value.name, value.type);
  if (name === undefined) throw new NoOtherName();
  return name === value.name ? value : { ...value, name };
}

function scalar(value: Scalar, names: OtherNames): Scalar {
  switch (value.kind) {
    case 'constant':
      return value;
    case 'attribute':
      return attribute(value, names);
    case 'arithmetic':
      return { ...value, left: scalar(value.left, names), right: scalar(value.right, names) };
  }
}

function operand(value: GeometryOperand, names: OtherNames): GeometryOperand {
  return value.kind === 'attribute' ? attribute(value, names) : value;
}
