/** GML 2.1.2, 3.1.1 and 3.2.1 encoders, with the collections of WFS 1.0.0, 1.1.0 and 2.0.0. */

import type { Bounds } from '../../crs/bounds.ts';
import { computeGeometryBounds, mergeBounds } from '../../geometry/geometry-bounds.ts';
import { type GmlVersion, vocabularies, XSI } from '../../geometry/gml/version.ts';
import { escapeAttribute } from '../../lib/xml/escape.ts';
import type { Feature } from '../../vector/port/port.ts';
import type {
  EncodingOptions,
  FeatureCollection,
  FeatureEncoder,
  FeatureSet,
  TupleMember,
  WrittenCrs,
} from '../port/port.ts';
import { findFirstFeature, type TextDocument, writeDocument } from '../writing/text-document.ts';
import { TextWriter } from '../writing/text-writer.ts';
import { toWritableGeometry } from '../writing/writable-geometry.ts';
import { createComplexFeatureWriter } from './complex-feature-gml.ts';
import { createGmlForm } from './geometry-gml.ts';
import { createSimpleFeatureWriter, type WriteFeature } from './simple-feature.ts';
import { toXmlPrefix } from './xml-names.ts';

export const gml2: FeatureEncoder = createEncoder('2.1.2', createSingleCollection('2.1.2'));
export const gml31: FeatureEncoder = createEncoder('3.1.1', createSingleCollection('3.1.1'));
export const gml32: FeatureEncoder = createEncoder('3.2.1', createMemberCollection);

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

function createEncoder(version: GmlVersion, document: (collection: FeatureCollection) => TextDocument): FeatureEncoder {
  return {
    encode: (collection, signal) => writeDocument(document(collection), collection, signal),
    encodeFeature: async (collection, signal) => {
      const found = await findFirstFeature(collection, signal);
      if (found === undefined) return undefined;
      const out = new TextWriter(collection.options.decimals);
      out.writeRaw(XML);
      const write = createFeatureWriter(out, found.set, version, collection.options);
      write(found.feature, writeNamespaces(collection, version, 'feature'));
      return out.flushAll();
    },
  };
}

/** Nested features contain their own names; other features have those of the type. */
function createFeatureWriter(
  out: TextWriter,
  set: Pick<FeatureSet, 'typeName' | 'description' | 'crs'>,
  version: GmlVersion,
  { hasFeatureBounds = false }: EncodingOptions,
): WriteFeature {
  const begin = hasFeatureBounds ? (feature: Feature) => writeFeatureBounds(out, feature, set.crs, version) : undefined;
  const simple = createSimpleFeatureWriter(out, set, createGmlForm(version, set.crs), begin);
  const complex = createComplexFeatureWriter(out, set.crs, version);
  return (feature: Feature, declarations) => {
    if (feature.content === undefined) simple(feature, declarations);
    else complex(feature.content, declarations, feature.id);
  };
}

/** Writes a feature of each type of a join. A feature of several rows is repeated, because clients do not follow links. */
function createTupleWriter(out: TextWriter, tuple: readonly TupleMember[], options: EncodingOptions): WriteFeature {
  const members = tuple.map((member) => ({
    start: member.start,
    end: member.start + 1 + member.description.attributes.length,
    write: createFeatureWriter(out, member, '3.2.1', options),
  }));
  return ({ values }) => {
    out.writeRaw('<wfs:Tuple>');
    for (const { start, end, write } of members) {
      out.writeRaw('<wfs:member>');
      write({ id: String(values[start]), values: values.slice(start + 1, end) }, '');
      out.writeRaw('</wfs:member>');
    }
    out.writeRaw('</wfs:Tuple>');
  };
}

/** Writes the bounds of a feature, if it has a geometry. */
function writeFeatureBounds(out: TextWriter, { values }: Feature, crs: WrittenCrs, version: GmlVersion): void {
  const bounds = values
    .flatMap((value) => toWritableGeometry(value) ?? [])
    .map(computeGeometryBounds)
    .reduce(mergeBounds, undefined);
  if (bounds === undefined) return;
  if (version === '2.1.2') writeBox(out, bounds, crs);
  else writeEnvelope(out, 'gml', bounds, crs);
}

