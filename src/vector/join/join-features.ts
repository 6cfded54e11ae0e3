/**
 * Joins the features of several types in memory. Equal values and boxes select candidates; the conditions decide about
 * them, in threads if they are expensive.
 */
import type { Bounds } from '../../crs/bounds.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import type { AttributeValue, ResolvedFilter, Scalar } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature, Value } from '../port/port.ts';
import { filterFeatures } from '../support/filter-features.ts';
import { BoxGrid } from './box-grid.ts';
import type { JoinSize } from './join-size.ts';

/** The candidates of one step. More would take the threads for too long. */
export const MAX_CANDIDATES = 2_000_000;

/** The boxes that are compared to find them, which takes some seconds of short turns. */
const MAX_COMPARED_BOXES = 100_000_000;

/** The rows of a step; all of them are in memory. */
export const MAX_ROWS = 200_000;

/** Small enough that evaluating a batch in this thread is one short turn. */
const BATCH_ROWS = 256;

export interface JoinedFeatures {
  /** The names of its values in conditions, such as `a/name`. */
  readonly names: readonly string[];
  readonly features: readonly Feature[];
}

export interface JoinOptions {
  /** All must hold. */
  readonly conditions: readonly ResolvedFilter[];
  readonly runner: FilterRunner;
  readonly size: JoinSize;
  readonly signal: AbortSignal;
}

/**
 * Returns rows in the order of the features of the first type, then of the second and so on. The values of a row are
 * the id and the values of a feature of each type. Throws a Problem beyond the limits.
 */
export async function joinFeatures(
  [first, ...others]: readonly [JoinedFeatures, ...JoinedFeatures[]],
  { conditions, runner, size, signal }: JoinOptions,
): Promise<readonly Feature[]> {
  let rows = first.features.map(toRow);
  let names = [ID, ...first.names];
  let pending = conditions;
  for (const next of others) {
    const known = new Set([...names, ...next.names]);
    const ready = pending.filter((each) => listFilterAttributes(each).every((name) => known.has(name)));
    pending = pending.filter((each) => !ready.includes(each));
    const step = { rows, names, next, conditions: ready, signal };
    names = [...names, ID, ...next.names];
    rows = await collectRows(
      filterFeatures(combine(step, await createCandidateIndex(step)), {
        names,
        filter: joinResolvedFilters('and', ready),
        runner,
        signal,
      }),
      size,
    );
  }
  return rows;
}

/** The name of the ids among the values, which conditions do not use. */
const ID = '';

function toRow({ id, values }: Feature): Feature {
  return { id, values: [id, ...values] };
}

interface JoinStep {
  readonly rows: readonly Feature[];
  readonly names: readonly string[];
  readonly next: JoinedFeatures;
  readonly conditions: readonly ResolvedFilter[];
  readonly signal: AbortSignal;
}

async function collectRows(batches: AsyncIterable<readonly Feature[]>, size: JoinSize): Promise<Feature[]> {
  const rows: Feature[] = [];
  for await (const batch of batches) {
    for (const row of batch) rows.push(row);
    size.addRows(batch);
    if (rows.length > MAX_ROWS) {
      throw problem('wfs-join-too-large', { what: 'rows', most: MAX_ROWS, field: 'filter' });
    }
  }
  return rows;
}

