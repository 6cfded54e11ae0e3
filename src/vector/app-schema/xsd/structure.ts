/** Expands the content of an element within limits. */

import {
  type ElementDeclaration,
  type ExpandedName,
  fromNameKey,
  type SchemaParts,
  type TypeDefinition,
} from './schema-model.ts';
import { findDefinition, type Member, type TypeContents } from './type-contents.ts';
import type { NamedOrInlineType, PropertyValue, TypeHierarchy } from './type-hierarchy.ts';

/** An element or XML attribute with its possible content. */
export interface PropertyStructure {
  readonly name: ExpandedName;
  readonly isAttribute: boolean;
  /** Absent for an anonymous type. */
  readonly type?: ExpandedName;
  /** The type of its text or geometry; absent if it has only properties. */
  readonly value?: PropertyValue;
  readonly minOccurs: number;
  /** Infinity if unbounded. */
  readonly maxOccurs: number;
  readonly isNillable: boolean;
  /** Whether it must be substituted by another element. */
  readonly isAbstract: boolean;
  readonly properties: readonly PropertyStructure[];
  /** Whether content is omitted: a recursive type, or content beyond the limits. */
  readonly isCut: boolean;
}

export interface StructureLimits {
  readonly maxDepth: number;
  readonly maxProperties: number;
}

/** Sufficient for real schemas, and the maximum for a page. */
export const structureLimits: StructureLimits = { maxDepth: 12, maxProperties: 5_000 };

interface MutableStructure extends Omit<PropertyStructure, 'properties' | 'isCut'> {
  properties: PropertyStructure[];
  isCut: boolean;
}

interface Branch {
  readonly node: MutableStructure;
  readonly definition: TypeDefinition | undefined;
  readonly depth: number;
  readonly above: Branch | undefined;
}

interface SchemaIndex {
  readonly parts: SchemaParts;
  readonly contents: TypeContents;
  readonly descent: TypeHierarchy;
}

/** Breadth first, so that the limits omit the deepest levels. */
export function buildStructure(
  knowledge: SchemaIndex,
  declaration: ElementDeclaration,
  limits: StructureLimits,
): PropertyStructure {
  const { contents, descent } = knowledge;
  const root = createBranch(knowledge, { declaration, min: 1, max: 1 }, undefined);
  let count = 0;
  let level: readonly Branch[] = [root];
  while (level.length > 0) {
    const next: Branch[] = [];
    for (const branch of level) {
      const { definition, node } = branch;
      if (definition === undefined || definition.kind === 'simple') continue;
      const own = [...contents.getAttributes(definition).values()].filter(({ use }) => use !== 'prohibited');
      const inside = [...contents.getMembers(definition).values()];
      const added = own.length + inside.length;
      if (added === 0) continue;
      if (isWithinItself(branch) || branch.depth > limits.maxDepth || count + added > limits.maxProperties) {
        node.isCut = true;
        continue;
      }
      count += added;
      for (const { name, type, use } of own) {
        const minOccurs = use === 'required' ? 1 : 0;
        node.properties.push(
          createNode(descent, name, type, {
            isAttribute: true,
            minOccurs,
            maxOccurs: 1,
            isNillable: false,
            isAbstract: false,
          }),
        );
      }
      // The content of geometries is not expanded.
      const branches =
        node.value?.kind === 'geometry' ? [] : inside.map((member) => createBranch(knowledge, member, branch));
      node.properties.push(...branches.map((each) => each.node));
      next.push(...branches);
    }
    level = next;
  }
  return root.node;
}

function createBranch({ parts, descent }: SchemaIndex, member: Member, above: Branch | undefined): Branch {
  const { declaration, min, max } = member;
  const type = descent.findType(declaration);
  const { isNillable, isAbstract } = declaration;
  const node = createNode(descent, declaration.name, type, {
    isAttribute: false,
    minOccurs: min,
    maxOccurs: max,
    isNillable,
    isAbstract,
  });
  return { node, definition: findDefinition(parts, type), depth: (above?.depth ?? 0) + 1, above };
}

function createNode(
  { findValueType: valueIn }: TypeHierarchy,
  name: ExpandedName,
  type: NamedOrInlineType,
  rest: Pick<PropertyStructure, 'isAttribute' | 'minOccurs' | 'maxOccurs' | 'isNillable' | 'isAbstract'>,
): MutableStructure {
  const value = valueIn(type);
  return {
    name,
    ...(typeof type === 'string' ? { type: fromNameKey(type) } : {}),
    ...(value === undefined ? {} : { value }),
    ...rest,
    properties: [],
    isCut: false,
  };
}

function isWithinItself({ definition, above }: Branch): boolean {
  for (let at = above; at !== undefined; at = at.above) if (at.definition === definition) return true;
  return false;
}
