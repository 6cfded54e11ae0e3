/** A feature that a client sends as GeoJSON, read into values for the attributes of a collection. */
import type { NamedCrs } from '../../../data/crs/axis-order.ts';
import type { Geometry } from '../../../data/vector/geometry.ts';
import { readGeoJson } from '../../../data/vector/interchange/geojson.ts';
import { FileMistake, type RawValue } from '../../../data/vector/interchange/raw-features.ts';
import type { Attribute, NewValues, Value, ValueType } from '../../../data/vector/port.ts';
import { createReprojection } from '../../../data/vector/query/reprojection.ts';
import { readMoment } from '../../../data/vector/value-text.ts';
import { excerpt } from '../../../lib/excerpt.ts';
import { type Problem, problem } from '../../../lib/problem.ts';
import type { OpenedType } from '../../door/open-type.ts';
import { CRS84, systemNamed } from './systems.ts';

/** Whole: attributes that are not named become null. Changes: they stay. */
export type SentKind = 'whole' | 'changes';

export async function readSentFeature(
  text: string,
  kind: SentKind,
  { published, description }: OpenedType,
  system: NamedCrs,
): Promise<NewValues> {
  const sent = await parsed(text, kind);
  const unknown = [...sent.values.keys()].find((name) => !description.attributes.some((each) => isNamed(each, name)));
  if (unknown !== undefined) {
    throw invalid(`the collection has no attribute '${excerpt(unknown)}'`);
  }
  const settable = description.attributes.filter((each) => isSettable(each, published));
  const named = settable.filter(
    (each) =>
      kind === 'whole' || sent.values.has(each.name) || (each.name === published.geometry?.name && sent.hasGeometry),
  );
  const geometry = await placed(sent.geometry, system, published.keptCrs);
  const values = named.map((attribute) =>
    attribute.kind === 'geometry'
      ? attribute.name === published.geometry?.name
        ? geometry
        : null
      : typedValue(sent.values.get(attribute.name) ?? null, attribute.name, attribute.type),
  );
  return { attributes: named, values };
}

interface SentFeature {
  readonly geometry: Geometry | null;
  readonly hasGeometry: boolean;
  readonly values: ReadonlyMap<string, RawValue>;
}

async function parsed(text: string, kind: SentKind): Promise<SentFeature> {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== 'object' || document === null || Array.isArray(document)) {
      throw invalid('a JSON object was expected');
    }
    const {
      type = kind === 'changes' ? 'Feature' : undefined,
      geometry = null,
      properties = {},
    } = document as Readonly<Record<string, unknown>>;
    if (type !== 'Feature') {
      throw invalid("a GeoJSON document of the type 'Feature' was expected");
    }
    const { features } = await readGeoJson(JSON.stringify({ type, geometry, properties }));
    const [feature] = features;
    return {
      geometry: feature?.geometry ?? null,
      hasGeometry: 'geometry' in document,
      values: feature?.values ?? new Map(),
    };
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw invalid('it is no JSON');
    }
    throw error instanceof FileMistake ? invalid(error.message) : error;
  }
}

function isNamed({ name, kind }: Attribute, wanted: string): boolean {
  return kind === 'value' && name === wanted;
}

/** What is computed cannot be set; sent back as it was read, it says nothing. */
function isSettable({ name }: Attribute, { attributes }: OpenedType['published']): boolean {
  const source = attributes.find((each) => each.name === name)?.source;
  return source === undefined || /^"?[\p{L}_][\p{L}\p{N}_]*"?$/u.test(source);
}

/** The system that a client says its coordinates are in. */
export function sentSystem(header: string | undefined, systems: readonly string[]): Promise<NamedCrs> {
  return systemNamed('Content-Crs', header?.trim().replace(/^<(.*)>$/, '$1') ?? CRS84, systems);
}

async function placed(geometry: Geometry | null, system: NamedCrs, keptCrs: OpenedType['published']['keptCrs']) {
  if (geometry === null) {
    return null;
  }
  const turned = system.isNorthFirst ? swapped(geometry) : geometry;
  const isKnown = Object.keys(keptCrs).length > 0;
  const reprojection = isKnown ? await createReprojection({ code: system.code }, keptCrs) : undefined;
  const found = reprojection === undefined ? turned : reprojection.geometry(turned);
  if (found === null) {
    throw invalid('its geometry has no place in the system of the collection');
  }
  return found;
}

function swapped(geometry: Geometry): Geometry {
  const { ordinates, dimension, members } = geometry;
  const turned = ordinates.slice();
  for (let at = 0; at < ordinates.length; at += dimension.length) {
    turned[at] = ordinates[at + 1] ?? Number.NaN;
    turned[at + 1] = ordinates[at] ?? Number.NaN;
  }
  return { ...geometry, ordinates: turned, ...(members === undefined ? {} : { members: members.map(swapped) }) };
}

function typedValue(value: RawValue, name: string, type: ValueType): Value {
  const found = value === null ? null : convert(value, type);
  if (found === undefined) {
    throw invalid(`'${excerpt(String(value))}' cannot be the value of '${name}', which is of the type ${type}`);
  }
  return found;
}

/** Undefined for what is no value of the type. */
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
    case 'long':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
    case 'float':
    case 'double':
      return typeof value === 'number' ? value : undefined;
    case 'decimal':
      return typeof value === 'number' ? String(value) : undefined;
    case 'date':
    case 'timestamp':
      return typeof value === 'string' ? (momentOf(value) ?? undefined) : undefined;
    case 'bytes':
      return undefined;
  }
}

function momentOf(text: string): Date | null {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? readMoment(text) : null;
}

function invalid(reason: string): Problem {
  return problem('feature-invalid', { reason });
}
