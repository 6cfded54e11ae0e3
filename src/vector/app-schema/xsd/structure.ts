/** Spreads out all that may be in an element, as deep as the limits let it. */

import {
  type ElementDeclaration,
  type ExpandedName,
  fromNameKey,
  type SchemaParts,
  type TypeDefinition,
} from './schema-model.ts';
import { findDefinition, type Member, type TypeContents } from './type-contents.ts';
import type { NamedOrInlineType, PropertyValue, TypeHierarchy } from './type-hierarchy.ts';

/** An element or XML attribute with all that may be in it. */
export interface PropertyStructure {
  readonly name: ExpandedName;
  readonly isAttribute: boolean;
  /** Absent for a type without a name. */
  readonly type?: ExpandedName;
  /** What its text is, or the geometry in it; absent where it has nothing but properties. */
  readonly value?: PropertyValue;
  readonly minOccurs: number;
  /** Infinity where there is no end. */
  readonly maxOccurs: number;
  readonly isNillable: boolean;
  /** Whether another element must stand in its place. */
  readonly isAbstract: boolean;
  readonly properties: readonly PropertyStructure[];
  /** Whether there is more in it that is left out: a type within itself, or beyond the limits. */
  readonly isCut: boolean;
}

export interface StructureLimits {
  readonly maxDepth: number;
  readonly maxProperties: number;
}

/** Deeper than people look, and as many as a page can show. */
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

/** Level by level, so that limits leave out the deepest first. */
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
      // What a geometry is made of is for whoever draws it.
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
