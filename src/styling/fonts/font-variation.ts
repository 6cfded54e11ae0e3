/** The axes of variable fonts. */
import { InvalidFont } from './font-tables.ts';

/** A property of letters that a variable font can change, such as `wght` (weight) and `wdth` (width in percent). */
export interface FontAxis {
  /** Four characters. */
  readonly tag: string;
  readonly min: number;
  readonly byDefault: number;
  readonly max: number;
}

/** The value of an axis. */
export interface AxisValue {
  readonly tag: string;
  readonly value: number;
}

/** Values of all axes under a name, such as `Condensed Bold`. */
export interface FontInstance {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

export interface FontVariations {
  readonly axes: readonly FontAxis[];
  readonly instances: readonly FontInstance[];
}

/** The limits of the axes and instances of a font; large families have 15 axes and 70 instances. */
const MAX_AXES = 64;
const MAX_INSTANCES = 1_000;

/** Reads the table `fvar`. Positions beyond its end throw a `RangeError`. */
export function parseVariations(table: Buffer, names: { get(id: number): string | undefined }): FontVariations {
  const [start = 0, , axisCount = 0, axisBytes = 0, instanceCount = 0, instanceBytes = 0] = [4, 6, 8, 10, 12, 14].map(
    (at) => table.readUInt16BE(at),
  );
  if (axisCount > MAX_AXES || instanceCount > MAX_INSTANCES) throw new InvalidFont("its table 'fvar' is too large");
  const axes = Array.from({ length: axisCount }, (_, index): FontAxis => {
    const at = start + index * axisBytes;
    return {
      tag: table.toString('latin1', at, at + 4),
      min: readFixed(table, at + 4),
      byDefault: readFixed(table, at + 8),
      max: readFixed(table, at + 12),
    };
  });
  const firstInstance = start + axisCount * axisBytes;
  const instances = Array.from({ length: instanceCount }, (_, index): FontInstance => {
    const at = firstInstance + index * instanceBytes;
    return {
      name: names.get(table.readUInt16BE(at))?.trim() ?? '',
      values: axes.map(({ tag }, axis) => ({ tag, value: readFixed(table, at + 4 + axis * 4) })),
    };
  });
  return { axes, instances: instances.filter(({ name }) => name !== '') };
}

/** A number with 16 binary digits after the point. */
function readFixed(table: Buffer, at: number): number {
  return table.readInt32BE(at) / 65_536;
}

/** Styles set a few axes; the limit bounds the text that the library parses for each label. */
const MAX_VALUES = 16;

/** Parses `wght 650, wdth 80`; returns undefined for other texts. */
export function parseAxisValues(text: string): readonly AxisValue[] | undefined {
  const values = text.split(',').map((part): AxisValue | undefined => {
    const [, tag = '', number = ''] = /^\s*["']?([\x20-\x7e]{4})["']?\s+(-?\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    return tag === '' || /["'\\]/.test(tag) ? undefined : { tag, value: Number(number) };
  });
  const valid = values.filter((each) => each !== undefined);
  return valid.length === values.length && valid.length <= MAX_VALUES ? valid : undefined;
}

/** Returns the notation of CSS. */
export function formatAxisValues(values: readonly AxisValue[]): string {
  return values.map(({ tag, value }) => `"${tag}" ${value}`).join(', ');
}
