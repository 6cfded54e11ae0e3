/** Mapping functions that create geometries from numbers, for tables without geometry columns. */
import { type StyleValue, toNumber, toText } from '../../../filter/evaluate/evaluate.ts';
import type { GeometryValue } from '../../port/complex-feature.ts';

/** The argument that precedes a CRS name. */
const SRS_NAME = 'SRS_NAME';

type MakeGeometry = (numbers: readonly number[], rest: readonly StyleValue[]) => GeometryValue | undefined;

const makers: ReadonlyMap<string, { readonly mostNumbers: number; readonly make: MakeGeometry }> = new Map<
  string,
  { readonly mostNumbers: number; readonly make: MakeGeometry }
>([
  ['todirectposition', { mostNumbers: 2, make: (numbers) => ({ kind: 'position', positions: [numbers] }) }],
  ['topoint', { mostNumbers: 2, make: makePoint }],
  ['tolinestring', { mostNumbers: 2, make: makeLine }],
  ['toenvelope', { mostNumbers: 4, make: makeEnvelope }],
]);

export function isGeometryFunction(name: string): boolean {
  return makers.has(name);
}

/** Returns null if a number is missing. */
export function makeGeometry(name: string, inputs: readonly StyleValue[]): GeometryValue | null {
  const maker = makers.get(name);
  if (maker === undefined) return null;
  const isNamedFirst = inputs[0] === SRS_NAME;
  const given = isNamedFirst ? inputs.slice(2) : inputs;
  const count = name === 'toenvelope' && given.length < 4 ? 2 : maker.mostNumbers;
  const numbers = given.slice(0, count).map(toNumber);
  if (!numbers.every((each) => each !== undefined)) return null;
  const rest = given.slice(count);
  const made = maker.make(numbers, rest);
  if (made === undefined) return null;
  // The CRS is the last argument of an envelope.
  const system = isNamedFirst ? inputs[1] : name === 'toenvelope' ? rest[0] : undefined;
  return system === undefined || system === null ? made : { ...made, srsName: toText(system) };
}

/** The id of the geometry can follow its numbers. */
function makePoint([x, y]: readonly number[], [id]: readonly StyleValue[]): GeometryValue | undefined {
  if (x === undefined || y === undefined) return undefined;
  const geometry = { type: 'Point', dimension: 'XY', ordinates: Float64Array.of(x, y), ends: [], parts: [] } as const;
  return { kind: 'geometry', geometry, ...(id === undefined || id === null ? {} : { id: toText(id) }) };
}

/** A line along one axis, such as the depth of a borehole. */
function makeLine([from, to]: readonly number[]): GeometryValue | undefined {
  return from === undefined || to === undefined ? undefined : { kind: 'line', positions: [[from], [to]] };
}

/** The arguments are the minimum and maximum x, then y. */
function makeEnvelope([minX, maxX, minY, maxY]: readonly number[]): GeometryValue | undefined {
  if (minX === undefined || maxX === undefined) return undefined;
  if (minY === undefined || maxY === undefined) return { kind: 'envelope', positions: [[minX], [maxX]] };
  return {
    kind: 'envelope',
    positions: [
      [minX, minY],
      [maxX, maxY],
    ],
  };
}
