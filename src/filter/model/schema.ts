/** What a filter is asked of: the attributes there are, and what kind of values they hold. */
import type { Geometry } from '../../geometry/geometry.ts';

/** Decimals are compared by all their digits, other numbers as they are in memory. */
export type AttributeType = 'text' | 'number' | 'decimal' | 'boolean' | 'instant' | 'date' | 'geometry' | 'bytes';

export interface SchemaAttribute {
  readonly name: string;
  readonly type: AttributeType;
  /** Of a geometry: the code of its coordinate reference system, such as `EPSG:4326`. */
  readonly crs?: string;
  /** Of a geometry: how long one unit of its coordinates is, for distances in metres or miles; by default as its system says. */
  readonly metresPerUnit?: number;
}

export interface Schema {
  readonly attributes: readonly SchemaAttribute[];
  /** The geometry that a box is for which names none; by default the first. */
  readonly defaultGeometry?: string;
  /** Takes a geometry from one system to another, both by code; undefined where that is not possible. By default with ours. */
  readonly reproject?: (geometry: Geometry, from: string, to: string) => Geometry | undefined;
}

/** By its name, also with a prefix or behind that of the type: `roads/name`. Paths are looked up and not evaluated. */
export function findAttributeByName({ attributes }: Schema, name: string): SchemaAttribute | undefined {
  const found = attributes.find((each) => each.name === name) ?? findAttributeByPath(attributes, name);
  if (found !== undefined || !isPlainPath(name)) return found;
  const local = toLocalName(name);
  return attributes.find((each) => each.name === local);
}

/** One whose name is a path: prefixes may be others, and the type may stand before it. */
function findAttributeByPath(attributes: readonly SchemaAttribute[], path: string): SchemaAttribute | undefined {
  const paths = attributes.filter(({ name }) => name.includes('/'));
  if (paths.length === 0 || !path.includes('/')) return undefined;
  const steps = path.split('/').map(toLocalStep);
  return [steps, steps.slice(1)]
    .map((each) => paths.find(({ name }) => isSamePath(name.split('/').map(toLocalStep), each)))
    .find((each) => each !== undefined);
}

function toLocalStep(step: string): string {
  return step.replace(/^(@?)[^:@]*:/, '$1');
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/** Of one step or two, each a name with a prefix or without. */
function isPlainPath(path: string): boolean {
  const steps = path.split('/');
  return steps.length <= 2 && steps.every((step) => /^(?:[^:]+:)?[^:]+$/.test(step) && !/[[\]()@*|]|^\.+$/.test(step));
}

/** The last step of a path, without its prefix. */
export function toLocalName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}
