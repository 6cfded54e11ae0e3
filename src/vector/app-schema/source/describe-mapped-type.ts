/** Describes a mapped type for the vector port: the elements of its complex type and properties of its data. */
import type { Bounds } from '../../../crs/bounds.ts';
import type { CrsReference } from '../../../crs/model/crs-reference.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import type { AttributeMapping, Mapping, TargetStep, TypeMapping } from '../../port/mapping.ts';
import type { Attribute, ComplexType, FeatureTypeDescription } from '../../port/port.ts';
import type { PropertyStructure } from '../xsd/structure.ts';
import type { MappedType } from './compile-mapping.ts';

/** The geometry column that the default geometry uses unchanged. */
export interface DefaultGeometry {
  /** The attribute of the type. */
  readonly attribute: string;
  readonly column: string | undefined;
}

export function describeMappedType(
  type: MappedType,
  mappings: readonly Mapping[],
  source: FeatureTypeDescription | undefined,
): FeatureTypeDescription {
  const names = createElementNamer(type, mappings);
  const drawn = findDefaultGeometry(type, names);
  const column = source?.attributes.find(({ name }) => name === drawn?.column);
  const crs: CrsReference = column?.kind === 'geometry' ? column.crs : {};
  const isDrawnThere = column !== undefined && column.name === source?.defaultGeometry;
  const bounds: Bounds | undefined = isDrawnThere ? source?.bounds : undefined;
  const attributes = listElements(type.structure).map((each) => toAttribute(each, names));
  return {
    name: type.name,
    attributes: attributes.map((each) =>
      each.kind === 'geometry' && each.name === drawn?.attribute ? { ...each, crs } : each,
    ),
    complex: buildComplexType(type, names, source),
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.attribute }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}

function buildComplexType(
  { structure, paths }: MappedType,
  names: ElementNamer,
  source: FeatureTypeDescription | undefined,
): ComplexType {
  return {
    elements: new Map(listElements(structure).map(({ name }) => [names(name), name])),
    paths: paths.flatMap(({ steps, value, column }): readonly Attribute[] => {
      // A single step is an attribute, not a nested path.
      if (steps.length < 2) return [];
      const common = { name: formatPath(steps, names), nillable: true };
      if (value.kind === 'value') return [{ ...common, ...value }];
      const found = source?.attributes.find((each) => each.name === column);
      return [{ ...common, ...value, dimension: 'XY', crs: found?.kind === 'geometry' ? found.crs : {} }];
    }),
  };
}

export function formatPath(steps: readonly TargetStep[], names: ElementNamer): string {
  return steps.map(({ name, isAttribute }) => `${isAttribute ? '@' : ''}${names(name)}`).join('/');
}

/** Resolves the attributes and paths of the description to steps. */
export function createStepFinder(
  { structure, paths }: MappedType,
  names: ElementNamer,
): (attribute: string) => readonly TargetStep[] {
  const own = listElements(structure).map(({ name }) => [
    { name: { ...name, prefix: '' }, isAttribute: false, index: 1 },
  ]);
  const all = [...own, ...paths.map(({ steps }) => steps)];
  const steps = new Map(all.map((each) => [formatPath(each, names), each]));
  return (attribute) => steps.get(attribute) ?? [];
}

export function hasGeometry({ value, properties }: PropertyStructure): boolean {
  return value?.kind === 'geometry' || properties.some(hasGeometry);
}

export type ElementNamer = (element: { readonly uri: string; readonly local: string }) => string;

/** Elements in the namespace of the type have plain names, others the prefix of the mapping. */
export function createElementNamer({ mapping }: MappedType, mappings: readonly Mapping[]): ElementNamer {
  const prefixes = new Map<string, string>();
  for (const { namespaces } of mappings) {
    for (const [prefix, uri] of namespaces) if (!prefixes.has(uri)) prefixes.set(uri, prefix);
  }
  return ({ uri, local }) => {
    const prefix = uri === '' || uri === mapping.targetElement.uri ? '' : (prefixes.get(uri) ?? '');
    return prefix === '' ? local : `${prefix}:${local}`;
  };
}

function listElements({ properties }: PropertyStructure): readonly PropertyStructure[] {
  return properties.filter(({ isAttribute }) => !isAttribute);
}

function toAttribute(property: PropertyStructure, names: ElementNamer): Attribute {
  const { name, value, minOccurs, maxOccurs, isNillable } = property;
  const usual = isNillable ? 0 : 1;
  const common = {
    name: names(name),
    nillable: isNillable,
    ...(minOccurs === usual ? {} : { minOccurs }),
    ...(maxOccurs === 1 ? {} : { maxOccurs: Number.isFinite(maxOccurs) ? maxOccurs : -1 }),
  };
  if (value?.kind === 'geometry') return { ...common, kind: 'geometry', type: value.type, dimension: 'XY', crs: {} };
  const inner = listElements(property);
  return {
    ...common,
    kind: 'value',
    type: value?.type ?? 'string',
    ...(inner.length === 0 ? {} : { attributes: inner.map((each) => toAttribute(each, names)) }),
  };
}

/** Finds the geometry that the mapping names, or else the first mapped geometry. */
function findDefaultGeometry({ mapping, structure }: MappedType, names: ElementNamer): DefaultGeometry | undefined {
  const geometries = listElements(structure).filter(({ value }) => value?.kind === 'geometry');
  const declaredName = mapping.defaultGeometry?.steps[0]?.name;
  const mapped = geometries.find((each) =>
    declaredName === undefined ? findAttributeMapping(mapping, each) !== undefined : isNamed(each, declaredName),
  );
  if (mapped === undefined) return undefined;
  const expression = findExpression(findAttributeMapping(mapping, mapped));
  return {
    attribute: names(mapped.name),
    column: expression === undefined ? undefined : findColumn(expression),
  };
}

/** The columns of documents are their paths. */
function findColumn(expression: Expression): string | undefined {
  if (expression.kind === 'property') return expression.name;
  const [path] = expression.kind === 'function' && /^jsonselect$/i.test(expression.name) ? expression.arguments : [];
  return path?.kind === 'literal' ? String(path.value).replace(/^\$\./, '') : undefined;
}

function findAttributeMapping({ attributes }: TypeMapping, property: PropertyStructure): AttributeMapping | undefined {
  return attributes.find(({ target, source }) => {
    const [step] = target?.steps ?? [];
    return step !== undefined && source !== undefined && isNamed(property, step.name);
  });
}

function findExpression(mapping: AttributeMapping | undefined) {
  return mapping?.source?.kind === 'expression' ? mapping.source.expression : undefined;
}

function isNamed(
  { name }: PropertyStructure,
  { uri, local }: { readonly uri: string; readonly local: string },
): boolean {
  return name.local === local && name.uri === uri;
}
