/** Resolves the origin of elements and types: substitution heads, base types and value types. */
import type { GeometryType } from '../../../geometry/geometry.ts';
import type { ValueType } from '../../port/port.ts';
import {
  type ElementDeclaration,
  type ExpandedName,
  fromNameKey,
  type NameKey,
  type SchemaParts,
  type TypeDefinition,
  toNameKey,
} from './schema-model.ts';
import { findDefinition, MAX_NESTING } from './type-contents.ts';
import { findBuiltInValueType, findGeometryType } from './well-known.ts';

export type PropertyValue =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'geometry'; readonly type: GeometryType };

/** A type by name or inline. */
export type NamedOrInlineType = NameKey | TypeDefinition | undefined;

export interface TypeHierarchy {
  /** Returns the type of an element, which can come from its substitution head. */
  findType(declaration: ElementDeclaration): NamedOrInlineType;
  /** Returns a type followed by its base types. */
  listLineage(type: NamedOrInlineType): readonly (NameKey | TypeDefinition)[];
  /** Returns the substitution heads of an element, including itself. */
  collectHeads(name: ExpandedName): ReadonlySet<NameKey>;
  /** Returns the type of the text or geometry of such a type. */
  findValueType(type: NamedOrInlineType): PropertyValue | undefined;
}

export function createTypeHierarchy(parts: SchemaParts): TypeHierarchy {
  const values = new Map<NamedOrInlineType, PropertyValue | undefined>();

  const listLineage = (type: NamedOrInlineType): readonly (NameKey | TypeDefinition)[] => {
    const line = new Set<NameKey | TypeDefinition>();
    for (let at = type; at !== undefined && !line.has(at); at = findDefinition(parts, at)?.base) line.add(at);
    return [...line];
  };

  const findValue = (type: NamedOrInlineType): PropertyValue | undefined => {
    const lineage = listLineage(type);
    for (const each of lineage) {
      if (typeof each !== 'string') continue;
      const geometry = findGeometryType(fromNameKey(each));
      if (geometry !== undefined) return { kind: 'geometry', type: geometry };
      const value = findBuiltInValueType(fromNameKey(each));
      if (value !== undefined) return { kind: 'value', type: value };
    }
    // Lists and unions are text.
    const last = lineage.at(-1);
    const isText = last !== undefined && findDefinition(parts, last)?.kind === 'simple';
    return isText ? { kind: 'value', type: 'string' } : undefined;
  };

  return {
    listLineage: listLineage,
    findType: (declaration) => {
      let at: ElementDeclaration | undefined = declaration;
      for (const seen = new Set<ElementDeclaration>(); at !== undefined && !seen.has(at) && seen.size < MAX_NESTING; ) {
        if (at.type !== undefined) return at.type;
        seen.add(at);
        at = parts.elements.get(at.substitutes[0] ?? '');
      }
      return undefined;
    },
    collectHeads: (name) => {
      const heads = new Set([toNameKey(name)]);
      for (const key of heads) {
        if (heads.size > MAX_NESTING) break;
        for (const head of parts.elements.get(key)?.substitutes ?? []) heads.add(head);
      }
      return heads;
    },
    findValueType: (type) => {
      if (!values.has(type)) values.set(type, findValue(type));
      return values.get(type);
    },
  };
}
