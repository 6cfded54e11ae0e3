/** Nested features as JSON: an object for each element that holds others, a list where one comes more than once. */
import type { ComplexFeature, ComplexProperty, PropertyValue } from '../../app-schema/read/complex-feature.ts';
import { isGeometryValue } from '../../app-schema/read/complex-feature.ts';
import type { TextWriter } from '../text-writer.ts';
import { writtenGeometry } from '../written-geometry.ts';
import { type GeometryForm, writeGeometryJson } from './geometry-json.ts';
import { jsonMember, writeJsonText, writeJsonValue } from './json-text.ts';

/** All but its own geometry and id, which stand beside the properties. */
export function writeComplexProperties(
  out: TextWriter,
  { children, geometry }: ComplexFeature,
  form: GeometryForm,
): void {
  writeMembers(
    out,
    children.filter(({ value }) => value === undefined || value !== geometry),
    form,
    [],
  );
}

/** What is told of an element beside what is in it: its own attributes, each with an @ before its name. */
function detailsOf({ id, type, attributes }: ComplexProperty): readonly (readonly [string, string])[] {
  return [
    ...(id === undefined ? [] : [['@id', id] as const]),
    ...(type === undefined ? [] : [['@type', type.local] as const]),
    ...attributes.map(({ name, value }) => [`@${name.local}`, value] as const),
  ];
}

function writeMembers(
  out: TextWriter,
  children: readonly ComplexProperty[],
  form: GeometryForm,
  details: readonly (readonly [string, string])[],
): void {
  let count = 0;
  const name = (text: string): void => {
    out.raw(`${count > 0 ? ',' : ''}${jsonMember(text)}`);
    count += 1;
  };
  out.raw('{');
  for (const [key, text] of details) {
    name(key);
    writeJsonText(out, text);
  }
  for (const [local, group] of Map.groupBy(children, (child) => child.name.local)) {
    name(local);
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.length > 0) out.raw('[');
    writeProperty(out, first, form);
    for (const other of others) {
      out.raw(',');
      writeProperty(out, other, form);
    }
    if (others.length > 0) out.raw(']');
  }
  out.raw('}');
}

function writeProperty(out: TextWriter, property: ComplexProperty, form: GeometryForm): void {
  const details = detailsOf(property);
  const { value, children } = property;
  if (children.length > 0) {
    writeMembers(out, children, form, details);
  } else if (details.length === 0) {
    writeValue(out, value, form);
  } else {
    out.raw('{');
    for (const [key, text] of details) {
      out.raw(jsonMember(key));
      writeJsonText(out, text);
      out.raw(',');
    }
    out.raw('"value":');
    writeValue(out, value, form);
    out.raw('}');
  }
}

function writeValue(out: TextWriter, value: PropertyValue | undefined, form: GeometryForm): void {
  if (value === undefined) {
    out.raw('null');
  } else if (!isGeometryValue(value)) {
    writeJsonValue(out, value, 'string');
  } else if (value.kind === 'geometry') {
    const geometry = writtenGeometry(value.geometry);
    if (geometry === null) out.raw('null');
    else writeGeometryJson(out, geometry, form);
  } else {
    out.raw(JSON.stringify(value.positions));
  }
}
