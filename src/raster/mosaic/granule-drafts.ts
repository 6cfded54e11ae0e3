/** Creates the granules of one file from shared values and the values of each image. */
import type { GranuleDraft, GranuleSchema, GranuleValue, GranuleValueType } from '../granules/port/port.ts';
import { toGranuleValue } from './coverage-schema.ts';

/** The converted values of a dimension and their attributes. */
export interface Axis {
  readonly attributes: readonly string[];
  readonly values: readonly GranuleValue[];
}

/** Returns undefined for attributes without their own values. */
export function findValueType(schema: GranuleSchema, name: string): GranuleValueType | undefined {
  const attribute = schema.attributes.find((each) => each.name === name);
  return attribute?.role === 'value' ? attribute.type : undefined;
}

/** Converts the collected values that the index has attributes for; returns a text if a value does not fit. */
export function toGranuleValues(
  schema: GranuleSchema,
  collected: Readonly<Record<string, string | number>>,
): Readonly<Record<string, GranuleValue>> | string {
  const values: Record<string, GranuleValue> = {};
  for (const [name, value] of Object.entries(collected)) {
    const type = findValueType(schema, name);
    if (type === undefined) continue;
    const converted = toGranuleValue(value, type);
    if (converted === undefined) return `'${value}' does not fit attribute '${name}' of type ${type}`;
    values[name] = converted;
  }
  return values;
}

export interface SliceOptions {
  readonly shared: Pick<GranuleDraft, 'location' | 'footprint'>;
  readonly collected: Readonly<Record<string, GranuleValue>>;
  readonly firstImage: number;
  readonly axes: readonly Axis[];
  readonly pictures: number;
}

/** Lists one granule per image; the last dimension varies fastest. */
export function* listSlices(
  schema: GranuleSchema,
  { shared, collected, firstImage, axes, pictures }: SliceOptions,
): Generator<readonly [GranuleSchema, GranuleDraft]> {
  for (let picture = 0; picture < pictures; picture += 1) {
    const values: Record<string, GranuleValue> = { ...collected };
    let rest = picture;
    for (const { attributes, values: axis } of axes.toReversed()) {
      const value = axis[rest % axis.length] ?? null;
      rest = Math.floor(rest / axis.length);
      for (const attribute of attributes) values[attribute] = value;
    }
    yield [schema, { ...shared, imageindex: firstImage + picture, values }];
  }
}
