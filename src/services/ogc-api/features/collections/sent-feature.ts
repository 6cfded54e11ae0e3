/** Parses a GeoJSON feature from a client into values for the attributes of a collection. */
import type { NamedCrs } from '../../../../crs/axis-order.ts';
import type { Geometry } from '../../../../geometry/geometry.ts';
import { createReprojection } from '../../../../geometry/reprojection.ts';
import { type Problem, problem } from '../../../../lib/problems/problem.ts';
import { excerpt } from '../../../../lib/text/excerpt.ts';
import { isDeep, readGeoJsonFeature } from '../../../../vector/interchange/geojson.ts';
import { MalformedFileError, type RawFeature, type RawValue } from '../../../../vector/interchange/raw-features.ts';
import type { Attribute, NewValues, Value, ValueType } from '../../../../vector/port/port.ts';
import { readDate, readMoment } from '../../../../vector/support/value-text.ts';
import type { OpenedType } from '../../../access/open-type.ts';
import { findNativeName } from '../../../access/publication.ts';
import { CRS84, getNamedSystem } from './systems.ts';

/**
 * How absent attributes are handled. New: they get their defaults. Whole: they become null. Changes: they keep their
 * values.
 */
export type SentKind = 'new' | 'whole' | 'changes';

/** The media types for whole features and for updates. */
export const wholeMediaTypes = ['application/geo+json', 'application/json'] as const;
export const partMediaTypes = ['application/merge-patch+json', ...wholeMediaTypes] as const;

export async function readSentFeature(
  text: string,
  kind: SentKind,
  { published, publication, description }: OpenedType,
  system: NamedCrs,
): Promise<NewValues> {
  const sent = parseSentFeature(text, kind);
  const unknown = [...sent.values.keys()].find((name) => !description.attributes.some((each) => isNamed(each, name)));
  if (unknown !== undefined) {
    throw createFeatureProblem(`the collection has no attribute '${excerpt(unknown)}'`);
  }
  const named = description.attributes.filter(
    (each) =>
      isSettable(each, publication) &&
      (kind === 'whole' || sent.values.has(each.name) || (each.name === published.geometry?.name && sent.hasGeometry)),
  );
  const geometry = await toStoredGeometry(sent.geometry, system, published.keptCrs);
  const values = named.map((attribute) =>
    attribute.kind === 'geometry'
      ? attribute.name === published.geometry?.name
        ? geometry
        : null
      : toTypedValue(toExactValue(sent.values.get(attribute.name) ?? null, attribute, text), attribute),
  );
  return { attributes: named, values };
}

type ValueAttribute = Extract<Attribute, { kind: 'value' }>;

/** The maximum nesting depth; deeper values could not be serialized again. */
const MAX_DEPTH = 100;

function parseSentFeature(text: string, kind: SentKind): RawFeature & { readonly hasGeometry: boolean } {
  const document = parseDocument(text);
  const type = 'type' in document || kind !== 'changes' ? document['type'] : 'Feature';
  if (type !== 'Feature') {
    throw createFeatureProblem("expected a GeoJSON document of type 'Feature'");
  }
  try {
    return { ...readGeoJsonFeature({ ...document, type }), hasGeometry: 'geometry' in document };
  } catch (error) {
    throw error instanceof MalformedFileError ? createFeatureProblem(error.message) : error;
  }
}

function parseDocument(text: string): Readonly<Record<string, unknown>> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw createFeatureProblem('the body is invalid JSON');
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw createFeatureProblem('expected a JSON object');
  }
  if (isDeep(document, MAX_DEPTH)) {
    throw createFeatureProblem(`arrays or objects are nested deeper than ${MAX_DEPTH} levels`);
  }
  return document as Readonly<Record<string, unknown>>;
}

/** Keeps the digits of numbers as sent if the attribute is more precise than a double. */
function toExactValue(value: RawValue, { name, type }: ValueAttribute, text: string): RawValue {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isFinite(value);
  return isExact || (type !== 'long' && type !== 'decimal') ? value : readWrittenNumber(text, name);
}

