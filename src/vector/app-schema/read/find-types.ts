/** Finds mapped types by name. */

import { formatQualifiedName } from '../../port/complex-feature.ts';
import type { Mapping, QualifiedName } from '../../port/mapping.ts';
import type { MappedType } from './type-plan.ts';

export function listMappedTypes(mappings: readonly Mapping[]): readonly MappedType[] {
  return mappings.flatMap((mapping) => mapping.types.map((type) => ({ mapping, type })));
}

/** Finds the type of a link by its mapping name or its target element. */
export function findLinkedType(
  types: readonly MappedType[],
  wanted: QualifiedName | string,
  namespaces: ReadonlyMap<string, string>,
): MappedType | undefined {
  const text = typeof wanted === 'string' ? wanted.trim() : formatQualifiedName(wanted);
  const [local = '', prefix = ''] = text.split(':').toReversed();
  const uri = typeof wanted === 'string' ? namespaces.get(prefix) : wanted.uri;
  return (
    types.find(({ type }) => type.name === text) ??
    types.find(({ type }) => type.targetElement.local === local && type.targetElement.uri === uri)
  );
}

/** Finds a published type: with or without the prefix, or by its mapping name. */
export function findTypeByName(types: readonly MappedType[], name: string): MappedType | undefined {
  return (
    types.find(({ type }) => type.name === name) ??
    types.find(({ type }) => formatQualifiedName(type.targetElement) === name) ??
    types.find(({ type }) => type.targetElement.local === name)
  );
}
