/** The attributes that a filter can use, with their types. */
import type { Geometry } from '../../geometry/geometry.ts';

/** Decimals are compared by all their digits, other numbers as doubles. */
export type AttributeType = 'text' | 'number' | 'decimal' | 'boolean' | 'instant' | 'date' | 'geometry' | 'bytes';

export interface SchemaAttribute {
  readonly name: string;
  readonly type: AttributeType;
  /** For a geometry: the code of its CRS, such as `EPSG:4326`. */
  readonly crs?: string;
  /**
   * For a geometry: the length of one coordinate unit, for distances in metres or miles; defaults to that of its CRS.
   */
  readonly metresPerUnit?: number;
}

export interface Schema {
  readonly attributes: readonly SchemaAttribute[];
  /** The geometry of a box condition without a geometry name; defaults to the first. */
  readonly defaultGeometry?: string;
  /**
   * Transforms a geometry between two CRS codes; undefined if that is not possible. Defaults to the built-in
   * transformation.
   */
  readonly reproject?: (geometry: Geometry, from: string, to: string) => Geometry | undefined;
}

/**
 * Finds an attribute by its name, also with a prefix or after the type name: `roads/name`. Paths are looked up, not
 * evaluated.
 */
export function findAttributeByName({ attributes }: Schema, name: string): SchemaAttribute | undefined {
  const found = attributes.find((each) => each.name === name) ?? findAttributeByPath(attributes, name);
  if (found !== undefined || !isPlainPath(name)) return found;
  const local = toLocalName(name);
  return attributes.find((each) => each.name === local);
}

/** Finds an attribute whose name is a path: prefixes can differ, and the type name can precede it. */
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

/** Whether the path has one or two steps, each with or without a prefix. */
function isPlainPath(path: string): boolean {
  const steps = path.split('/');
  return steps.length <= 2 && steps.every((step) => /^(?:[^:]+:)?[^:]+$/.test(step) && !/[[\]()@*|]|^\.+$/.test(step));
}

/** Returns the last step of a path without its prefix. */
export function toLocalName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}
