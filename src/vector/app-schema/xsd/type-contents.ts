/** Merges types, groups and attribute groups into the elements and XML attributes of a type. */
import { formatExcerpt } from '../diagnostics.ts';
import {
  type AttributeUse,
  type ElementDeclaration,
  fromNameKey,
  type NameKey,
  type Occurrence,
  type Particle,
  type SchemaParts,
  type SourcePosition,
  type TypeDefinition,
  toNameKey,
} from './schema-model.ts';

/** An element of a type with its cardinality. */
export interface Member extends Occurrence {
  readonly declaration: ElementDeclaration;
}

export type Members = ReadonlyMap<NameKey, Member>;

export type AttributeMember = Extract<AttributeUse, { kind: 'local' }>;

export type AttributeMembers = ReadonlyMap<NameKey, AttributeMember>;

/** Both are keyed by name and throw a `SchemaError` for components that cannot be merged. */
export interface TypeContents {
  /** Returns the elements of a type, inherited ones first. */
  getMembers(type: TypeDefinition): Members;
  /** Returns the XML attributes of a type; its own override inherited ones. */
  getAttributes(type: TypeDefinition): AttributeMembers;
}

/** An error that is found only when components are merged. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly position: SourcePosition;

  constructor(place: SourcePosition, message: string) {
    super(message);
    this.position = place;
  }
}

/** The total number of merge steps, which only schemas designed to be slow exceed. */
const MAX_STEPS = 2_000_000;

/** The nesting limit of types and groups, which are traversed recursively. */
export const MAX_NESTING = 500;

type CountSteps = (place: SourcePosition, count: number) => void;

export function createTypeContents(parts: SchemaParts): TypeContents {
  return new SchemaTypeContents(parts);
}

class SchemaTypeContents implements TypeContents {
  readonly #parts: SchemaParts;
  readonly #members = new Map<TypeDefinition | NameKey, Members>();
  readonly #attributes = new Map<TypeDefinition | NameKey, AttributeMembers>();
  readonly #underWay = new Set<unknown>();
  #steps = 0;
  readonly #countSteps: CountSteps;

  constructor(parts: SchemaParts) {
    this.#parts = parts;
    this.#countSteps = (place, count) => {
      this.#steps += count + 1;
      if (this.#steps > MAX_STEPS)
        throw new SchemaError(place, 'The types and groups of the schemas are too large when expanded.');
    };
  }

