/** Compares GeoJSON geometries: types, structure and coordinates. */

const COORDINATE_TOLERANCE = 1e-6;

/** Returns the difference as a sentence; undefined if the geometries are equal. */
export function compareGeometries(old: unknown, renewed: unknown): string | undefined {
  const [before, after] = [readShape(old), readShape(renewed)];
  if (before.structure !== after.structure) {
    return before.type === after.type
      ? `the ${before.type} has ${before.coordinates.length} numbers on the old server and ${after.coordinates.length} on the new one.`
      : `old ${before.type}, new ${after.type}.`;
  }
  const distance = findLargestDistance(before.coordinates, after.coordinates);
  if (distance <= COORDINATE_TOLERANCE) return undefined;
  const swapped = swapAxes(after.coordinates);
  if (findLargestDistance(before.coordinates, swapped) <= COORDINATE_TOLERANCE) {
    return 'the servers write the axes in different orders.';
  }
  return `coordinates differ by up to ${Number(distance.toPrecision(3))}.`;
}

interface Shape {
  readonly type: string;
  /** The type and the numbers of coordinates of all parts. */
  readonly structure: string;
  readonly coordinates: readonly number[];
}

function readShape(geometry: unknown): Shape {
  if (typeof geometry !== 'object' || geometry === null) return { type: 'none', structure: 'none', coordinates: [] };
  const { type, coordinates, geometries } = geometry as Readonly<Record<string, unknown>>;
  if (Array.isArray(geometries)) {
    const parts = geometries.map(readShape);
    const structure = `${String(type)}(${parts.map((part) => part.structure).join()})`;
    return { type: String(type), structure, coordinates: parts.flatMap((part) => part.coordinates) };
  }
  const numbers: number[] = [];
  const structure = `${String(type)}${describeStructure(coordinates, numbers)}`;
  return { type: String(type), structure, coordinates: numbers };
}

/** Adds all numbers to the list; returns their nesting. */
function describeStructure(coordinates: unknown, numbers: number[]): string {
  if (!Array.isArray(coordinates)) return '';
  if (coordinates.every((each) => typeof each === 'number')) {
    for (const each of coordinates) numbers.push(each);
    return String(coordinates.length);
  }
  return `[${coordinates.map((each) => describeStructure(each, numbers)).join()}]`;
}

function findLargestDistance(old: readonly number[], renewed: readonly number[]): number {
  return old.reduce((largest, each, index) => Math.max(largest, Math.abs(each - (renewed[index] ?? Number.NaN))), 0);
}

/** Exchanges neighbouring numbers, which are the axes of two-dimensional positions. */
function swapAxes(coordinates: readonly number[]): readonly number[] {
  return coordinates.map((_, index) => coordinates[index % 2 === 0 ? index + 1 : index - 1] ?? Number.NaN);
}
