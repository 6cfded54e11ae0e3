/** GML 2.1.2, 3.1.1 and 3.2.1, in the collections of WFS 1.0.0, 1.1.0 and 2.0.0. */
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { geometryBounds, unionBounds } from '../../vector/geometry-bounds.ts';
import type { Feature } from '../../vector/port.ts';
import type { EncodingOptions, FeatureCollection, FeatureEncoder, FeatureSet, WrittenCrs } from '../port.ts';
import { firstFeature, type TextDocument, writeDocument } from '../text-document.ts';
import { TextWriter } from '../text-writer.ts';
import { writtenGeometry } from '../written-geometry.ts';
import { complexFeatureWriter } from './complex-feature-gml.ts';
import { gmlForm } from './geometry-gml.ts';
import { simpleFeatureWriter, type WriteFeature } from './simple-feature.ts';
import { type GmlVersion, vocabularies, XSI } from './version.ts';
import { xmlPrefix } from './xml-names.ts';

export const gml2: FeatureEncoder = createEncoder('2.1.2', oneCollection('2.1.2'));
export const gml31: FeatureEncoder = createEncoder('3.1.1', oneCollection('3.1.1'));
export const gml32: FeatureEncoder = createEncoder('3.2.1', collectionOfMembers);

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

function createEncoder(version: GmlVersion, document: (collection: FeatureCollection) => TextDocument): FeatureEncoder {
  return {
    encode: (collection, signal) => writeDocument(document(collection), collection, signal),
    encodeFeature: async (collection, signal) => {
      const found = await firstFeature(collection, signal);
      if (found === undefined) return undefined;
      const out = new TextWriter(collection.options.decimals);
      out.raw(XML);
      const write = featureWriter(out, found.set, version, collection.options);
      write(found.feature, namespaces(collection, version, 'feature'));
      return out.takeAll();
    },
  };
}

/** Nested features know their own names; the others have those of the type. */
function featureWriter(
  out: TextWriter,
  set: FeatureSet,
  version: GmlVersion,
  { hasFeatureBounds = false }: EncodingOptions,
): WriteFeature {
  const begin = hasFeatureBounds ? (feature: Feature) => writeBoundsOf(out, feature, set.crs, version) : undefined;
  const simple = simpleFeatureWriter(out, set, gmlForm(version, set.crs), begin);
  const complex = complexFeatureWriter(out, set.crs, version);
  return (feature: Feature, declarations) => {
    if (feature.content === undefined) simple(feature, declarations);
    else complex(feature.content, declarations, feature.id);
  };
}

/** The box around the geometries of a feature; nothing for one that has none. */
function writeBoundsOf(out: TextWriter, { values }: Feature, crs: WrittenCrs, version: GmlVersion): void {
  const bounds = values
    .flatMap((value) => writtenGeometry(value) ?? [])
    .map(geometryBounds)
    .reduce(unionBounds, undefined);
  if (bounds === undefined) return;
  if (version === '2.1.2') writeBox(out, bounds, crs);
  else writeEnvelope(out, 'gml', bounds, crs);
}

/** All the declarations of a document, and where its schemas are. */
function namespaces(
  { sets, schemaLocations }: FeatureCollection,
  version: GmlVersion,
  root: 'collection' | 'feature',
): string {
  const { gml, gmlSchema, wfs, wfsSchema } = vocabularies[version];
  const isCollection = root === 'collection';
  const types = new Map(sets.map(({ typeName }) => [xmlPrefix(typeName.prefix), typeName.uri]));
  const prefixes = [
    ...(isCollection ? [['wfs', wfs] as const] : []),
    ['gml', gml] as const,
    ['xsi', XSI] as const,
    ...types,
  ];
  const standard = isCollection ? { uri: wfs, location: wfsSchema } : { uri: gml, location: gmlSchema };
  const locations = [standard, ...schemaLocations].map(({ uri, location }) => `${uri} ${location}`);
  return [
    ...prefixes.map(([prefix, uri]) => ` xmlns:${prefix}="${escapeAttribute(uri)}"`),
    ` xsi:schemaLocation="${escapeAttribute(locations.join(' '))}"`,
  ].join('');
}