  /** Runs work on a component that could contain itself. */
  #runGuarded<T>(part: unknown, place: SourcePosition, what: string, work: () => T): T {
    if (this.#underWay.has(part)) throw new SchemaError(place, `The ${what} contains itself.`);
    if (this.#underWay.size > MAX_NESTING)
      throw new SchemaError(place, `Types or groups are nested more than ${MAX_NESTING} levels deep.`);
    this.#underWay.add(part);
    try {
      return work();
    } finally {
      this.#underWay.delete(part);
    }
  }

  getMembers(type: TypeDefinition): Members {
    const known = this.#members.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = this.#runGuarded(type, type, 'type', () => {
      const base = type.derivation === 'extension' ? findDefinition(this.#parts, type.base) : undefined;
      const inherited: Members = base === undefined ? new Map() : this.getMembers(base);
      const added: Members = type.content === undefined ? new Map() : this.#collectMembers(type.content, type);
      return joinMembers([inherited, added], type, this.#countSteps);
    });
    this.#members.set(type, found);
    return found;
  }

  #collectMembers(particle: Particle, place: SourcePosition): Members {
    switch (particle.kind) {
      case 'local':
      case 'reference': {
        const declaration =
          particle.kind === 'local'
            ? particle.element
            : (this.#parts.elements.get(particle.element) ?? createUnknownElement(particle));
        return particle.max === 0
          ? new Map()
          : new Map([[toNameKey(declaration.name), { declaration, min: particle.min, max: particle.max }]]);
      }
      case 'group':
        return repeatMembers(this.#getGroupMembers(particle.group, particle), particle, particle, this.#countSteps);
      default: {
        const merge = particle.kind === 'choice' ? mergeAlternatives : joinMembers;
        const lists = particle.parts.map((part) => this.#collectMembers(part, place));
        return repeatMembers(merge(lists, place, this.#countSteps), particle, place, this.#countSteps);
      }
    }
  }

  #getGroupMembers(key: NameKey, place: SourcePosition): Members {
    const known = this.#members.get(key);
    const group = this.#parts.groups.get(key);
    if (known !== undefined || group === undefined) return known ?? new Map();
    const found = this.#runGuarded(key, place, `group '${formatExcerpt(fromNameKey(key).local)}'`, () =>
      this.#collectMembers(group, place),
    );
    this.#members.set(key, found);
    return found;
  }

  getAttributes(type: TypeDefinition): AttributeMembers {
    const known = this.#attributes.get(type);
    if (known !== undefined || type.kind === 'simple') return known ?? new Map();
    const found = this.#runGuarded(type, type, 'type', () => {
      const base = findDefinition(this.#parts, type.base);
      const all = new Map(base === undefined ? [] : this.getAttributes(base));
      this.#countSteps(type, all.size);
      this.#collectAttributes(type.attributes, all, type);
      return all;
    });
    this.#attributes.set(type, found);
    return found;
  }

  #collectAttributes(uses: readonly AttributeUse[], into: Map<NameKey, AttributeMember>, place: SourcePosition): void {
    for (const use of uses) {
      this.#countSteps(place, 0);
      if (use.kind === 'group') {
        for (const [key, each] of this.#getGroupAttributes(use.group, use)) into.set(key, each);
      } else if (use.kind === 'reference') {
        const declared = this.#parts.attributes.get(use.attribute) ?? { name: fromNameKey(use.attribute) };
        into.set(use.attribute, { ...use, ...declared, kind: 'local' });
      } else {
        into.set(toNameKey(use.name), use);
      }
    }
  }

  #getGroupAttributes(key: NameKey, place: SourcePosition): AttributeMembers {
    const known = this.#attributes.get(key);
    if (known !== undefined) {
      this.#countSteps(place, known.size);
      return known;
    }
    const found = new Map<NameKey, AttributeMember>();
    this.#runGuarded(`@${key}`, place, `attribute group '${formatExcerpt(fromNameKey(key).local)}'`, () =>
      this.#collectAttributes(this.#parts.attributeGroups.get(key) ?? [], found, place),
    );
    this.#attributes.set(key, found);
    return found;
  }
}

/** Returns undefined for an unknown type, including the built-in types of XML Schema. */
export function findDefinition(
  { types }: SchemaParts,
  type: NameKey | TypeDefinition | undefined,
): TypeDefinition | undefined {
  return typeof type === 'string' ? types.get(type) : type;
}

/** In a sequence the occurrences of a name are added. */
function joinMembers(lists: readonly Members[], place: SourcePosition, spend: CountSteps): Members {
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

/** In a choice a name is required only if every alternative requires it. */
function mergeAlternatives(lists: readonly Members[], place: SourcePosition, spend: CountSteps): Members {
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

function repeatMembers(list: Members, { min, max }: Occurrence, place: SourcePosition, spend: CountSteps): Members {
  if (min === 1 && max === 1) return list;
  if (max === 0) return new Map();
  spend(place, list.size);
  return new Map([...list].map(([key, member]) => [key, { ...member, min: member.min * min, max: member.max * max }]));
}

/** Creates a placeholder for an element of a well-known namespace with unknown content. */
function createUnknownElement({
  element,
  file,
  line,
}: SourcePosition & { readonly element: NameKey }): ElementDeclaration {
  return { name: fromNameKey(element), substitutes: [], isAbstract: false, isNillable: false, file, line };
}
