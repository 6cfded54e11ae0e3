/** Reads values of other layers for functions of filters and styles, with the permissions of the request. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { createGeometryLiteral } from '../../filter/lookup/geometry-literal.ts';
import {
  type Lookup,
  type LookupValue,
  listLookups,
  readLookup,
  replaceLookups,
} from '../../filter/lookup/lookup-calls.ts';
import { LookupError } from '../../filter/lookup/lookup-error.ts';
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { countPositions } from '../../geometry/simple-parts.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { createDescribedSchema } from '../../vector/port/filter-schema.ts';
import type { Value } from '../../vector/port/port.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import type { OtherLayers, PublishedType } from './published-type.ts';

/** An opened type, as far as it is read here. */
interface OpenedOther extends QueriedType {
  readonly filterRunner: FilterRunner;
  readonly published: PublishedType;
  readonly signal: AbortSignal;
  withTimeout<B>(batches: AsyncIterable<B>): AsyncIterable<B>;
  release(): void;
}

export interface OtherLayersReader {
  readonly others: OtherLayers;
  /** The CRS of the geometries that are returned. */
  readonly crs: CrsReference;
  openType(published: PublishedType): Promise<OpenedOther>;
  /** Replaces the variables of the request in arguments; without it, they have their defaults. */
  bindVariables?(call: FunctionCall): FunctionCall;
}

/** Different calls of one request; each is a query. */
const MAX_LOOKUPS = 10;

/** The features of a list. */
const MAX_FEATURES = 1_000;

/** The positions of all geometries of a call: each feature of a layer can be compared with all of them. */
const MAX_POSITIONS = 10_000;

/** The characters of all texts of a call. */
const MAX_CHARACTERS = 100_000;

/** Returns the same part without calls. Throws a `LookupError` for invalid calls and exceeded limits. */
export async function replaceOtherLayers<T extends object>(part: T, reader: OtherLayersReader): Promise<T> {
  const values = new Map<FunctionCall, LookupValue>();
  for (const call of listLookups(part)) values.set(call, await loadLookup(call, reader));
  return values.size === 0 ? part : replaceLookups(part, values);
}

async function loadLookup(call: FunctionCall, reader: OtherLayersReader): Promise<LookupValue> {
  const lookup = readLookup(reader.bindVariables?.(call) ?? call);
  const { results } = reader.others;
  const key = JSON.stringify([lookup, reader.crs]);
  const known = results.get(key);
  if (known === undefined && results.size >= MAX_LOOKUPS)
    throw new LookupError(call, `a request can read other layers at most ${MAX_LOOKUPS} times`);
  const result = known ?? readLookupValue(lookup, call, reader);
  results.set(key, result);
  return result;
}

async function readLookupValue(lookup: Lookup, call: FunctionCall, reader: OtherLayersReader): Promise<LookupValue> {
  const published = await reader.others.find(lookup.layer);
  if (published === undefined) throw new LookupError(call, `unknown layer '${excerpt(lookup.layer)}'`);
  requireAttribute(published, lookup.attribute, call);
  const opened = await reader.openType(published);
  try {
    const values = await readValues(opened, lookup, call, reader.crs);
    return await toLookupValue(values, lookup, { call, opened, crs: reader.crs });
  } finally {
    opened.release();
  }
}

function requireAttribute({ attributes, qualifiedName }: PublishedType, name: string, call: FunctionCall): void {
  const names = attributes.map((each) => each.name);
  if (names.includes(name)) return;
  const nearest = findNearestName(name, names);
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  throw new LookupError(call, `the layer '${qualifiedName}' has no attribute '${excerpt(name)}'${hint}`);
}

async function readValues(
  opened: OpenedOther,
  { name, attribute, filter }: Lookup,
  call: FunctionCall,
  crs: CrsReference,
): Promise<readonly (Value | Geometry)[]> {
  const limit = name === 'querySingle' ? 1 : MAX_FEATURES + 1;
  const query = { attributes: [attribute], crs, limit, filter: await resolveLookupFilter(opened, filter, call) };
  const { batches } = await queryFeatures(opened, query, opened.signal);
  const values: (Value | Geometry)[] = [];
  let [positions, characters] = [0, 0];
  for await (const features of opened.withTimeout(batches)) {
    for (const { values: row } of features) {
      const value = row[0] ?? null;
      if (isGeometry(value)) positions += countPositions(value);
      if (typeof value === 'string') characters += value.length;
      values.push(value);
    }
    const exceeded =
      values.length > MAX_FEATURES
        ? `${MAX_FEATURES} features`
        : positions > MAX_POSITIONS
          ? `${MAX_POSITIONS} positions`
          : characters > MAX_CHARACTERS
            ? `${MAX_CHARACTERS} characters`
            : undefined;
    if (exceeded !== undefined) throw new LookupError(call, `${name} reads more than ${exceeded}; narrow its filter`);
  }
  return values;
}

async function resolveLookupFilter(opened: OpenedOther, text: string, call: FunctionCall): Promise<ResolvedFilter> {
  const { code } = opened.published.crs;
  const target = {
    schema: createDescribedSchema(opened.description),
    unnamed: code === undefined ? {} : { srsName: code },
  };
  try {
    return await opened.filterRunner.read({ language: 'ecql', text }, target, opened.signal);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'filter-invalid') throw error;
    const { where, reason } = error.details as { readonly where?: string; readonly reason?: string };
    throw new LookupError(call, `the filter of ${call.name} is invalid at ${where}: ${reason}`);
  }
}

interface LookupResult {
  readonly call: FunctionCall;
  readonly opened: OpenedOther;
  readonly crs: CrsReference;
}

async function toLookupValue(
  values: readonly (Value | Geometry)[],
  { name, attribute }: Lookup,
  { call, opened, crs }: LookupResult,
): Promise<LookupValue> {
  if (name === 'collectGeometries') {
    const present = values.filter((value) => value !== null);
    const geometries = present.filter(isGeometry);
    if (geometries.length < present.length) throw new LookupError(call, `'${excerpt(attribute)}' is not a geometry`);
    if (geometries.length === 0) return null;
    return createGeometryLiteral(await opened.filterRunner.collect(geometries, opened.signal), crs.code);
  }
  const expressions = values.map((value) => toExpression(value, call, crs));
  return name === 'querySingle' ? (expressions[0] ?? null) : expressions.filter((each) => each !== null);
}

function toExpression(value: Value | Geometry, call: FunctionCall, crs: CrsReference): Expression | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) throw new LookupError(call, `${call.name} cannot read binary values`);
  if (value instanceof Date) return createLiteral(value.toISOString());
  return isGeometry(value) ? createGeometryLiteral(value, crs.code) : createLiteral(String(value));
}

function isGeometry(value: Value | Geometry): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}
