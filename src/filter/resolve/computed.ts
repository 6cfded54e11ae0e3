/** Resolves conditions that are computed for each feature: functions, concatenated texts and computed geometries. */
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { countGeometryArguments, evaluateFilter, isKnownFunction, listFunctionNames } from '../evaluate/evaluate.ts';
import { isLookupName } from '../lookup/lookup-calls.ts';
import type { Expression, FunctionCall, PropertyName } from '../model/expression.ts';
import type { DistanceFilter, Filter, RelationFilter, SpatialFilter } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import type { AttributeValue, ResolvedFilter } from '../model/resolved-filter.ts';
import { findAttributeByName, type SchemaAttribute } from '../model/schema.ts';
import { resolveGeometry } from './geometry.ts';
import { ResolveError } from './resolve-error.ts';
import { resolveAttributeValue } from './scalar.ts';
import type { SchemaWithSystems } from './systems.ts';

/** Whether a spatial condition tests the result of a function. */
export function hasComputedGeometry({ left, right }: SpatialFilter | RelationFilter | DistanceFilter): boolean {
  return left.kind === 'function' || right.kind === 'function';
}

/** A condition without attributes is evaluated immediately, unless its result is unknown. */
export function resolveComputed(filter: Filter, schema: SchemaWithSystems): ResolvedFilter {
  const collection = new AttributeCollection(schema);
  const prepared = collection.prepare(filter, false) as Filter;
  const { found } = collection;
  const value = found.size === 0 ? evaluateFilter(prepared, {}, 'unknown') : undefined;
  if (value !== undefined) return { kind: 'constant', value };
  return {
    kind: 'computed',
    filter: prepared,
    attributes: [...found].map(([written, attribute]) => ({ written, attribute })),
  };
}

class AttributeCollection {
  readonly #schema: SchemaWithSystems;
  readonly #geometry: SchemaAttribute | undefined;
  /** By the name as written; empty for the default geometry. */
  readonly found = new Map<string, AttributeValue>();

  constructor(schema: SchemaWithSystems) {
    this.#schema = schema;
    const geometries = schema.attributes.filter(({ type }) => type === 'geometry');
    this.#geometry = geometries.find(({ name }) => name === schema.defaultGeometry) ?? geometries[0];
  }

  /** Collects attributes, and replaces geometry literals by text in the coordinates of the data. */
  prepare(part: unknown, expectsGeometry: boolean): unknown {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((each) => this.prepare(each, expectsGeometry));
    const { kind } = part as Partial<Expression | Filter>;
    switch (kind) {
      case 'property':
        this.#addAttribute(part as PropertyName, expectsGeometry);
        return part;
      case 'geometry': {
        if (!expectsGeometry) throw new ResolveError(part, 'a geometry is not allowed here');
        const literal = part as Extract<Expression, { kind: 'geometry' }>;
        const operand = resolveGeometry(literal, this.#geometry, this.#schema);
        return operand.kind === 'geometry' ? createLiteral(encodeWkt(operand.geometry)) : part;
      }
      case 'literal':
        if (expectsGeometry && (part as { readonly value: string }).value === '') this.#addDefaultGeometry();
        return part;
      case 'function':
        return this.#prepareCall(part as FunctionCall, expectsGeometry);
      default: {
        const isSpatial = kind === 'spatial' || kind === 'relate' || kind === 'distance';
        return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, this.prepare(inner, isSpatial)]));
      }
    }
  }

  #prepareCall(call: FunctionCall, expectsGeometry: boolean): unknown {
    requireKnown(call, call.name);
    if (isLookupName(call.name))
      throw new ResolveError(
        call,
        `'${call.name}' is not supported in this filter; use it in short filters of requests, or in styles`,
      );
    const key = call.name.toLowerCase();
    const [first] = call.arguments;
    if (first?.kind === 'literal' && key === 'property')
      return this.prepare({ kind: 'property', name: first.value }, expectsGeometry);
    if (first?.kind === 'literal' && key === 'propertyexists')
      return createLiteral(String(findAttributeByName(this.#schema, first.value) !== undefined));
    if (key === 'geometry') this.#addDefaultGeometry();
    const geometries = countGeometryArguments(call);
    const isChoice = expectsGeometry && key === 'if_then_else';
    const prepared = call.arguments.map((each, index) =>
      this.prepare(each, index < geometries || (isChoice && index > 0)),
    );
    return { ...call, arguments: prepared as readonly Expression[] };
  }

  #addAttribute(property: PropertyName, expectsGeometry: boolean): void {
    const value = resolveAttributeValue(property, this.#schema);
    if (value.type === 'bytes' || (value.type === 'geometry') !== expectsGeometry) {
      const reason = expectsGeometry ? 'is not a geometry attribute' : 'is not supported in a function or as text';
      throw new ResolveError(property, `'${value.name}' ${reason}`);
    }
    this.found.set(property.name, value);
  }

  #addDefaultGeometry(): void {
    if (this.#geometry !== undefined)
      this.found.set('', { kind: 'attribute', type: 'geometry', name: this.#geometry.name });
  }
}

function requireKnown(part: object, name: string): void {
  if (isKnownFunction(name)) return;
  const nearest = findNearestName(name, listFunctionNames());
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new ResolveError(part, `unknown function '${name.slice(0, 60)}'${hint}`);
}
