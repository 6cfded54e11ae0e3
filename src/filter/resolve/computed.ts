/** Resolves conditions that are computed for each feature: functions, concatenated texts and computed geometries. */
import { encodeWkt } from '../../geometry/wkt-encode.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import {
  countGeometryArguments,
  evaluateFilter,
  isKnownFunction,
  isReprojection,
  isStatistics,
  listFunctionNames,
} from '../evaluate/evaluate.ts';
import { isLookupName } from '../lookup/lookup-calls.ts';
import type { Expression, FunctionCall, PropertyName } from '../model/expression.ts';
import type { DistanceFilter, Filter, RelationFilter, SpatialFilter } from '../model/filter.ts';
import type { GeometryLiteral } from '../model/geometry-literal.ts';
import { createLiteral } from '../model/literal.ts';
import type { AttributeValue, ResolvedFilter } from '../model/resolved-filter.ts';
import { findAttributeByName, type SchemaAttribute } from '../model/schema.ts';
import { resolveGeometry } from './geometry.ts';
import { completeReprojection, findSharedSystem, type GeometrySystems } from './reprojections.ts';
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
  const prepared = collection.prepare(filter) as Filter;
  const { found } = collection;
  const value = found.size === 0 ? evaluateFilter(prepared, {}, 'unknown') : undefined;
  if (value !== undefined) return { kind: 'constant', value };
  return {
    kind: 'computed',
    filter: prepared,
    attributes: [...found].map(([written, attribute]) => ({ written, attribute })),
  };
}

/** Where a geometry is expected. */
interface GeometryPlace {
  /** The CRS of the geometry; undefined if it is unknown. */
  readonly system: string | undefined;
}

class AttributeCollection {
  readonly #schema: SchemaWithSystems;
  readonly #geometry: SchemaAttribute | undefined;
  readonly #systems: GeometrySystems;
  /** By the name as written; empty for the default geometry. */
  readonly found = new Map<string, AttributeValue>();

  constructor(schema: SchemaWithSystems) {
    this.#schema = schema;
    const geometries = schema.attributes.filter(({ type }) => type === 'geometry');
    this.#geometry = geometries.find(({ name }) => name === schema.defaultGeometry) ?? geometries[0];
    this.#systems = {
      findAttributeSystem: (name) =>
        (name === undefined ? this.#geometry : findAttributeByName(this.#schema, name))?.crs,
      reprojectionCodes: schema.reprojectionCodes ?? new Map(),
    };
  }

  /** Collects attributes, and replaces geometry literals by text in the CRS of the place. */
  prepare(part: unknown, place?: GeometryPlace): unknown {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((each) => this.prepare(each, place));
    const { kind } = part as Partial<Expression | Filter>;
    switch (kind) {
      case 'property':
        this.#addAttribute(part as PropertyName, place !== undefined);
        return part;
      case 'geometry':
        return this.#prepareGeometry(part as GeometryLiteral, place);
      case 'literal':
        if (place !== undefined && (part as { readonly value: string }).value === '') this.#addDefaultGeometry();
        return part;
      case 'function':
        return this.#prepareCall(part as FunctionCall, place);
      case 'spatial':
      case 'relate':
      case 'distance': {
        const { left, right } = part as SpatialFilter | RelationFilter | DistanceFilter;
        const shared = { system: findSharedSystem([left, right], this.#systems) };
        return { ...part, left: this.prepare(left, shared), right: this.prepare(right, shared) };
      }
      default:
        return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, this.prepare(inner)]));
    }
  }

  #prepareGeometry(literal: GeometryLiteral, place: GeometryPlace | undefined): Expression {
    if (place === undefined) throw new ResolveError(literal, 'a geometry is not allowed here');
    const operand =
      place.system === undefined || place.system === this.#geometry?.crs
        ? resolveGeometry(literal, this.#geometry, this.#schema)
        : // Beside a geometry in another CRS, constants without a CRS are in the same one.
          resolveGeometry(
            literal,
            { name: 'reproject', type: 'geometry', crs: place.system },
            { ...this.#schema, unnamed: {}, northFirst: new Set() },
          );
    return operand.kind === 'geometry' ? createLiteral(encodeWkt(operand.geometry)) : literal;
  }

  #prepareCall(call: FunctionCall, place: GeometryPlace | undefined): unknown {
    requireKnown(call, call.name);
    if (isLookupName(call.name))
      throw new ResolveError(
        call,
        `'${call.name}' is not supported in this filter; use it in short filters of requests, or in styles`,
      );
    if (isStatistics(call))
      throw new ResolveError(
        call,
        `'${call.name}' is supported only in styles of rasters: features have no statistics`,
      );
    const key = call.name.toLowerCase();
    const [first] = call.arguments;
    if (first?.kind === 'literal' && key === 'property')
      return this.prepare({ kind: 'property', name: first.value }, place);
    if (first?.kind === 'literal' && key === 'propertyexists')
      return createLiteral(String(findAttributeByName(this.#schema, first.value) !== undefined));
    if (key === 'geometry') this.#addDefaultGeometry();
    if (isReprojection(call)) return this.#prepareReprojection(call);
    const geometries = countGeometryArguments(call);
    const isChoice = place !== undefined && key === 'if_then_else';
    const shared = { system: findSharedSystem(call.arguments.slice(0, geometries), this.#systems) };
    const prepared = call.arguments.map((each, index) =>
      this.prepare(each, index < geometries ? shared : isChoice && index > 0 ? place : undefined),
    );
    return { ...call, arguments: prepared as readonly Expression[] };
  }

  #prepareReprojection(call: FunctionCall): FunctionCall {
    if (call.arguments[0]?.kind === 'property') this.#addAttribute(call.arguments[0], true);
    const complete = completeReprojection(call, this.#systems);
    const [geometry, to, from] = complete.arguments;
    const system = from?.kind === 'literal' ? from.value : undefined;
    return { ...complete, arguments: [this.prepare(geometry, { system }), to, from] as readonly Expression[] };
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
