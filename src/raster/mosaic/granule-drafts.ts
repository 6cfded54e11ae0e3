/** Makes the granules of one file: what is the same for all of them, and what each picture has of its own. */
import type { GranuleDraft, GranuleSchema, GranuleValue, GranuleValueType } from '../granules/port/port.ts';
import { toGranuleValue } from './coverage-schema.ts';

/** The values of a dimension as the index keeps them, and the attributes they go into. */
export interface Axis {
  readonly attributes: readonly string[];
  readonly values: readonly GranuleValue[];
}

/** Of an attribute that has values of its own; undefined for others. */
export function findValueType(schema: GranuleSchema, name: string): GranuleValueType | undefined {
  const attribute = schema.attributes.find((each) => each.name === name);
  return attribute?.role === 'value' ? attribute.type : undefined;
}

/** What the collectors found, as far as the index has attributes for it; a text says what does not fit. */
export function toGranuleValues(
  schema: GranuleSchema,
  collected: Readonly<Record<string, string | number>>,
): Readonly<Record<string, GranuleValue>> | string {
  const values: Record<string, GranuleValue> = {};
  for (const [name, value] of Object.entries(collected)) {
    const type = findValueType(schema, name);
    if (type === undefined) continue;
    const kept = toGranuleValue(value, type);
    if (kept === undefined) return `'${value}' does not fit attribute '${name}' of type ${type}`;
    values[name] = kept;
  }
  return values;
}

/** One granule for each picture, the last dimension the fastest. */
export function* listSlices(
  schema: GranuleSchema,
  shared: Pick<GranuleDraft, 'location' | 'footprint'>,
  collected: Readonly<Record<string, GranuleValue>>,
  firstImage: number,
  axes: readonly Axis[],
  pictures: number,
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
