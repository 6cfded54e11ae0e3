/** Lists all mapped paths of a type, which conditions can use. */

import type { AttributeMapping, QualifiedName, TargetStep } from '../../port/mapping.ts';
import type { Attribute } from '../../port/port.ts';
import { findLinkedType } from '../read/find-types.ts';
import type { MappedType } from '../read/type-plan.ts';
import { removeElementStep, type SchemaWalk } from './schema-walk.ts';

export interface MappedPath {
  readonly steps: readonly TargetStep[];
  /** The column of the type's own table that is mapped unchanged, if any. */
  readonly column: string | undefined;
  /** The type of the value or geometry at the end; text if no schema defines it. */
  readonly value: Pick<Extract<Attribute, { readonly kind: 'value' }>, 'kind' | 'type'> | GeometryAtEnd;
}

type GeometryAtEnd = Pick<Extract<Attribute, { readonly kind: 'geometry' }>, 'kind' | 'type'>;

/** Chains can cross many types and form cycles. */
const MAX_STEPS = 12;
const MAX_PATHS = 2_000;

export function listMappedPaths(
  mapped: MappedType,
  all: readonly MappedType[],
  walk: SchemaWalk,
): readonly MappedPath[] {
  const found = new Map<string, Pick<MappedPath, 'steps' | 'column'>>();
  collect(mapped, [], [mapped]);
  return [...found.values()].map((path) => {
    const { value } = walk.findStructure(mapped.type.targetElement, path.steps) ?? {};
    return { ...path, value: value ?? { kind: 'value', type: 'string' } };
  });

  function collect({ mapping, type }: MappedType, above: readonly TargetStep[], chain: readonly MappedType[]): void {
    for (const attribute of type.attributes) {
      if (attribute.target === undefined || attribute.target.isFeatureLink) continue;
      const steps = [...above, ...removeElementStep(type.targetElement, attribute.target.steps)];
      add(steps, above.length === 0 ? findColumn(attribute) : undefined);
      for (const { name } of attribute.clientProperties) add([...steps, createAttributeStep(name)]);
      for (const { name } of attribute.anonymousAttributes) add([...steps, createElementStep(name)]);
      const linked = resolveLinkedType(attribute, mapping.namespaces);
      if (linked === undefined || chain.includes(linked)) continue;
      const inside = [...steps, createElementStep(linked.type.targetElement)];
      if (inside.length < MAX_STEPS) collect(linked, inside, [...chain, linked]);
    }
  }

  function add(steps: readonly TargetStep[], column?: string): void {
    const key = JSON.stringify(steps.map(({ name, isAttribute }) => [name.uri, name.local, isAttribute]));
    if (steps.length > 0 && found.size < MAX_PATHS && !found.has(key)) found.set(key, { steps, column });
  }

  /** The chained type can depend on the row; its content is then unknown here. */
  function resolveLinkedType(
    { source }: AttributeMapping,
    namespaces: ReadonlyMap<string, string>,
  ): MappedType | undefined {
    if (source?.kind !== 'link') return undefined;
    const { type } = source;
    if ('local' in type) return findLinkedType(all, type, namespaces);
    return type.kind === 'literal' ? findLinkedType(all, String(type.value), namespaces) : undefined;
  }
}

function findColumn({ source }: AttributeMapping): string | undefined {
  return source?.kind === 'expression' && source.expression.kind === 'property' ? source.expression.name : undefined;
}

function createElementStep(name: QualifiedName): TargetStep {
  return { name, isAttribute: false, index: 1 };
}

function createAttributeStep(name: QualifiedName): TargetStep {
  return { name, isAttribute: true, index: 1 };
}
