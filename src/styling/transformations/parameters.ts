/** The kinds of parameters of rendering transformations: each converts the values of a style and checks their range. */
import type { Bounds } from '../../crs/bounds.ts';
import { type StyleValue, toBoolean, toNumber, toText } from '../../filter/evaluate/evaluate.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import { findInterpolation, type Interpolation } from '../../raster/warp/interpolate.ts';

/** A value as the style has it: a geometry is written in GML or as text in WKT. */
export type RawValue = StyleValue | Geometry;

/** The values of each parameter by its name in lower case. */
export type RawParameters = ReadonlyMap<string, readonly RawValue[]>;

export interface Parameter<T> {
  /** Completes the sentence "must be". */
  readonly expected: string;
  readonly isRequired: boolean;
  /** Why the parameter is accepted without an effect; undefined if it has one. */
  readonly ineffectiveBecause?: string;
  /** Returns the value if the style has none. */
  getDefault(): T;
  /** Converts at least one value; returns undefined if they are invalid. */
  read(values: readonly RawValue[]): T | undefined;
}

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

export type ParameterValues<P extends ParameterTable> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

export interface ParameterIssue {
  readonly parameter: string;
  /** Completes the sentence that begins with the parameter. */
  readonly reason: string;
}

/** A kind of value, which is optional until `required` or `withDefault` changes it. */
export interface ParameterKind<T> extends Parameter<T | undefined> {
  read(values: readonly RawValue[]): T | undefined;
}

export function required<T>(kind: ParameterKind<T>): Parameter<T> {
  const getDefault = (): T => {
    throw new Error('A required parameter has no default.');
  };
  return { ...kind, isRequired: true, getDefault };
}

export function withDefault<T>(kind: ParameterKind<T>, value: T): Parameter<T> {
  return { ...kind, getDefault: () => value };
}

/** A parameter of the reference server that has no meaning here. `reason` completes "without an effect, because". */
export function withoutEffect<T>(kind: ParameterKind<T>, reason: string): ParameterKind<T> {
  return { ...kind, ineffectiveBecause: reason };
}

export function number({ from, to }: { readonly from: number; readonly to: number }): ParameterKind<number> {
  return createKind(`a number from ${from} to ${to}`, ([value]) => readNumber(value, from, to));
}

export function integer({ from, to }: { readonly from: number; readonly to: number }): ParameterKind<number> {
  return createKind(`an integer from ${from} to ${to}`, ([value]) => {
    const read = readNumber(value, from, to);
    return Number.isInteger(read) ? read : undefined;
  });
}

/** Numbers as separate values, or in one text with commas or spaces between them. */
export function numbers(most: number): ParameterKind<readonly number[]> {
  return createKind(`at most ${most} numbers`, (values) => {
    const found = splitWords(values, most).map((each) => readNumber(each, -Number.MAX_VALUE, Number.MAX_VALUE));
    return found.length <= most && found.every((each) => each !== undefined) ? found : undefined;
  });
}

export const text: ParameterKind<string> = createKind('a text', ([value]) => toParameterText(value));

export function texts(most: number): ParameterKind<readonly string[]> {
  return createKind(`at most ${most} texts`, (values) => {
    const found = values.flatMap((value) => toParameterText(value) ?? []);
    return found.length === values.length && found.length <= most ? found : undefined;
  });
}

/** One of the words, in any case. */
export function choice<const W extends string>(words: readonly W[]): ParameterKind<W> {
  return createKind(words.join(', '), ([value]) =>
    words.find((word) => word.toLowerCase() === toParameterText(value)?.trim().toLowerCase()),
  );
}

/** An interpolation by one of its names, also with a prefix such as in `javax.media.jai.InterpolationBilinear`. */
export const interpolation: ParameterKind<Interpolation> = createKind(
  'nearest neighbor, bilinear or bicubic',
  ([value]) => findInterpolation((toParameterText(value) ?? '').replace(/^.*interpolation[\s_]*/i, '')),
);

export const flag: ParameterKind<boolean> = createKind('true or false', ([value]) =>
  isGeometry(value) ? undefined : toBoolean(value),
);

/** `minX,minY,maxX,maxY`, as the variable `wms_bbox` has it. */
export const box: ParameterKind<Bounds> = createKind(
  'a box of four numbers: minX, minY, maxX, maxY',
  (values): Bounds | undefined => {
    const [minX, minY, maxX, maxY] = splitWords(values, 5).map((each) =>
      readNumber(each, -Number.MAX_VALUE, Number.MAX_VALUE),
    );
    if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) return undefined;
    return maxX > minX && maxY > minY ? { minX, minY, maxX, maxY } : undefined;
  },
);

/** The length of a WKT text, which is decoded at once. */
const MAX_WKT_LENGTH = 200_000;

/** A geometry in GML or WKT, or a box as four numbers. */
export const geometry: ParameterKind<Geometry> = createKind('a geometry in GML or WKT', (values) => {
  const [value] = values;
  if (isGeometry(value)) return value;
  const bounds = box.read(values);
  if (bounds !== undefined) return toPolygon(bounds);
  const written = toParameterText(value) ?? '';
  if (written.length > MAX_WKT_LENGTH) return undefined;
  try {
    return decodeWkt(written);
  } catch {
    // The decoder throws for texts that are not WKT.
    return undefined;
  }
});

export function toPolygon({ minX, minY, maxX, maxY }: Bounds): Geometry {
  const ordinates = Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY);
  return { type: 'Polygon', dimension: 'XY', ordinates, ends: [5], parts: [1] };
}

/** Returns the values of all parameters, or the first issue. Null counts as no value. */
export function readParameters<P extends ParameterTable>(
  table: P,
  raw: RawParameters,
): { readonly values: ParameterValues<P> } | { readonly issue: ParameterIssue } {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const given = raw.get(name.toLowerCase())?.filter((value) => value !== null) ?? [];
    if (given.length === 0 && parameter.isRequired) return { issue: { parameter: name, reason: 'is required' } };
    const value = given.length === 0 ? parameter.getDefault() : parameter.read(given);
    if (value === undefined && given.length > 0)
      return { issue: { parameter: name, reason: `must be ${parameter.expected}` } };
    values[name] = value;
  }
  // Each value was read by the parameter of its name.
  return { values: values as ParameterValues<P> };
}

function createKind<T>(expected: string, read: (values: readonly RawValue[]) => T | undefined): ParameterKind<T> {
  return { expected, isRequired: false, getDefault: () => undefined, read };
}

function isGeometry(value: RawValue | undefined): value is Geometry {
  return typeof value === 'object' && value !== null;
}

function toParameterText(value: RawValue | undefined): string | undefined {
  return value === undefined || value === null || isGeometry(value) ? undefined : toText(value);
}

function readNumber(value: RawValue | undefined, from: number, to: number): number | undefined {
  const read = value === undefined || isGeometry(value) ? undefined : toNumber(value);
  return read !== undefined && read >= from && read <= to ? read : undefined;
}

/** Splits texts at commas and spaces; stops after one word too many. */
function splitWords(values: readonly RawValue[], most: number): readonly RawValue[] {
  const words: RawValue[] = [];
  for (const value of values) {
    if (words.length > most) break;
    if (typeof value !== 'string') words.push(value);
    else for (const word of value.split(/[\s,]+/, most + 2)) if (word !== '') words.push(word);
  }
  return words;
}
