/** Reads the values of a layer for a classification, as far as the principal can see them. */
import type { Bounds } from '../../crs/bounds.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { ValueClass } from '../../styling/classification/classes.ts';
import type { ClassifiedNumbers } from '../../styling/classification/classify-numbers.ts';
import { NumberSample } from '../../styling/classification/number-sample.ts';
import type { Attribute, Value } from '../../vector/port/port.ts';
import { queryFeatures } from '../../vector/query/query-features.ts';
import type { OpenedCoverage } from '../access/open-coverage.ts';
import { type OpenedType, openType } from '../access/open-type.ts';
import type { PublishedType } from '../access/published-type.ts';
import type { MapServices } from '../maps/map-services.ts';
import type { ViewParameters } from '../ows/view-parameters.ts';
import { classifyInSource, type RangeClassification } from './classify-in-source.ts';
import { computeArea } from './compute-area.ts';
import { SourceStatistics } from './source-statistics.ts';

export interface WantedValues {
  readonly attribute: string;
  readonly box: Bounds | undefined;
  readonly viewParameters: ViewParameters | undefined;
  readonly purpose: 'ranges' | 'areas' | 'single values';
  readonly maxSingleValues: number;
  /** How the numbers are classified, for sources that compute the breaks themselves. */
  readonly classification: RangeClassification;
}

export interface NumberValues {
  readonly kind: 'numbers';
  readonly data: ClassifiedNumbers;
  /** Whether `data` is only a sample. */
  readonly isSampled: boolean;
}

/** How often each value occurs, in the order of the values. */
export interface CountedValues {
  readonly kind: 'counted';
  readonly counts: readonly (readonly [value: string | number | boolean, count: number])[];
}

/** Classes that the source computed. */
export interface ClassifiedValues {
  readonly kind: 'classes';
  readonly classes: readonly ValueClass[];
}

/** The values of a coverage are read in this resolution at most. */
const MAX_CELLS = 1_000_000;

const numericTypes: ReadonlySet<string> = new Set(['short', 'integer', 'long', 'float', 'double', 'decimal']);

/** Returns undefined for an attribute whose values are not numbers, unless single values are wanted. */
export async function readFeatureValues(
  services: MapServices,
  type: PublishedType,
  wanted: WantedValues,
  signal: AbortSignal,
): Promise<NumberValues | CountedValues | ClassifiedValues | undefined> {
  const opened = await openType(services.vectorData, type, signal, wanted.viewParameters);
  try {
    const attribute = findAttribute(opened, wanted.attribute);
    if (wanted.purpose === 'single values') return await countValues(opened, attribute, wanted);
    if (attribute.kind !== 'value' || !numericTypes.has(attribute.type)) return undefined;
    const statistics = wanted.purpose === 'ranges' ? new SourceStatistics(opened, wanted) : undefined;
    const classes =
      statistics && (await classifyInSource(statistics, wanted.classification, services.styles.work, opened.signal));
    return classes === undefined ? await sampleNumbers(opened, attribute, wanted) : { kind: 'classes', classes };
  } finally {
    opened.release();
  }
}

/** For classes that need no values. */
export async function requireAttribute(
  services: MapServices,
  type: PublishedType,
  wanted: WantedValues,
  signal: AbortSignal,
): Promise<void> {
  const opened = await openType(services.vectorData, type, signal, wanted.viewParameters);
  try {
    findAttribute(opened, wanted.attribute);
  } finally {
    opened.release();
  }
}

function findAttribute({ description }: OpenedType, name: string): Attribute {
  const values = description.attributes.filter(({ kind }) => kind === 'value');
  const found = values.find((each) => each.name === name);
  if (found === undefined)
    throw problem('classification-attribute-unknown', {
      name,
      known: values.map((each) => each.name),
      field: 'attribute',
    });
  return found;
}

async function countValues(opened: OpenedType, attribute: Attribute, wanted: WantedValues): Promise<CountedValues> {
  const counts = new Map<string | number | boolean, number>();
  const add = (value: Value | undefined, count: number) => {
    const key = toSingleValue(value, attribute.type);
    if (key === undefined) return;
    counts.set(key, (counts.get(key) ?? 0) + count);
    if (counts.size > wanted.maxSingleValues) throw createTooManyProblem(wanted);
  };
  const counted = await new SourceStatistics(opened, wanted).countValues(wanted.maxSingleValues);
  if (counted === undefined) await visitRows(opened, wanted, { attribute: attribute.name }, (value) => add(value, 1));
  else for (const { value, count } of counted) add(value, count);
  return { kind: 'counted', counts: [...counts].sort(([one], [other]) => compareValues(one, other)) };
}

