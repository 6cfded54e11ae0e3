/** A mapped type as the vector port tells it: the elements of its complex type, and what is known of its data. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/crs-reference.ts';
import type { Expression } from '../../filter/expression.ts';
import type { Attribute, ComplexType, FeatureTypeDescription } from '../../vector/port.ts';
import type { AttributeMapping, Mapping, TargetStep, TypeMapping } from '../mapping/mapping.ts';
import type { PropertyStructure } from '../xsd/structure.ts';
import type { MappedType } from './compile-mapping.ts';

/** The geometry column that the drawn geometry is taken from as it is. */
export interface DrawnGeometry {
  /** The attribute of the type. */
  readonly attribute: string;
  readonly column: string | undefined;
}

export function describedType(
  type: MappedType,
  mappings: readonly Mapping[],
  source: FeatureTypeDescription | undefined,
): FeatureTypeDescription {
  const names = createNames(type, mappings);
  const drawn = drawnGeometry(type, names);
  const column = source?.attributes.find(({ name }) => name === drawn?.column);
  const crs: CrsReference = column?.kind === 'geometry' ? column.crs : {};
  const isDrawnThere = column !== undefined && column.name === source?.defaultGeometry;
  const bounds: Bounds | undefined = isDrawnThere ? source?.bounds : undefined;
  const attributes = elementsIn(type.structure).map((each) => attributeOf(each, names));
  return {
    name: type.name,
    attributes: attributes.map((each) =>
      each.kind === 'geometry' && each.name === drawn?.attribute ? { ...each, crs } : each,
    ),
    complex: complexType(type, names, source),
    ...(drawn === undefined ? {} : { defaultGeometry: drawn.attribute }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}

function complexType(
  { structure, paths }: MappedType,
  names: Names,
  source: FeatureTypeDescription | undefined,
): ComplexType {
  return {
    elements: new Map(elementsIn(structure).map(({ name }) => [names(name), name])),
    paths: paths.flatMap(({ steps, value, column }): readonly Attribute[] => {
      // What is not deeper than attributes is one.
      if (steps.length < 2) return [];
      const common = { name: pathName(steps, names), nillable: true };
      if (value.kind === 'value') return [{ ...common, ...value }];
      const found = source?.attributes.find((each) => each.name === column);
      return [{ ...common, ...value, dimension: 'XY', crs: found?.kind === 'geometry' ? found.crs : {} }];
    }),
  };
}

export function pathName(steps: readonly TargetStep[], names: Names): string {
  return steps.map(({ name, isAttribute }) => `${isAttribute ? '@' : ''}${names(name)}`).join('/');
}

/** Where attributes and paths of the description lead. */
export function createStepsTo(
  { structure, paths }: MappedType,
  names: Names,
): (attribute: string) => readonly TargetStep[] {
  const own = elementsIn(structure).map(({ name }) => [
    { name: { ...name, prefix: '' }, isAttribute: false, index: 1 },
  ]);
  const all = [...own, ...paths.map(({ steps }) => steps)];
  const steps = new Map(all.map((each) => [pathName(each, names), each]));
  return (attribute) => steps.get(attribute) ?? [];
}

export function hasGeometry({ value, properties }: PropertyStructure): boolean {
  return value?.kind === 'geometry' || properties.some(hasGeometry);
}

export type Names = (element: { readonly uri: string; readonly local: string }) => string;

/** Elements of the type's own namespace go by their plain names, others with the prefix that the mapping has for it. */
export function createNames({ mapping }: MappedType, mappings: readonly Mapping[]): Names {
  const prefixes = new Map<string, string>();
  for (const { namespaces } of mappings) {
    for (const [prefix, uri] of namespaces) if (!prefixes.has(uri)) prefixes.set(uri, prefix);
  }
  return ({ uri, local }) => {
    const prefix = uri === '' || uri === mapping.targetElement.uri ? '' : (prefixes.get(uri) ?? '');
    return prefix === '' ? local : `${prefix}:${local}`;
  };
}

function elementsIn({ properties }: PropertyStructure): readonly PropertyStructure[] {
  return properties.filter(({ isAttribute }) => !isAttribute);
}

function attributeOf(property: PropertyStructure, names: Names): Attribute {
  const { name, value, minOccurs, maxOccurs, isNillable } = property;
  const usual = isNillable ? 0 : 1;
  const common = {
    name: names(name),
    nillable: isNillable,
    ...(minOccurs === usual ? {} : { minOccurs }),
    ...(maxOccurs === 1 ? {} : { maxOccurs: Number.isFinite(maxOccurs) ? maxOccurs : -1 }),
  };
  if (value?.kind === 'geometry') return { ...common, kind: 'geometry', type: value.type, dimension: 'XY', crs: {} };
  const inner = elementsIn(property);
  return {
    ...common,
    kind: 'value',
    type: value?.type ?? 'string',
    ...(inner.length === 0 ? {} : { attributes: inner.map((each) => attributeOf(each, names)) }),
  };
}

/** The geometry that the mapping says, or else the first one that it maps. */
function drawnGeometry({ mapping, structure }: MappedType, names: Names): DrawnGeometry | undefined {
  const geometries = elementsIn(structure).filter(({ value }) => value?.kind === 'geometry');
  const said = mapping.defaultGeometry?.steps[0]?.name;
  const mapped = geometries.find((each) =>
    said === undefined ? mappingOf(mapping, each) !== undefined : isNamed(each, said),
  );
  if (mapped === undefined) return undefined;
  const expression = expressionOf(mappingOf(mapping, mapped));
  return {
    attribute: names(mapped.name),
    column: expression === undefined ? undefined : columnOf(expression),
  };
}

/** Documents have columns by the paths that lead to them. */
function columnOf(expression: Expression): string | undefined {
  if (expression.kind === 'property') return expression.name;
  const [path] = expression.kind === 'function' && /^jsonselect$/i.test(expression.name) ? expression.arguments : [];
  return path?.kind === 'literal' ? String(path.value).replace(/^\$\./, '') : undefined;
}

function mappingOf({ attributes }: TypeMapping, property: PropertyStructure): AttributeMapping | undefined {
  return attributes.find(({ target, source }) => {
    const [step] = target?.steps ?? [];
    return step !== undefined && source !== undefined && isNamed(property, step.name);
  });
}

function expressionOf(mapping: AttributeMapping | undefined) {
  return mapping?.source?.kind === 'expression' ? mapping.source.expression : undefined;
}

function isNamed(
  { name }: PropertyStructure,
  { uri, local }: { readonly uri: string; readonly local: string },
): boolean {
  return name.local === local && name.uri === uri;
}
