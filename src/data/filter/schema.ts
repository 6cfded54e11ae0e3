/** What a filter is asked of: the attributes there are, and what kind of values they hold. */
import type { Geometry } from '../vector/geometry.ts';

export type AttributeType = 'text' | 'number' | 'boolean' | 'instant' | 'date' | 'geometry' | 'bytes';

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

/** By its name, also with a prefix or behind that of the type: `roads/name`. Paths are not evaluated. */
export function attributeNamed({ attributes }: Schema, name: string): SchemaAttribute | undefined {
  const exact = attributes.find((each) => each.name === name);
  if (exact !== undefined || !isPlainPath(name)) return exact;
  const local = localName(name);
  return attributes.find((each) => each.name === local);
}

/** Of one step or two, each a name with a prefix or without. */
function isPlainPath(path: string): boolean {
  const steps = path.split('/');
  return steps.length <= 2 && steps.every((step) => /^(?:[^:]+:)?[^:]+$/.test(step) && !/[[\]()@*|]|^\.+$/.test(step));
}

/** The last step of a path, without its prefix. */
export function localName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}
