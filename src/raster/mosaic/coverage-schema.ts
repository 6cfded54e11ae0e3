/**
 * The schema of a coverage index, from the definition or derived from the data, and the mapping of values to
 * attributes.
 */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { GranuleSchema, GranuleValue, GranuleValueType } from '../granules/port/port.ts';
import type { CoverageDimension } from '../port/port.ts';
import type { Collector, MosaicDefinition, MosaicDomain, SchemaAttribute } from './definition.ts';

/** The properties of the first granule of a coverage. */
export interface FirstGranule {
  readonly dimensions: readonly CoverageDimension[];
  readonly isMultidimensional: boolean;
}

/** Creates the schema of a new index. */
export function createCoverageSchema(
  definition: MosaicDefinition,
  name: string,
  crs: CrsReference,
  { dimensions, isMultidimensional }: FirstGranule,
): GranuleSchema {
  const coverage = definition.coverages.find((each) => each.name === name);
  const declared = coverage?.domains ?? definition.domains;
  const attributes =
    coverage?.schema ?? definition.schema ?? suggestSchema(definition, declared, dimensions, isMultidimensional);
  const hasAttribute = (attribute: string): boolean => attributes.some((each) => each.name === attribute);
  const domains = declared.filter((domain) => domain.attributes.every(hasAttribute));
  // Axes of the data that have an attribute in the index are dimensions of the coverage, even if the definition does
  // not declare them.
  const further = dimensions.flatMap((dimension): readonly MosaicDomain[] => {
    const attribute = findAttribute(dimension, { attributes, domains });
    const isNew = attribute !== undefined && !domains.some((each) => each.attributes.some((one) => one === attribute));
    return isNew ? [{ kind: dimension.kind, name: getDomainName(dimension), attributes: [attribute] }] : [];
  });
  return {
    name,
    attributes: attributes.map((each) =>
      each.role === 'footprint' ? { role: 'footprint', name: each.name, crs } : removeCrs(each),
    ),
    domains: [...domains, ...further],
  };
}

function removeCrs(attribute: SchemaAttribute) {
  switch (attribute.role) {
    case 'value':
      return attribute;
    case 'location':
    case 'imageindex':
    case 'footprint':
      return { role: attribute.role === 'imageindex' ? 'imageindex' : 'location', name: attribute.name } as const;
  }
}

function getDomainName({ kind, name }: CoverageDimension): string {
  return kind === 'custom' ? name : kind;
}

function suggestSchema(
  definition: MosaicDefinition,
  domains: readonly MosaicDomain[],
  dimensions: readonly CoverageDimension[],
  isMultidimensional: boolean,
): readonly SchemaAttribute[] {
  const attributes = new Map<string, SchemaAttribute>();
  const add = (attribute: SchemaAttribute): void => {
    if (!attributes.has(attribute.name)) attributes.set(attribute.name, attribute);
  };
  add({ role: 'footprint', name: 'the_geom' });
  add({ role: 'location', name: 'location' });
  if (isMultidimensional) add({ role: 'imageindex', name: 'imageindex' });
  for (const dimension of dimensions) {
    const domain = domains.find((each) => isDomainOf(each, dimension));
    const type =
      dimension.kind === 'time' ? 'timestamp' : typeof dimension.values[0] === 'string' ? 'string' : 'double';
    for (const name of domain?.attributes ?? [getDomainName(dimension)]) add({ role: 'value', name, type });
  }
  for (const collector of definition.collectors) {
    for (const name of collector.attributes) add({ role: 'value', name, type: getCollectedType(collector) });
  }
  for (const { kind, attributes: names } of domains) {
    const type = kind === 'time' ? 'timestamp' : kind === 'elevation' ? 'double' : 'string';
    for (const name of names) add({ role: 'value', name, type });
  }
  return [...attributes.values()];
}

function getCollectedType(collector: Collector): GranuleValueType {
  switch (collector.kind) {
    case 'timestamp':
    case 'current-date':
    case 'file-date':
    case 'tiff-date':
      return 'timestamp';
    case 'number':
      return collector.type === 'byte' || collector.type === 'short' ? 'integer' : collector.type;
    case 'string':
    case 'crs':
      return 'string';
    case 'resolution':
    case 'resolution-x':
    case 'resolution-y':
      return 'double';
  }
}

function isDomainOf(domain: MosaicDomain, dimension: CoverageDimension): boolean {
  if (dimension.kind !== 'custom') return domain.kind === dimension.kind;
  return domain.kind === 'custom' && domain.name.toLowerCase() === dimension.name.toLowerCase();
}

type Attributes = { readonly attributes: readonly { readonly role: string; readonly name: string }[] };

/** Returns the attribute for the values of a dimension; undefined if the index has none. */
export function findAttribute(
  dimension: CoverageDimension,
  { attributes, domains }: Attributes & { readonly domains: readonly MosaicDomain[] },
): string | undefined {
  const declared = domains.find((each) => isDomainOf(each, dimension))?.attributes[0];
  if (declared !== undefined) return declared;
  const names = [dimension.name.toLowerCase(), ...(dimension.kind === 'custom' ? [] : [dimension.kind])];
  return attributes.find(({ role, name }) => role === 'value' && names.includes(name.toLowerCase()))?.name;
}

/** Converts a value for the index; returns undefined if it does not fit the type. */
export function toGranuleValue(value: string | number, type: GranuleValueType): GranuleValue | undefined {
  switch (type) {
    case 'string':
      return String(value);
    case 'date':
    case 'timestamp': {
      const moment = typeof value === 'string' ? new Date(value) : undefined;
      return moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment;
    }
    case 'integer':
    case 'long': {
      const limit = type === 'integer' ? 2 ** 31 : Number.MAX_SAFE_INTEGER;
      const number = toNumber(value);
      return number !== undefined && Number.isInteger(number) && Math.abs(number) <= limit ? number : undefined;
    }
    case 'float':
    case 'double':
      return toNumber(value);
  }
}

function toNumber(value: string | number): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}
