/** Flat features as GML: an element for each attribute that has a value, in the namespace of the type. */
import type { Feature } from '../../vector/port.ts';
import type { FeatureSet } from '../port.ts';
import type { TextWriter } from '../text-writer.ts';
import { isGeometry, writtenGeometry } from '../written-geometry.ts';
import { type GmlForm, isWritable, writeGeometryGml } from './geometry-gml.ts';
import { xmlName, xmlPrefix } from './xml-names.ts';
import { writeXmlValue } from './xml-text.ts';

/** `declarations` stand in the start tag of the feature, each with a blank before it. */
export type WriteFeature = (feature: Feature, declarations: string) => void;

/** `begin` writes what stands before the attributes of a feature. */
export function simpleFeatureWriter(
  out: TextWriter,
  { typeName, description }: FeatureSet,
  form: GmlForm,
  begin?: (feature: Feature) => void,
): WriteFeature {
  const prefix = xmlPrefix(typeName.prefix);
  const element = `${prefix}:${xmlName(typeName.local)}`;
  const idAttribute = form.version === '2.1.2' ? 'fid' : 'gml:id';
  const columns = description.attributes.map((attribute) => {
    const name = xmlName(attribute.name);
    return { attribute, name, start: `<${prefix}:${name}>`, end: `</${prefix}:${name}>` };
  });

  return (feature, declarations) => {
    const { id, values } = feature;
    const featureId = xmlName(id);
    out.raw(`<${element} ${idAttribute}="`);
    out.raw(featureId);
    out.raw(`"${declarations}>`);
    begin?.(feature);
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const value = values[index] ?? null;
      if (column === undefined || value === null) continue;
      if (column.attribute.kind === 'value') {
        if (isGeometry(value)) continue;
        out.raw(column.start);
        writeXmlValue(out, value, column.attribute.type);
      } else {
        const geometry = writtenGeometry(value);
        if (geometry === null || !isWritable(geometry, form.version)) continue;
        out.raw(column.start);
        writeGeometryGml(out, geometry, form, `${featureId}.${column.name}`);
      }
      out.raw(column.end);
    }
    out.raw(`</${element}>`);
  };
}
