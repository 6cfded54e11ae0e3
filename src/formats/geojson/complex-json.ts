/** Writes nested features as JSON: an object per complex element, and an array for repeated elements. */
import type { ComplexFeature, ComplexProperty, PropertyValue } from '../../vector/port/complex-feature.ts';
import { isGeometryValue } from '../../vector/port/complex-feature.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';
import { type GeometryForm, writeGeometryJson } from './geometry-json.ts';
import { formatJsonMember, writeJsonText, writeJsonValue } from './json-text.ts';

/** Omits its own geometry and id, which GeoJSON has outside the properties. */
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

/** Lists the XML attributes of an element, with an @ before each name. */
function listDetails({ id, type, attributes }: ComplexProperty): readonly (readonly [string, string])[] {
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
  const writeName = (text: string): void => {
    out.writeRaw(`${count > 0 ? ',' : ''}${formatJsonMember(text)}`);
    count += 1;
  };
  out.writeRaw('{');
  for (const [key, text] of details) {
    writeName(key);
    writeJsonText(out, text);
  }
  for (const [local, group] of Map.groupBy(children, (child) => child.name.local)) {
    writeName(local);
    const [first, ...others] = group;
    if (first === undefined) continue;
    if (others.length > 0) out.writeRaw('[');
    writeProperty(out, first, form);
    for (const other of others) {
      out.writeRaw(',');
      writeProperty(out, other, form);
    }
    if (others.length > 0) out.writeRaw(']');
  }
  out.writeRaw('}');
}

function writeProperty(out: TextWriter, property: ComplexProperty, form: GeometryForm): void {
  const details = listDetails(property);
  const { value, children } = property;
  if (children.length > 0) {
    writeMembers(out, children, form, details);
  } else if (details.length === 0) {
    writeValue(out, value, form);
  } else {
    out.writeRaw('{');
    for (const [key, text] of details) {
      out.writeRaw(formatJsonMember(key));
      writeJsonText(out, text);
      out.writeRaw(',');
    }
    out.writeRaw('"value":');
    writeValue(out, value, form);
    out.writeRaw('}');
  }
}

function writeValue(out: TextWriter, value: PropertyValue | undefined, form: GeometryForm): void {
  if (value === undefined) {
    out.writeRaw('null');
  } else if (!isGeometryValue(value)) {
    writeJsonValue(out, value, 'string');
  } else if (value.kind === 'geometry') {
    const geometry = toWritableGeometry(value.geometry);
    if (geometry === null) out.writeRaw('null');
    else writeGeometryJson(out, geometry, form);
  } else {
    out.writeRaw(JSON.stringify(value.positions));
  }
}
