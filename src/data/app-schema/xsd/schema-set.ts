/** What can be asked of schemas: which elements there are, which of them are features, and what is in them. */
import type { GeometryType } from '../../vector/geometry.ts';
import type { ValueType } from '../../vector/port.ts';
import { shown } from '../complaints.ts';
import {
  type AttributeUse,
  type ElementDeclaration,
  type ExpandedName,
  keyOf,
  type NameKey,
  nameOf,
  type Particle,
  type Place,
  type SchemaParts,
  type SimpleType,
  type TypeDefinition,
} from './schema-model.ts';
import { featureElements, featureTypes, geometryOfType, valueOfBuiltIn } from './well-known.ts';

export type PropertyValue =
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'geometry'; readonly type: GeometryType };

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
const structureLimits: StructureLimits = { maxDepth: 12, maxProperties: 5_000 };

/** What one may be: the property in its type, with how often it may be there. */
interface Member {
  readonly declaration: ElementDeclaration;
  readonly min: number;
  readonly max: number;
}

type Members = ReadonlyMap<NameKey, Member>;

/** Additions of members to lists in all: schemas that are made to be slow need more. */
const MAX_STEPS = 2_000_000;

/** Something that only shows when parts are put together. */
class SchemaMistake extends Error {
  override readonly name = 'SchemaMistake';
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

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
  const members = new Map<TypeDefinition | NameKey, Members>();
  const attributes = new Map<
    TypeDefinition | NameKey,
    ReadonlyMap<NameKey, Extract<AttributeUse, { kind: 'local' }>>
  >();
  const underWay = new Set<unknown>();
  let steps = 0;

  const spend = (place: Place, count: number): void => {
    steps += count + 1;
    if (steps > MAX_STEPS)
      throw new SchemaMistake(place, 'The types and groups of the schemas are too many when they are put together.');
  };
  /** Runs work on a part that may lead back to itself. */
  const guarded = <T>(part: unknown, place: Place, what: string, work: () => T): T => {
    if (underWay.has(part)) throw new SchemaMistake(place, `The ${what} leads back to itself.`);
    if (underWay.size > MAX_NESTING)
      throw new SchemaMistake(place, `There are more than ${MAX_NESTING} types or groups one in the other.`);
    underWay.add(part);
    try {
      return work();
    } finally {
      underWay.delete(part);
    }
  };

  const definitionOf = (type: NameKey | TypeDefinition | undefined): TypeDefinition | undefined =>
    typeof type === 'string' ? parts.types.get(type) : type;

  /** The elements of a type, those that it inherits first. */
  const membersOf = (type: TypeDefinition): Members => {
    const known = members.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = guarded(type, type, 'type', () => {
      const base = type.derivation === 'extension' ? definitionOf(type.base) : undefined;
      const inherited: Members = base === undefined ? new Map() : membersOf(base);
      const added: Members = type.content === undefined ? new Map() : membersIn(type.content, type);
      return joined([inherited, added], type);
    });
    members.set(type, found);
    return found;
  };

  const membersIn = (particle: Particle, place: Place): Members => {
    switch (particle.kind) {
      case 'local':
      case 'reference': {
        const declaration =
          particle.kind === 'local'
            ? particle.element
            : (parts.elements.get(particle.element) ?? unknownElement(particle));
        return particle.max === 0
          ? new Map()
          : new Map([[keyOf(declaration.name), { declaration, min: particle.min, max: particle.max }]]);
      }
      case 'group':
        return repeated(groupMembers(particle.group, particle), particle, particle);
      case 'choice':
        return repeated(
          either(
            particle.parts.map((part) => membersIn(part, place)),
            place,
          ),
          particle,
          place,
        );
      default:
        return repeated(
          joined(
            particle.parts.map((part) => membersIn(part, place)),
            place,
          ),
          particle,
          place,
        );
    }
  };

  const groupMembers = (key: NameKey, place: Place): Members => {
    const known = members.get(key);
    const group = parts.groups.get(key);
    if (known !== undefined || group === undefined) return known ?? new Map();
    const found = guarded(key, place, `group '${shown(nameOf(key).local)}'`, () => membersIn(group, place));
    members.set(key, found);
    return found;
  };

  /** One after the other: a name that is in several may be there as often as in all together. */
  const joined = (lists: readonly Members[], place: Place): Members => {
    const [only] = lists;
    if (lists.length === 1 && only !== undefined) return only;
    const all = new Map<NameKey, Member>();
    for (const list of lists) {
      spend(place, list.size);
      for (const [key, member] of list) {
        const before = all.get(key);
        all.set(
          key,
          before === undefined ? member : { ...before, min: before.min + member.min, max: before.max + member.max },
        );
      }
    }
    return all;
  };

