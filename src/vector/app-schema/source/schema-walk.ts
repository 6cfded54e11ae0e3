/** Follows target paths through schemas to find types and the document order. */

import { isSameName } from '../../port/complex-feature.ts';
import type { AttributeMapping, QualifiedName, TargetStep, TypeMapping } from '../../port/mapping.ts';
import { type ExpandedName, type NameKey, toNameKey } from '../xsd/schema-model.ts';
import type { SchemaSet } from '../xsd/schema-set.ts';
import type { PropertyStructure, StructureLimits } from '../xsd/structure.ts';

export interface SchemaWalk {
  /** Returns the structure at the end of a path, or undefined if no schema defines it. */
  findStructure(element: ExpandedName, steps: readonly TargetStep[]): PropertyStructure | undefined;
  /** Returns the attributes in document order. */
  sortAttributes(type: TypeMapping): readonly AttributeMapping[];
}

/** An object with its properties and their objects. */
const stepLimits: StructureLimits = { maxDepth: 3, maxProperties: 5_000 };

export function createSchemaWalk(schemas: SchemaSet): SchemaWalk {
  const known = new Map<NameKey, PropertyStructure | undefined>();
  const findElementStructure = (element: ExpandedName): PropertyStructure | undefined => {
    const key = toNameKey(element);
    if (!known.has(key)) known.set(key, schemas.findStructure(element, stepLimits));
    return known.get(key);
  };

  /** Substituted or deeply nested elements are looked up separately. */
  const findNextStructure = (at: PropertyStructure | undefined, step: TargetStep): PropertyStructure | undefined => {
    const found = at?.properties[findStepIndex(at, step)];
    return step.isAttribute || (found !== undefined && found.properties.length > 0)
      ? found
      : (findElementStructure(step.name) ?? found);
  };

  const computePosition = ({ target }: AttributeMapping, element: QualifiedName): readonly number[] => {
    const places: number[] = [];
    let at = findElementStructure(element);
    for (const step of removeElementStep(element, target?.steps ?? [])) {
      const index = at === undefined ? -1 : findStepIndex(at, step);
      places.push(index < 0 ? Number.MAX_SAFE_INTEGER : index);
      at = findNextStructure(at, step);
    }
    return places;
  };

  return {
    findStructure: (element, steps) => steps.reduce(findNextStructure, findElementStructure(element)),
    sortAttributes: ({ attributes, targetElement }) =>
      attributes
        .map((attribute) => ({ attribute, place: computePosition(attribute, targetElement) }))
        .sort((one, other) => comparePositions(one.place, other.place))
        .map(({ attribute }) => attribute),
  };
}

/** A path can begin with the type itself. */
export function removeElementStep(element: QualifiedName, steps: readonly TargetStep[]): readonly TargetStep[] {
  const [first] = steps;
  return first !== undefined && isSameName(first.name, element) ? steps.slice(1) : steps;
}

function findStepIndex({ properties }: PropertyStructure, { name, isAttribute }: TargetStep): number {
  return properties.findIndex(
    (each) => each.isAttribute === isAttribute && each.name.local === name.local && each.name.uri === name.uri,
  );
}

function comparePositions(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
