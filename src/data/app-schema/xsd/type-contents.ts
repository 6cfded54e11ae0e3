/** Merges what types, groups and attribute groups say into the elements and XML attributes that a type has in all. */
import { shown } from '../complaints.ts';
import {
  type AttributeUse,
  type ElementDeclaration,
  keyOf,
  type NameKey,
  nameOf,
  type Occurrence,
  type Particle,
  type Place,
  type SchemaParts,
  type TypeDefinition,
} from './schema-model.ts';

/** An element in its type, with how often it may be there. */
export interface Member extends Occurrence {
  readonly declaration: ElementDeclaration;
}

export type Members = ReadonlyMap<NameKey, Member>;

export type AttributeMember = Extract<AttributeUse, { kind: 'local' }>;

export type AttributeMembers = ReadonlyMap<NameKey, AttributeMember>;

/** Both are by name, and throw a `SchemaMistake` for what cannot be put together. */
export interface TypeContents {
  /** The elements of a type, those that it inherits first. */
  membersOf(type: TypeDefinition): Members;
  /** The XML attributes of a type; its own overrule those it inherits. */
  attributesOf(type: TypeDefinition): AttributeMembers;
}

/** Something that only shows when parts are put together. */
export class SchemaMistake extends Error {
  override readonly name = 'SchemaMistake';
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

/** Additions of members to lists in all: schemas that are made to be slow need more. */
const MAX_STEPS = 2_000_000;

/** Types that extend types, and groups in groups, go no deeper: they are followed by recursion. */
export const MAX_NESTING = 500;

type Spend = (place: Place, count: number) => void;

export function createTypeContents(parts: SchemaParts): TypeContents {
  const members = new Map<TypeDefinition | NameKey, Members>();
  const attributes = new Map<TypeDefinition | NameKey, AttributeMembers>();
  const underWay = new Set<unknown>();
  let steps = 0;

  const spend: Spend = (place, count) => {
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

  const membersOf = (type: TypeDefinition): Members => {
    const known = members.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = guarded(type, type, 'type', () => {
      const base = type.derivation === 'extension' ? definitionOf(parts, type.base) : undefined;
      const inherited: Members = base === undefined ? new Map() : membersOf(base);
      const added: Members = type.content === undefined ? new Map() : membersIn(type.content, type);
      return joined([inherited, added], type, spend);
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
        return repeated(groupMembers(particle.group, particle), particle, particle, spend);
      default: {
        const merge = particle.kind === 'choice' ? either : joined;
        const lists = particle.parts.map((part) => membersIn(part, place));
        return repeated(merge(lists, place, spend), particle, place, spend);
      }
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

  const attributesOf = (type: TypeDefinition): AttributeMembers => {
    const known = attributes.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = guarded(type, type, 'type', () => {
      const base = definitionOf(parts, type.base);
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
    into: Map<NameKey, AttributeMember>,
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

  const groupAttributes = (key: NameKey, place: Place): AttributeMembers => {
    const known = attributes.get(key);
    if (known !== undefined) {
      spend(place, known.size);
      return known;
    }
    const found = new Map<NameKey, AttributeMember>();
    guarded(`@${key}`, place, `attribute group '${shown(nameOf(key).local)}'`, () =>
      collectAttributes(parts.attributeGroups.get(key) ?? [], found, place),
    );
    attributes.set(key, found);
    return found;
  };

  return { membersOf, attributesOf };
}

/** Undefined for a type that is not known, which those of XML Schema itself are. */
export function definitionOf(
  { types }: SchemaParts,
  type: NameKey | TypeDefinition | undefined,
): TypeDefinition | undefined {
  return typeof type === 'string' ? types.get(type) : type;
}

/** One after the other: a name that is in several may be there as often as in all together. */
function joined(lists: readonly Members[], place: Place, spend: Spend): Members {
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
}

/** One of them: a name must be there only if it must in each. */
function either(lists: readonly Members[], place: Place, spend: Spend): Members {
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
}

function repeated(list: Members, { min, max }: Occurrence, place: Place, spend: Spend): Members {
  if (min === 1 && max === 1) return list;
  if (max === 0) return new Map();
  spend(place, list.size);
  return new Map([...list].map(([key, member]) => [key, { ...member, min: member.min * min, max: member.max * max }]));
}

/** Something in a known namespace whose inside is not known. */
function unknownElement({ element, file, line }: Place & { readonly element: NameKey }): ElementDeclaration {
  return { name: nameOf(element), substitutes: [], isAbstract: false, isNillable: false, file, line };
}
