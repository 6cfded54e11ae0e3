/** Walks target paths through schemas: what is at their end, and in which order a document has them. */
import type { AttributeMapping, QualifiedName, TargetStep, TypeMapping } from '../mapping/mapping.ts';
import { isSameName } from '../read/complex-feature.ts';
import { type ExpandedName, keyOf, type NameKey } from '../xsd/schema-model.ts';
import type { SchemaSet } from '../xsd/schema-set.ts';
import type { PropertyStructure, StructureLimits } from '../xsd/structure.ts';

export interface SchemaWalk {
  /** What is at the end of a path from an element; undefined where no schema says it. */
  structureAt(element: ExpandedName, steps: readonly TargetStep[]): PropertyStructure | undefined;
  /** The same attributes in the order in which a document has them. */
  inOrder(type: TypeMapping): readonly AttributeMapping[];
}

/** An object with the properties in it, and the objects in those. */
const stepLimits: StructureLimits = { maxDepth: 3, maxProperties: 5_000 };

export function createSchemaWalk(schemas: SchemaSet): SchemaWalk {
  const known = new Map<NameKey, PropertyStructure | undefined>();
  const structureOf = (element: ExpandedName): PropertyStructure | undefined => {
    const key = keyOf(element);
    if (!known.has(key)) known.set(key, schemas.structureOf(element, stepLimits));
    return known.get(key);
  };

  /** What stands in the place of another, or is too deep in one, is looked up by itself. */
  const next = (at: PropertyStructure | undefined, step: TargetStep): PropertyStructure | undefined => {
    const found = at?.properties[indexIn(at, step)];
    return step.isAttribute || (found !== undefined && found.properties.length > 0)
      ? found
      : (structureOf(step.name) ?? found);
  };

  const placeOf = ({ target }: AttributeMapping, element: QualifiedName): readonly number[] => {
    const places: number[] = [];
    let at = structureOf(element);
    for (const step of stepsBelow(element, target?.steps ?? [])) {
      const index = at === undefined ? -1 : indexIn(at, step);
      places.push(index < 0 ? Number.MAX_SAFE_INTEGER : index);
      at = next(at, step);
    }
    return places;
  };

  return {
    structureAt: (element, steps) => steps.reduce(next, structureOf(element)),
    inOrder: ({ attributes, targetElement }) =>
      attributes
        .map((attribute) => ({ attribute, place: placeOf(attribute, targetElement) }))
        .sort((one, other) => comparePlaces(one.place, other.place))
        .map(({ attribute }) => attribute),
  };
}

/** A path may begin with the type itself. */
export function stepsBelow(element: QualifiedName, steps: readonly TargetStep[]): readonly TargetStep[] {
  const [first] = steps;
  return first !== undefined && isSameName(first.name, element) ? steps.slice(1) : steps;
}

function indexIn({ properties }: PropertyStructure, { name, isAttribute }: TargetStep): number {
  return properties.findIndex(
    (each) => each.isAttribute === isAttribute && each.name.local === name.local && each.name.uri === name.uri,
  );
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
