/** GeoJSON encoder for RFC 7946 and for WFS clients, which expect a crs member, counts and the geometry name. */
import type { Attribute, Feature } from '../../vector/port/port.ts';
import type { DocumentLink, FeatureCollection, FeatureEncoder, FeatureSet, WrittenCrs } from '../port/port.ts';
import { findFirstFeature, type TextDocument, writeDocument } from '../writing/text-document.ts';
import { TextWriter } from '../writing/text-writer.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';
import { writeComplexProperties } from './complex-json.ts';
import { type GeometryForm, writeGeometryJson } from './geometry-json.ts';
import { formatJsonMember, writeJsonText, writeJsonValue } from './json-text.ts';

type Flavour = 'rfc-7946' | 'wfs';

export const geoJson: FeatureEncoder = createEncoder('rfc-7946');
export const wfsGeoJson: FeatureEncoder = createEncoder('wfs');

function createEncoder(flavour: Flavour): FeatureEncoder {
  return {
    encode: (collection, signal) => writeDocument(createDocument(flavour, collection), collection, signal),
    encodeFeature: async (collection, signal) => {
      const found = await findFirstFeature(collection, signal);
      if (found === undefined) return undefined;
      const out = new TextWriter(collection.options.decimals);
      const write = createFeatureWriter(out, flavour, found.set);
      write(found.feature, flavour === 'wfs' ? [] : collection.links());
      return out.flushAll();
    },
  };
}

function createDocument(flavour: Flavour, collection: FeatureCollection): TextDocument {
  let count = 0;
  return {
    begin: (out) => out.writeRaw('{"type":"FeatureCollection","features":['),
    beginSet: (out, set) => {
      const write = createFeatureWriter(out, flavour, set);
      return (feature) => {
        if (count > 0) out.writeRaw(',');
        count += 1;
        write(feature, []);
      };
    },
    end: (out) => {
      const { sets, timeStamp, links } = collection;
      const matched = sumMatched(sets);
      out.writeRaw(']');
      if (flavour === 'wfs') out.writeRaw(`,"totalFeatures":${matched ?? '"unknown"'}`);
      if (matched !== undefined) out.writeRaw(`,"numberMatched":${matched}`);
      out.writeRaw(`,"numberReturned":${count},"timeStamp":"${timeStamp.toISOString()}"`);
      const { lockId } = collection.options;
      if (lockId !== undefined) out.writeRaw(`,"lockId":${JSON.stringify(lockId)}`);
      writeLinks(out, links());
      if (flavour === 'wfs') writeCrs(out, count === 0 ? undefined : sets[0]?.crs);
      out.writeRaw('}');
    },
  };
}

function sumMatched(sets: readonly FeatureSet[]): number | undefined {
  return sets.reduce<number | undefined>(
    (sum, { numberMatched }) => (sum === undefined || numberMatched === undefined ? undefined : sum + numberMatched),
    0,
  );
}

function writeLinks(out: TextWriter, links: readonly DocumentLink[]): void {
  if (links.length > 0) out.writeRaw(`,"links":${JSON.stringify(links)}`);
}

/** The crs member of the 2008 specification, which newer readers ignore. */
function writeCrs(out: TextWriter, crs: WrittenCrs | undefined): void {
  const [authority, number] = crs?.reference.code?.split(':') ?? [];
  out.writeRaw(
    number === undefined
      ? ',"crs":null'
      : `,"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:${authority}::${number}"}}`,
  );
}

type WriteFeature = (feature: Feature, links: readonly DocumentLink[]) => void;

function createFeatureWriter(out: TextWriter, flavour: Flavour, { description, crs }: FeatureSet): WriteFeature {
  const { attributes, defaultGeometry } = description;
  // WFS clients expect x before y in this format, regardless of the CRS.
  const form: GeometryForm = {
    isNorthFirst: flavour === 'rfc-7946' && crs.isNorthFirst,
    isOriented: flavour === 'rfc-7946',
  };
  const place = attributes.findIndex(({ name, kind }) => kind === 'geometry' && name === defaultGeometry);
  const geometryName = place < 0 || flavour === 'rfc-7946' ? '' : `,"geometry_name":${JSON.stringify(defaultGeometry)}`;
  const members = attributes.map(({ name }) => formatJsonMember(name));

  const writeValue = (feature: Feature, attribute: Attribute, index: number): void => {
    const value = feature.values[index] ?? null;
    if (attribute.kind === 'geometry') {
      const geometry = toWritableGeometry(value);
      if (geometry === null) out.writeRaw('null');
      else writeGeometryJson(out, geometry, form);
    } else if (value === null || typeof value !== 'object' || !('ordinates' in value)) {
      writeJsonValue(out, value, attribute.type);
    }
  };

  return (feature, links) => {
    out.writeRaw('{"type":"Feature","id":');
    writeJsonText(out, feature.id);
    out.writeRaw(',"geometry":');
    const geometry = toWritableGeometry(place < 0 ? null : feature.values[place]);
    if (geometry === null) out.writeRaw('null');
    else writeGeometryJson(out, geometry, form);
    out.writeRaw(geometryName);
    out.writeRaw(',"properties":');
    if (feature.content !== undefined) {
      writeComplexProperties(out, feature.content, form);
    } else {
      let separator = '{';
      for (let index = 0; index < attributes.length; index += 1) {
        const attribute = attributes[index];
        if (index === place || attribute === undefined) continue;
        out.writeRaw(separator);
        out.writeRaw(members[index] ?? '');
        writeValue(feature, attribute, index);
        separator = ',';
      }
      out.writeRaw(separator === '{' ? '{}' : '}');
    }
    writeLinks(out, links);
    out.writeRaw('}');
  };
}
