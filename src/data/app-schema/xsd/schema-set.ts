/** What can be asked of schemas: which elements there are, which of them are features, and what is in them. */
import { createDescent } from './descent.ts';
import { type ExpandedName, keyOf, type NameKey, nameOf, type Place, type SchemaParts } from './schema-model.ts';
import { type PropertyStructure, type StructureLimits, structureLimits, structureOf } from './structure.ts';
import { createTypeContents, SchemaMistake } from './type-contents.ts';
import { featureElements, featureTypes } from './well-known.ts';

export interface SchemaSet {
  /** The elements that the files declare on their outermost level. */
  readonly elements: readonly ExpandedName[];
  hasElement(name: ExpandedName): boolean;
  /** Whether it stands in the place of the GML feature element, or its type extends that of features. */
  isFeature(name: ExpandedName): boolean;
  /** Whether it may stand wherever the other may. */
  canReplace(name: ExpandedName, other: ExpandedName): boolean;
  /** Undefined for an element that there is none of. */
  structureOf(name: ExpandedName, limits?: StructureLimits): PropertyStructure | undefined;
}

/** `own` are the elements of the files. `firstMistake` puts all parts together once, to see whether they can be. */
export function createSchemaSet(
  parts: SchemaParts,
  own: readonly NameKey[],
): SchemaSet & { firstMistake(): (Place & { readonly message: string }) | undefined } {
  const contents = createTypeContents(parts);
  const descent = createDescent(parts);
  return {
    elements: own.map(nameOf),
    hasElement: (name) => parts.elements.has(keyOf(name)),
    isFeature: (name) => {
      const heads = descent.headsOf(name);
      if ([...heads].some((key) => featureElements.has(key))) return true;
      const declaration = parts.elements.get(keyOf(name));
      const lineage = declaration === undefined ? [] : descent.lineageOf(descent.typeOf(declaration));
      return lineage.some((each) => typeof each === 'string' && featureTypes.has(each));
    },
    canReplace: (name, other) => descent.headsOf(name).has(keyOf(other)),
    structureOf: (name, limits = structureLimits) => {
      const declaration = parts.elements.get(keyOf(name));
      return declaration && structureOf({ parts, contents, descent }, declaration, limits);
    },
    firstMistake: () => {
      try {
        for (const type of parts.types.values()) {
          contents.membersOf(type);
          contents.attributesOf(type);
        }
        for (const key of own) {
          const type = parts.elements.get(key)?.type;
          if (typeof type !== 'object') continue;
          contents.membersOf(type);
          contents.attributesOf(type);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SchemaMistake)) throw error;
        return { ...error.place, message: error.message };
      }
    },
  };
}