/** Versions 1.0.0 and 1.1.0 put the features of all queries into one collection. */
function oneCollection(version: '2.1.2' | '3.1.1'): (collection: FeatureCollection) => TextDocument {
  return (collection) => {
    const { options } = collection;
    const isTogether = version === '3.1.1' && options.hasMemberEach !== true;
    return {
      begin: (out) => {
        const { sets, timeStamp } = collection;
        const [first] = sets;
        const count = sumOf(sets, ({ numberReturned }) => numberReturned);
        const counts =
          version === '2.1.2'
            ? ''
            : `${count === undefined ? '' : ` numberOfFeatures="${count}"`} timeStamp="${timeStamp.toISOString()}"`;
        out.raw(`${XML}<wfs:FeatureCollection${counts}${namespaces(collection, version, 'collection')}>`);
        const bounds = sets.length === 1 ? first?.bounds : undefined;
        if (version === '2.1.2') writeBox(out, bounds, first?.crs);
        else if (bounds !== undefined) writeEnvelope(out, 'gml', bounds, first?.crs);
        if (isTogether) out.raw('<gml:featureMembers>');
      },
      beginSet: (out, set) => {
        const write = featureWriter(out, set, version, options);
        if (isTogether) return (feature) => write(feature, '');
        return (feature) => {
          out.raw('<gml:featureMember>');
          write(feature, '');
          out.raw('</gml:featureMember>');
        };
      },
      end: (out) => out.raw(`${isTogether ? '</gml:featureMembers>' : ''}</wfs:FeatureCollection>`),
    };
  };
}

/** In version 2.0.0 each of several queries has a collection of its own within the outer one. */
function collectionOfMembers(collection: FeatureCollection): TextDocument {
  const { sets, timeStamp } = collection;
  const isNested = sets.length > 1;
  const counts = (matched: number | undefined, returned: number | undefined): string =>
    [
      ` timeStamp="${timeStamp.toISOString()}" numberMatched="${matched ?? 'unknown'}"`,
      returned === undefined ? '' : ` numberReturned="${returned}"`,
    ].join('');
  return {
    begin: (out) => {
      const links = collection.links();
      const paging = (['next', 'previous'] as const)
        .map(
          (rel) =>
            [rel, links.find((link) => link.rel === rel || (rel === 'previous' && link.rel === 'prev'))] as const,
        )
        .map(([rel, link]) => (link === undefined ? '' : ` ${rel}="${escapeAttribute(link.href)}"`));
      const matched = sumOf(sets, ({ numberMatched }) => numberMatched);
      const returned = sumOf(sets, ({ numberReturned }) => numberReturned);
      out.raw(
        `${XML}<wfs:FeatureCollection${counts(matched, returned)}${paging.join('')}${namespaces(collection, '3.2.1', 'collection')}>`,
      );
    },
    beginSet: (out, set) => {
      if (isNested) out.raw(`<wfs:member><wfs:FeatureCollection${counts(set.numberMatched, set.numberReturned)}>`);
      if (set.bounds !== undefined) writeEnvelope(out, 'wfs', set.bounds, set.crs);
      const write = featureWriter(out, set, '3.2.1', collection.options);
      return (feature) => {
        out.raw('<wfs:member>');
        write(feature, '');
        out.raw('</wfs:member>');
      };
    },
    endSet: (out) => {
      if (isNested) out.raw('</wfs:FeatureCollection></wfs:member>');
    },
    end: (out) => out.raw('</wfs:FeatureCollection>'),
  };
}

/** Undefined where one of them is not known. */
function sumOf(sets: readonly FeatureSet[], countOf: (set: FeatureSet) => number | undefined): number | undefined {
  return sets
    .map(countOf)
    .reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}

function writeBox(out: TextWriter, bounds: Bounds | undefined, crs: WrittenCrs | undefined): void {
  if (bounds === undefined || crs === undefined) {
    out.raw('<gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>');
    return;
  }
  const { srsName } = gmlForm('2.1.2', crs);
  out.raw(`<gml:boundedBy><gml:Box${srsName}><gml:coordinates decimal="." cs="," ts=" ">`);
  writeCorners(out, bounds, crs, ',', ' ');
  out.raw('</gml:coordinates></gml:Box></gml:boundedBy>');
}

function writeEnvelope(out: TextWriter, prefix: 'gml' | 'wfs', bounds: Bounds, crs: WrittenCrs | undefined): void {
  if (crs === undefined) return;
  const { srsName } = gmlForm('3.2.1', crs);
  out.raw(`<${prefix}:boundedBy><gml:Envelope${srsName}><gml:lowerCorner>`);
  writeCorners(out, bounds, crs, ' ', '</gml:lowerCorner><gml:upperCorner>');
  out.raw(`</gml:upperCorner></gml:Envelope></${prefix}:boundedBy>`);
}

function writeCorners(
  out: TextWriter,
  { minX, minY, maxX, maxY }: Bounds,
  { isNorthFirst }: WrittenCrs,
  within: string,
  between: string,
): void {
  out.number(isNorthFirst ? minY : minX);
  out.raw(within);
  out.number(isNorthFirst ? minX : minY);
  out.raw(between);
  out.number(isNorthFirst ? maxY : maxX);
  out.raw(within);
  out.number(isNorthFirst ? maxX : maxY);
}