/** Writes the namespace declarations and schema locations of a document. */
function writeNamespaces(
  { sets, schemaLocations }: FeatureCollection,
  version: GmlVersion,
  root: 'collection' | 'feature',
): string {
  const { gml, gmlSchema, wfs, wfsSchema } = vocabularies[version];
  const isCollection = root === 'collection';
  const types = new Map(
    sets
      .flatMap(({ typeName, tuple }) => tuple?.map((member) => member.typeName) ?? [typeName])
      .map(({ prefix, uri }) => [toXmlPrefix(prefix), uri] as const),
  );
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

/** WFS 1.0.0 and 1.1.0 put the features of all queries into one collection. */
function createSingleCollection(version: '2.1.2' | '3.1.1'): (collection: FeatureCollection) => TextDocument {
  return (collection) => {
    const { options } = collection;
    const isTogether = version === '3.1.1' && options.hasMemberEach !== true;
    return {
      begin: (out) => {
        const { sets, timeStamp } = collection;
        const [first] = sets;
        const count = sumCounts(sets, ({ numberReturned }) => numberReturned);
        const counts =
          version === '2.1.2'
            ? ''
            : `${count === undefined ? '' : ` numberOfFeatures="${count}"`} timeStamp="${timeStamp.toISOString()}"`;
        out.writeRaw(
          `${XML}<wfs:FeatureCollection${counts}${writeLock(collection)}${writeNamespaces(collection, version, 'collection')}>`,
        );
        const bounds = sets.length === 1 ? first?.bounds : undefined;
        if (version === '2.1.2') writeBox(out, bounds, first?.crs);
        else if (bounds !== undefined) writeEnvelope(out, 'gml', bounds, first?.crs);
        if (isTogether) out.writeRaw('<gml:featureMembers>');
      },
      beginSet: (out, set) => {
        const write = createFeatureWriter(out, set, version, options);
        if (isTogether) return (feature) => write(feature, '');
        return (feature) => {
          out.writeRaw('<gml:featureMember>');
          write(feature, '');
          out.writeRaw('</gml:featureMember>');
        };
      },
      end: (out) => out.writeRaw(`${isTogether ? '</gml:featureMembers>' : ''}</wfs:FeatureCollection>`),
    };
  };
}

/** The id of the lock of the features. */
function writeLock({ options }: FeatureCollection): string {
  return options.lockId === undefined ? '' : ` lockId="${escapeAttribute(options.lockId)}"`;
}

/** WFS 2.0.0 nests a collection per query. */
function createMemberCollection(collection: FeatureCollection): TextDocument {
  const { sets, timeStamp } = collection;
  const isNested = sets.length > 1;
  const formatCounts = (matched: number | undefined, returned: number | undefined): string =>
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
      const matched = sumCounts(sets, ({ numberMatched }) => numberMatched);
      const returned = sumCounts(sets, ({ numberReturned }) => numberReturned);
      out.writeRaw(
        `${XML}<wfs:FeatureCollection${formatCounts(matched, returned)}${paging.join('')}${writeLock(collection)}${writeNamespaces(collection, '3.2.1', 'collection')}>`,
      );
    },
    beginSet: (out, set) => {
      if (isNested)
        out.writeRaw(`<wfs:member><wfs:FeatureCollection${formatCounts(set.numberMatched, set.numberReturned)}>`);
      if (set.bounds !== undefined) writeEnvelope(out, 'wfs', set.bounds, set.crs);
      const write =
        set.tuple === undefined
          ? createFeatureWriter(out, set, '3.2.1', collection.options)
          : createTupleWriter(out, set.tuple, collection.options);
      return (feature) => {
        out.writeRaw('<wfs:member>');
        write(feature, '');
        out.writeRaw('</wfs:member>');
      };
    },
    endSet: (out) => {
      if (isNested) out.writeRaw('</wfs:FeatureCollection></wfs:member>');
    },
    end: (out) => out.writeRaw('</wfs:FeatureCollection>'),
  };
}

/** Returns undefined if a count is unknown. */
function sumCounts(sets: readonly FeatureSet[], getCount: (set: FeatureSet) => number | undefined): number | undefined {
  return sets
    .map(getCount)
    .reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}

function writeBox(out: TextWriter, bounds: Bounds | undefined, crs: WrittenCrs | undefined): void {
  if (bounds === undefined || crs === undefined) {
    out.writeRaw('<gml:boundedBy><gml:null>unknown</gml:null></gml:boundedBy>');
    return;
  }
  const { srsName } = createGmlForm('2.1.2', crs);
  out.writeRaw(`<gml:boundedBy><gml:Box${srsName}><gml:coordinates decimal="." cs="," ts=" ">`);
  writeCorners(out, bounds, crs, { within: ',', between: ' ' });
  out.writeRaw('</gml:coordinates></gml:Box></gml:boundedBy>');
}

function writeEnvelope(out: TextWriter, prefix: 'gml' | 'wfs', bounds: Bounds, crs: WrittenCrs | undefined): void {
  if (crs === undefined) return;
  const { srsName } = createGmlForm('3.2.1', crs);
  out.writeRaw(`<${prefix}:boundedBy><gml:Envelope${srsName}><gml:lowerCorner>`);
  writeCorners(out, bounds, crs, { within: ' ', between: '</gml:lowerCorner><gml:upperCorner>' });
  out.writeRaw(`</gml:upperCorner></gml:Envelope></${prefix}:boundedBy>`);
}

function writeCorners(
  out: TextWriter,
  { minX, minY, maxX, maxY }: Bounds,
  { isNorthFirst }: WrittenCrs,
  { within, between }: { readonly within: string; readonly between: string },
): void {
  out.writeNumber(isNorthFirst ? minY : minX);
  out.writeRaw(within);
  out.writeNumber(isNorthFirst ? minX : minY);
  out.writeRaw(between);
  out.writeNumber(isNorthFirst ? maxY : maxX);
  out.writeRaw(within);
  out.writeNumber(isNorthFirst ? maxX : maxY);
}
