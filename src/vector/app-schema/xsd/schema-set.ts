/** Queries on schemas: their elements, which of them are features, and their content. */

import {
  type ExpandedName,
  fromNameKey,
  type NameKey,
  type SchemaParts,
  type SourcePosition,
  toNameKey,
} from './schema-model.ts';
import { buildStructure, type PropertyStructure, type StructureLimits, structureLimits } from './structure.ts';
import { createTypeContents, SchemaError } from './type-contents.ts';
import { createTypeHierarchy } from './type-hierarchy.ts';
import { featureElements, featureTypes } from './well-known.ts';

export interface SchemaSet {
  /** The top-level elements of the files. */
  readonly elements: readonly ExpandedName[];
  hasElement(name: ExpandedName): boolean;
  /** Whether it substitutes the GML feature element, or its type extends the GML feature type. */
  isFeature(name: ExpandedName): boolean;
  /** Whether it can substitute the other element. */
  canReplace(name: ExpandedName, other: ExpandedName): boolean;
  /** Returns undefined for an unknown element. */
  findStructure(name: ExpandedName, limits?: StructureLimits): PropertyStructure | undefined;
}

/** `own` lists the elements of the files. `findFirstError` expands all components once to validate them. */
export function createSchemaSet(
  parts: SchemaParts,
  own: readonly NameKey[],
): SchemaSet & { findFirstError(): (SourcePosition & { readonly message: string }) | undefined } {
  const contents = createTypeContents(parts);
  const descent = createTypeHierarchy(parts);
  return {
    elements: own.map(fromNameKey),
    hasElement: (name) => parts.elements.has(toNameKey(name)),
    isFeature: (name) => {
      const heads = descent.collectHeads(name);
      if ([...heads].some((key) => featureElements.has(key))) return true;
      const declaration = parts.elements.get(toNameKey(name));
      const lineage = declaration === undefined ? [] : descent.listLineage(descent.findType(declaration));
      return lineage.some((each) => typeof each === 'string' && featureTypes.has(each));
    },
    canReplace: (name, other) => descent.collectHeads(name).has(toNameKey(other)),
    findStructure: (name, limits = structureLimits) => {
      const declaration = parts.elements.get(toNameKey(name));
      return declaration && buildStructure({ parts, contents, descent }, declaration, limits);
    },
    findFirstError: () => {
      try {
        for (const type of parts.types.values()) {
          contents.getMembers(type);
          contents.getAttributes(type);
        }
        for (const key of own) {
          const type = parts.elements.get(key)?.type;
          if (typeof type !== 'object') continue;
          contents.getMembers(type);
          contents.getAttributes(type);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
        return { ...error.position, message: error.message };
      }
    },
  };
}
