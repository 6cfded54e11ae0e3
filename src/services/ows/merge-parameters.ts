/** Describes the operations of one address in OpenAPI, which has one list of parameters for each address. */
import type { QueryParameter, QueryParameters } from '../../http/request/query.ts';
import type { ServiceOperation, ServiceParameter } from './service-parameters.ts';

/** Operations by the name that descriptions use. */
export type NamedOperations = Readonly<Record<string, ServiceOperation>>;

/**
 * Merges parameters with the same name; their descriptions begin with the operations that they apply to. Omits families
 * of names, which OpenAPI cannot express, and parameters that are rejected.
 */
export function mergeParameters(operations: NamedOperations): QueryParameters {
  const names = Object.keys(operations);
  const uses = Object.entries(operations).flatMap(([operation, { parameters }]) =>
    Object.values(parameters)
      .filter(({ prefix, unsupported }) => prefix === undefined && unsupported === undefined)
      .map((declared): ParameterUse => ({ operation, declared })),
  );
  const byName = Map.groupBy(uses, ({ declared }) => declared.name.toLowerCase());
  return Object.fromEntries(
    [...byName.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [[first.declared.name, mergeUses(first, group, names.length)]];
    }),
  );
}

interface ParameterUse {
  readonly operation: string;
  readonly declared: ServiceParameter<unknown>;
}

function mergeUses({ declared }: ParameterUse, group: readonly ParameterUse[], total: number): QueryParameter<unknown> {
  const byDescription = [...Map.groupBy(group, (use) => use.declared.description)];
  const isEverywhere = byDescription.length === 1 && group.length === total;
  const description = isEverywhere
    ? declared.description
    : byDescription.map(([each, uses]) => `${uses.map(({ operation }) => operation).join(', ')}: ${each}`).join(' ');
  const hasOneSchema = group.every((use) => JSON.stringify(use.declared.schema) === JSON.stringify(declared.schema));
  const { type = 'string' } = declared.schema;
  return {
    ...declared,
    description: `${description}${formatAliases(declared)}`,
    schema: hasOneSchema ? declared.schema : { type },
  };
}

function formatAliases({ aliases }: ServiceParameter<unknown>): string {
  return aliases.length === 0 ? '' : ` Alias: ${aliases.join(', ')}.`;
}