  /** One of them: a name must be there only if it must in each. */
  const either = (lists: readonly Members[], place: Place): Members => {
    const all = new Map<NameKey, Member & { readonly lists: number }>();
    for (const list of lists) {
      spend(place, list.size);
      for (const [key, member] of list) {
        const before = all.get(key);
        all.set(key, {
          declaration: before?.declaration ?? member.declaration,
          min: Math.min(before?.min ?? member.min, member.min),
          max: Math.max(before?.max ?? 0, member.max),
          lists: (before?.lists ?? 0) + 1,
        });
      }
    }
    return new Map(
      [...all].map(([key, { lists: count, ...member }]) => [
        key,
        { ...member, min: count === lists.length ? member.min : 0 },
      ]),
    );
  };

  const repeated = (
    list: Members,
    { min, max }: { readonly min: number; readonly max: number },
    place: Place,
  ): Members => {
    if (min === 1 && max === 1) return list;
    if (max === 0) return new Map();
    spend(place, list.size);
    return new Map(
      [...list].map(([key, member]) => [key, { ...member, min: member.min * min, max: member.max * max }]),
    );
  };

  /** The XML attributes of a type, by name; those of the type itself overrule those it inherits. */
  const attributesOf = (type: TypeDefinition): ReadonlyMap<NameKey, Extract<AttributeUse, { kind: 'local' }>> => {
    const known = attributes.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = guarded(type, type, 'type', () => {
      const base = definitionOf(type.base);
      const all = new Map(base === undefined ? [] : attributesOf(base));
      spend(type, all.size);
      collectAttributes(type.attributes, all, type);
      return all;
    });
    attributes.set(type, found);
    return found;
  };

  const collectAttributes = (
    uses: readonly AttributeUse[],
    into: Map<NameKey, Extract<AttributeUse, { kind: 'local' }>>,
    place: Place,
  ): void => {
    for (const use of uses) {
      spend(place, 0);
      if (use.kind === 'group') {
        for (const [key, each] of groupAttributes(use.group, use)) into.set(key, each);
      } else if (use.kind === 'reference') {
        const declared = parts.attributes.get(use.attribute) ?? { name: nameOf(use.attribute) };
        into.set(use.attribute, { ...use, ...declared, kind: 'local' });
      } else {
        into.set(keyOf(use.name), use);
      }
    }
  };

  const groupAttributes = (
    key: NameKey,
    place: Place,
  ): ReadonlyMap<NameKey, Extract<AttributeUse, { kind: 'local' }>> => {
    const known = attributes.get(key);
    if (known !== undefined) {
      spend(place, known.size);
      return known;
    }
    const found = new Map<NameKey, Extract<AttributeUse, { kind: 'local' }>>();
    guarded(`@${key}`, place, `attribute group '${shown(nameOf(key).local)}'`, () =>
      collectAttributes(parts.attributeGroups.get(key) ?? [], found, place),
    );
    attributes.set(key, found);
    return found;
  };

  /** The type of an element, which may be that of what it stands for. */
  const typeOf = (declaration: ElementDeclaration): NameKey | TypeDefinition | undefined => {
    let at: ElementDeclaration | undefined = declaration;
    for (const seen = new Set<ElementDeclaration>(); at !== undefined && !seen.has(at) && seen.size < MAX_NESTING; ) {
      if (at.type !== undefined) return at.type;
      seen.add(at);
      at = parts.elements.get(at.substitutes[0] ?? '');
    }
    return undefined;
  };

  /** A type and all it comes from, itself first. */
  const lineageOf = (type: NameKey | TypeDefinition | undefined): readonly (NameKey | TypeDefinition)[] => {
    const line = new Set<NameKey | TypeDefinition>();
    for (let at = type; at !== undefined && !line.has(at); at = definitionOf(at)?.base) line.add(at);
    return [...line];
  };

  const values = new Map<NameKey | TypeDefinition | undefined, PropertyValue | undefined>();
  const valueIn = (type: NameKey | TypeDefinition | undefined): PropertyValue | undefined => {
    if (!values.has(type)) values.set(type, findValue(type));
    return values.get(type);
  };

  const findValue = (type: NameKey | TypeDefinition | undefined): PropertyValue | undefined => {
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
    const isText = last !== undefined && definitionOf(last)?.kind === 'simple';
    return isText ? { kind: 'value', type: 'string' } : undefined;
  };

  /** The heads that an element may stand for, itself among them. */
  const headsOf = (name: ExpandedName): ReadonlySet<NameKey> => {
    const heads = new Set([keyOf(name)]);
    for (const key of heads) {
      if (heads.size > MAX_NESTING) break;
      for (const head of parts.elements.get(key)?.substitutes ?? []) heads.add(head);
    }
    return heads;
  };