function readWrittenNumber(text: string, name: string): string {
  const reviveNumber = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value;
  const { properties } = JSON.parse(text, reviveNumber) as { readonly properties: Readonly<Record<string, unknown>> };
  return String(properties[name]);
}

function isNamed({ name, kind }: Attribute, wanted: string): boolean {
  return kind === 'value' && name === wanted;
}

/** Computed attributes cannot be set. An unchanged value that the client sends back is ignored. */
function isSettable({ name }: Attribute, { attributes, native }: OpenedType['publication']): boolean {
  const published = attributes.find((each) => each.name === name);
  return published !== undefined && findNativeName(published, native) !== undefined;
}

/** Parses the CRS that the client declares for its coordinates. */
export function readContentCrs(header: string | undefined, systems: readonly string[]): Promise<NamedCrs> {
  return getNamedSystem('Content-Crs', header?.trim().replace(/^<(.*)>$/, '$1') ?? CRS84, systems);
}

async function toStoredGeometry(
  geometry: Geometry | null,
  system: NamedCrs,
  keptCrs: OpenedType['published']['keptCrs'],
) {
  if (geometry === null) {
    return null;
  }
  const turned = system.isNorthFirst ? swapAxes(geometry) : geometry;
  const isKnown = Object.keys(keptCrs).length > 0;
  const reprojection = isKnown ? await createReprojection({ code: system.code }, keptCrs) : undefined;
  const found = reprojection === undefined ? turned : reprojection.reprojectGeometry(turned);
  if (found === null) {
    throw createFeatureProblem('the geometry cannot be converted to the CRS of the collection');
  }
  return found;
}

function swapAxes(geometry: Geometry): Geometry {
  const { ordinates, dimension, members } = geometry;
  const turned = ordinates.slice();
  for (let at = 0; at < ordinates.length; at += dimension.length) {
    turned[at] = ordinates[at + 1] ?? Number.NaN;
    turned[at + 1] = ordinates[at] ?? Number.NaN;
  }
  return { ...geometry, ordinates: turned, ...(members === undefined ? {} : { members: members.map(swapAxes) }) };
}

function toTypedValue(value: RawValue, { name, type }: ValueAttribute): Value {
  const found = value === null ? null : convert(value, type);
  if (found === undefined) {
    throw createFeatureProblem(`'${excerpt(String(value))}' is an invalid value of '${name}'; expected type ${type}`);
  }
  return found;
}

/** Returns undefined if the value does not fit the type. */
function convert(value: string | number | boolean, type: ValueType): Value | undefined {
  switch (type) {
    case 'string':
    case 'uuid':
    case 'time':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'short':
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    case 'long':
      return toWholeNumber(value);
    case 'float':
    case 'double':
      return typeof value === 'number' ? value : undefined;
    case 'decimal':
      return Number.isFinite(value) || (typeof value === 'string' && DECIMAL.test(value)) ? String(value) : undefined;
    case 'date':
      return typeof value === 'string' && MOMENT.test(value) ? (readDate(value) ?? undefined) : undefined;
    case 'timestamp':
      return typeof value === 'string' && MOMENT.test(value) ? (readMoment(value) ?? undefined) : undefined;
    case 'bytes':
      return typeof value === 'string' ? decodeBase64(value) : undefined;
  }
}

/** Also accepted as text, because not all clients support numbers with so many digits. */
const DECIMAL = /^-?\d{1,1000}(?:\.\d{1,1000})?(?:e[+-]?\d{1,3})?$/i;

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/;

function toWholeNumber(value: string | number | boolean): number | bigint | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const whole = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) {
    return undefined;
  }
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

/** Base64, as in responses. */
function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function createFeatureProblem(reason: string): Problem {
  return problem('feature-invalid', { reason });
}