export function createTooManyProblem({ attribute, maxSingleValues }: WantedValues): Problem {
  return problem('classification-too-many-values', { attribute, limit: maxSingleValues, field: 'attribute' });
}

async function sampleNumbers(opened: OpenedType, attribute: Attribute, wanted: WantedValues): Promise<NumberValues> {
  const hasWeights = wanted.purpose === 'areas';
  const geometry = hasWeights ? opened.description.defaultGeometry : undefined;
  const sample = new NumberSample({ hasWeights });
  await visitRows(opened, wanted, { attribute: attribute.name, geometry }, (value, shape) => {
    if (value === null || value === undefined) return;
    sample.add(Number(value), isGeometry(shape) ? computeArea(shape) : 0);
  });
  return { kind: 'numbers', data: sample.finish(), isSampled: !sample.isComplete };
}

type VisitRow = (value: Value | undefined, geometry: Value | Geometry | undefined) => void;

async function visitRows(
  opened: OpenedType,
  { box }: WantedValues,
  { attribute, geometry }: { readonly attribute: string; readonly geometry?: string | undefined },
  visit: VisitRow,
): Promise<void> {
  const attributes = [attribute, ...(geometry === undefined ? [] : [geometry])];
  const answer = await queryFeatures(opened, { attributes, ...(box === undefined ? {} : { box }) }, opened.signal);
  const names = answer.description.attributes.map(({ name }) => name);
  const [place, geometryPlace] = [names.indexOf(attribute), geometry === undefined ? -1 : names.indexOf(geometry)];
  for await (const batch of opened.withTimeout(answer.batches)) {
    for (const { values } of batch) visit(values[place] as Value | undefined, values[geometryPlace]);
  }
}

function isGeometry(value: Value | Geometry | undefined): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}

/** Returns undefined for null and for bytes. */
function toSingleValue(value: Value | undefined, type: Attribute['type']): string | number | boolean | undefined {
  if (value === null || value === undefined || value instanceof Uint8Array) return undefined;
  if (value instanceof Date) return type === 'date' ? value.toISOString().slice(0, -14) : value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}

function compareValues(one: string | number | boolean, other: string | number | boolean): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [left, right] = [String(one), String(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns undefined if the coverage has no data in the box. */
export async function readCoverageValues(
  coverage: OpenedCoverage,
  band: number,
  box: Bounds | undefined,
  signal: AbortSignal,
): Promise<NumberValues | undefined> {
  const { grid } = coverage.description;
  const bounds = grid.bounds === undefined ? undefined : intersectBoxes(grid.bounds, box ?? grid.bounds);
  if (grid.bounds === undefined || bounds === undefined) return undefined;
  const width = ((bounds.maxX - bounds.minX) / (grid.bounds.maxX - grid.bounds.minX)) * grid.width;
  const height = ((bounds.maxY - bounds.minY) / (grid.bounds.maxY - grid.bounds.minY)) * grid.height;
  const reduction = Math.max(1, Math.sqrt((width * height) / MAX_CELLS));
  const target = {
    bounds,
    width: Math.max(1, Math.round(width / reduction)),
    height: Math.max(1, Math.round(height / reduction)),
  };
  const picture = await coverage.read(
    { target, crs: grid.crs, interpolation: 'nearest', bands: [band], values: 'scaled' },
    signal,
  );
  const window = picture?.bands[0];
  if (window === undefined) return undefined;
  return { kind: 'numbers', data: { values: window.samples, mask: window.mask }, isSampled: reduction > 1 };
}

function intersectBoxes(one: Bounds, other: Bounds): Bounds | undefined {
  const box = {
    minX: Math.max(one.minX, other.minX),
    minY: Math.max(one.minY, other.minY),
    maxX: Math.min(one.maxX, other.maxX),
    maxY: Math.min(one.maxY, other.maxY),
  };
  return box.minX < box.maxX && box.minY < box.maxY ? box : undefined;
}
