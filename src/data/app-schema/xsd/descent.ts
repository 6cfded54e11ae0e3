/** Looks up what elements and types come from: the heads that an element stands for, the bases of a type, and its value. */
import type { GeometryType } from '../../vector/geometry.ts';
import type { ValueType } from '../../vector/port.ts';
import {
  type ElementDeclaration,
  type ExpandedName,
  keyOf,
  type NameKey,
  nameOf,
  type SchemaParts,
  type TypeDefinition,
} from './schema-model.ts';
import { definitionOf, MAX_NESTING } from './type-contents.ts';
import { geometryOfType, valueOfBuiltIn } from './well-known.ts';

export type PropertyValue =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'geometry'; readonly type: GeometryType };

/** A type by its name, or as it is written in the place of one. */
export type NamedOrWrittenType = NameKey | TypeDefinition | undefined;

export interface Descent {
  /** The type of an element, which may be that of what it stands for. */
  typeOf(declaration: ElementDeclaration): NamedOrWrittenType;
  /** A type and all it comes from, itself first. */
  lineageOf(type: NamedOrWrittenType): readonly (NameKey | TypeDefinition)[];
  /** The heads that an element may stand for, itself among them. */
  headsOf(name: ExpandedName): ReadonlySet<NameKey>;
  /** What the text of such a type is, or the geometry in it. */
  valueIn(type: NamedOrWrittenType): PropertyValue | undefined;
}

export function createDescent(parts: SchemaParts): Descent {
  const values = new Map<NamedOrWrittenType, PropertyValue | undefined>();

  const lineageOf = (type: NamedOrWrittenType): readonly (NameKey | TypeDefinition)[] => {
    const line = new Set<NameKey | TypeDefinition>();
    for (let at = type; at !== undefined && !line.has(at); at = definitionOf(parts, at)?.base) line.add(at);
    return [...line];
  };

  const findValue = (type: NamedOrWrittenType): PropertyValue | undefined => {
    const lineage = lineageOf(type);
    for (const each of lineage) {
      if (typeof each !== 'string') continue;
      const geometry = geometryOfType(nameOf(each));
      if (geometry !== undefined) return { kind: 'geometry', type: geometry };
      const value = valueOfBuiltIn(nameOf(each));
      if (value !== undefined) return { kind: 'value', type: value };
    }
    // Lists and unions are text.
    const last = lineage.at(-1);
    const isText = last !== undefined && definitionOf(parts, last)?.kind === 'simple';
    return isText ? { kind: 'value', type: 'string' } : undefined;
  };

  return {
    lineageOf,
    typeOf: (declaration) => {
      let at: ElementDeclaration | undefined = declaration;
      for (const seen = new Set<ElementDeclaration>(); at !== undefined && !seen.has(at) && seen.size < MAX_NESTING; ) {
        if (at.type !== undefined) return at.type;
        seen.add(at);
        at = parts.elements.get(at.substitutes[0] ?? '');
      }
      return undefined;
    },
    headsOf: (name) => {
      const heads = new Set([keyOf(name)]);
      for (const key of heads) {
        if (heads.size > MAX_NESTING) break;
        for (const head of parts.elements.get(key)?.substitutes ?? []) heads.add(head);
      }
      return heads;
    },
    valueIn: (type) => {
      if (!values.has(type)) values.set(type, findValue(type));
      return values.get(type);
    },
  };
}