async function* combine({ rows, next, signal }: JoinStep, index: CandidateIndex): AsyncGenerator<readonly Feature[]> {
  let batch: Feature[] = [];
  let count = 0;
  for (const row of rows) {
    for (const place of index(row)) {
      const feature = next.features[place];
      if (feature === undefined) continue;
      count += 1;
      if (count > MAX_CANDIDATES) {
        throw problem('wfs-join-too-large', { what: 'pairs to compare', most: MAX_CANDIDATES, field: 'filter' });
      }
      batch.push({ id: `${row.id}+${feature.id}`, values: [...row.values, feature.id, ...feature.values] });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
      signal.throwIfAborted();
    }
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the positions of the features that a row may be joined with, in ascending order. */
type CandidateIndex = (row: Feature) => Iterable<number>;

/** Uses the first condition that an index supports; without one, all pairs are candidates. */
async function createCandidateIndex(step: JoinStep): Promise<CandidateIndex> {
  const [own, other] = [new Map(step.names.map(toEntry)), new Map(step.next.names.map(toEntry))];
  const find = (left: Operand, right: Operand): ConditionPlaces | undefined => {
    const [one, two] = [findName(left), findName(right)];
    if (one === undefined || two === undefined) return undefined;
    const [place, placeInNext] = [own.get(one) ?? own.get(two), other.get(two) ?? other.get(one)];
    return place === undefined || placeInNext === undefined ? undefined : { place, placeInNext };
  };
  for (const condition of step.conditions) {
    if (condition.kind !== 'comparison' || condition.operator !== 'equal') continue;
    const places = find(condition.left, condition.right);
    if (places !== undefined) return createValueIndex(step, places);
  }
  for (const condition of step.conditions) {
    const reach = findReach(condition);
    if (reach === undefined || (condition.kind !== 'relation' && condition.kind !== 'distance')) continue;
    const places = find(condition.left, condition.right);
    if (places !== undefined) return createBoxIndex(step, places, reach);
  }
  return () => step.next.features.keys();
}

interface ConditionPlaces {
  readonly place: number;
  readonly placeInNext: number;
}

type Operand = Scalar | AttributeValue | { readonly kind: 'geometry' };

function findName(operand: Operand): string | undefined {
  return operand.kind === 'attribute' ? operand.name : undefined;
}

function toEntry(name: string, index: number): readonly [string, number] {
  return [name, index];
}

/** Returns the largest distance of boxes at which the condition can hold; undefined if there is none. */
function findReach(condition: ResolvedFilter): number | undefined {
  if (condition.kind === 'distance') return condition.operator === 'within' ? condition.distance : undefined;
  if (condition.kind !== 'relation' || typeof condition.relation !== 'string') return undefined;
  return condition.relation === 'disjoint' ? undefined : 0;
}

async function createValueIndex(
  { next: { features } }: JoinStep,
  { place, placeInNext }: ConditionPlaces,
): Promise<CandidateIndex> {
  const byValue = new Map<string, number[]>();
  for (const [index, { values }] of features.entries()) {
    const key = toKey(values[placeInNext]);
    if (key === undefined) continue;
    const members = byValue.get(key);
    if (members === undefined) byValue.set(key, [index]);
    else members.push(index);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return ({ values }) => {
    const key = toKey(values[place]);
    return key === undefined ? [] : (byValue.get(key) ?? []);
  };
}

/** Equal values have the same key; the condition decides about different values with the same key. */
function toKey(value: Value | Geometry | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' || typeof value === 'bigint') return formatNumericKey(Number(value));
  if (value instanceof Date) return formatNumericKey(value.getTime());
  if (typeof value !== 'string') return String(value);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isNaN(number)) return formatNumericKey(number);
  // Timestamps with microseconds are texts, and equal a Date with the same milliseconds only if the rest is zero.
  const moment = /^\d{4,}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? `text ${value}` : formatNumericKey(moment);
}

function formatNumericKey(value: number): string {
  // Texts of -0 and 0 differ.
  return `number ${value + 0 === 0 ? 0 : value}`;
}

async function createBoxIndex(
  { next: { features } }: JoinStep,
  { place, placeInNext }: ConditionPlaces,
  reach: number,
): Promise<CandidateIndex> {
  const boxes: (Bounds | undefined)[] = [];
  let extent: Bounds | undefined;
  for (const { values } of features) {
    const box = findBox(values[placeInNext]);
    boxes.push(box);
    extent = mergeBounds(extent, box);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  if (extent === undefined) return () => [];
  const grid = new BoxGrid(boxes, extent);
  for (const index of boxes.keys()) {
    grid.add(index);
    const others = yieldIfDue();
    if (others !== undefined) await others;
  }
  return ({ values }) => {
    const box = findBox(values[place]);
    if (box === undefined) return [];
    if (grid.comparisons > MAX_COMPARED_BOXES) {
      throw problem('wfs-join-too-large', { what: 'boxes to compare', most: MAX_COMPARED_BOXES, field: 'filter' });
    }
    const { minX, minY, maxX, maxY } = box;
    return grid.find({ minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach });
  };
}

function findBox(value: Value | Geometry | undefined): Bounds | undefined {
  return typeof value === 'object' && value !== null && 'ordinates' in value ? computeGeometryBounds(value) : undefined;
}
