/** Writes flat features as GML: an element per non-null attribute, in the namespace of the type. */
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureSet } from '../port/port.ts';
import type { TextWriter } from '../writing/text-writer.ts';
import { isGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';
import { type GmlForm, isWritable, writeGeometryGml } from './geometry-gml.ts';
import { toXmlName, toXmlPrefix } from './xml-names.ts';
import { writeXmlValue } from './xml-text.ts';

/** `declarations` are written in the start tag of the feature, each with a leading space. */
export type WriteFeature = (feature: Feature, declarations: string) => void;

/** `begin` writes the content before the attributes of a feature. */
export function createSimpleFeatureWriter(
  out: TextWriter,
  { typeName, description }: Pick<FeatureSet, 'typeName' | 'description'>,
  form: GmlForm,
  begin?: (feature: Feature) => void,
): WriteFeature {
  const prefix = toXmlPrefix(typeName.prefix);
  const element = `${prefix}:${toXmlName(typeName.local)}`;
  const idAttribute = form.version === '2.1.2' ? 'fid' : 'gml:id';
  const columns = description.attributes.map((attribute) => {
    const name = toXmlName(attribute.name);
    return { attribute, name, start: `<${prefix}:${name}>`, end: `</${prefix}:${name}>` };
  });

  return (feature, declarations) => {
    const { id, values } = feature;
    const featureId = toXmlName(id);
    out.writeRaw(`<${element} ${idAttribute}="`);
    out.writeRaw(featureId);
    out.writeRaw(`"${declarations}>`);
    begin?.(feature);
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const value = values[index] ?? null;
      if (column === undefined || value === null) continue;
      if (column.attribute.kind === 'value') {
        if (isGeometry(value)) continue;
        out.writeRaw(column.start);
        writeXmlValue(out, value, column.attribute.type);
      } else {
        const geometry = toWritableGeometry(value);
        if (geometry === null || !isWritable(geometry, form.version)) continue;
        out.writeRaw(column.start);
        writeGeometryGml(out, geometry, form, `${featureId}.${column.name}`);
      }
      out.writeRaw(column.end);
    }
    out.writeRaw(`</${element}>`);
  };
}