  interface Growing extends Omit<PropertyStructure, 'properties' | 'isCut'> {
    properties: PropertyStructure[];
    isCut: boolean;
  }

  interface Branch {
    readonly node: Growing;
    readonly definition: TypeDefinition | undefined;
    readonly depth: number;
    readonly above: Branch | undefined;
  }

  const nodeOf = (
    name: ExpandedName,
    type: NameKey | TypeDefinition | SimpleType | undefined,
    rest: Pick<PropertyStructure, 'isAttribute' | 'minOccurs' | 'maxOccurs' | 'isNillable' | 'isAbstract'>,
  ): Growing => {
    const value = valueIn(type);
    return {
      name,
      ...(typeof type === 'string' ? { type: nameOf(type) } : {}),
      ...(value === undefined ? {} : { value }),
      ...rest,
      properties: [],
      isCut: false,
    };
  };

  /** Level by level, so that limits leave out the deepest first. */
  const grow = (declaration: ElementDeclaration, limits: StructureLimits): PropertyStructure => {
    const branchOf = (member: Member, above: Branch | undefined): Branch => {
      const { declaration: each, min, max } = member;
      const type = typeOf(each);
      const { isNillable, isAbstract } = each;
      const node = nodeOf(each.name, type, {
        isAttribute: false,
        minOccurs: min,
        maxOccurs: max,
        isNillable,
        isAbstract,
      });
      return { node, definition: definitionOf(type), depth: (above?.depth ?? 0) + 1, above };
    };
    const root = branchOf({ declaration, min: 1, max: 1 }, undefined);
    let count = 0;
    let level: readonly Branch[] = [root];
    while (level.length > 0) {
      const next: Branch[] = [];
      for (const branch of level) {
        const { definition, node } = branch;
        if (definition === undefined || definition.kind === 'simple') continue;
        const own = [...attributesOf(definition).values()].filter(({ use }) => use !== 'prohibited');
        const inside = [...membersOf(definition).values()];
        const isEmpty = own.length + inside.length === 0;
        const isRecursive = isWithinItself(branch);
        if (isEmpty) continue;
        if (
          isRecursive ||
          branch.depth > limits.maxDepth ||
          count + own.length + inside.length > limits.maxProperties
        ) {
          node.isCut = true;
          continue;
        }
        count += own.length + inside.length;
        for (const { name, type, use } of own) {
          const minOccurs = use === 'required' ? 1 : 0;
          node.properties.push(
            nodeOf(name, type, { isAttribute: true, minOccurs, maxOccurs: 1, isNillable: false, isAbstract: false }),
          );
        }
        // What a geometry is made of is for whoever draws it.
        const branches = node.value?.kind === 'geometry' ? [] : inside.map((member) => branchOf(member, branch));
        node.properties.push(...branches.map((each) => each.node));
        next.push(...branches);
      }
      level = next;
    }
    return root.node;
  };

  function isWithinItself({ definition, above }: Branch): boolean {
    for (let at = above; at !== undefined; at = at.above) if (at.definition === definition) return true;
    return false;
  }

  return {
    elements: own.map(nameOf),
    hasElement: (name) => parts.elements.has(keyOf(name)),
    isFeature: (name) => {
      const heads = headsOf(name);
      if ([...heads].some((key) => featureElements.has(key))) return true;
      const declaration = parts.elements.get(keyOf(name));
      const lineage = declaration === undefined ? [] : lineageOf(typeOf(declaration));
      return lineage.some((each) => typeof each === 'string' && featureTypes.has(each));
    },
    canReplace: (name, other) => headsOf(name).has(keyOf(other)),
    structureOf: (name, limits = structureLimits) => {
      const declaration = parts.elements.get(keyOf(name));
      return declaration && grow(declaration, limits);
    },
    firstMistake: () => {
      try {
        for (const type of parts.types.values()) {
          membersOf(type);
          attributesOf(type);
        }
        for (const key of own) {
          const type = parts.elements.get(key)?.type;
          if (typeof type !== 'object') continue;
          membersOf(type);
          attributesOf(type);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SchemaMistake)) throw error;
        return { ...error.place, message: error.message };
      }
    },
  };
}

/** Types that extend types, and groups in groups, go no deeper: they are followed by recursion. */
const MAX_NESTING = 500;

/** Something in a known namespace whose inside is not known. */
function unknownElement({ element, file, line }: Place & { readonly element: NameKey }): ElementDeclaration {
  return { name: nameOf(element), substitutes: [], isAbstract: false, isNillable: false, file, line };
}
