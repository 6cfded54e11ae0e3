/** Writes geometries: GML 2 for SLD 1.0.0, GML 3 for SLD 1.1.0. */
import type { GeometryLiteral, MultiGeometryLiteral, Position } from '../../../filter/model/geometry-literal.ts';
import { createElement, createTextElement, type OutputElement } from './output.ts';
import type { SldWriteContext } from './write-context.ts';

type MultiType = MultiGeometryLiteral['type'];

const gml2Multi: Readonly<Record<MultiType, readonly [string, string]>> = {
  MultiPoint: ['gml:MultiPoint', 'gml:pointMember'],
  MultiLineString: ['gml:MultiLineString', 'gml:lineStringMember'],
  MultiPolygon: ['gml:MultiPolygon', 'gml:polygonMember'],
  GeometryCollection: ['gml:MultiGeometry', 'gml:geometryMember'],
};

const gml3Multi: typeof gml2Multi = {
  ...gml2Multi,
  MultiLineString: ['gml:MultiCurve', 'gml:curveMember'],
  MultiPolygon: ['gml:MultiSurface', 'gml:surfaceMember'],
};

export function writeGeometry(writing: SldWriteContext, geometry: GeometryLiteral): OutputElement {
  const { srsName } = geometry;
  const isGml3 = writing.isSymbologyEncoding;
  switch (geometry.type) {
    case 'Point':
      return createElement('gml:Point', [writePosition(writing, geometry.coordinates)], { srsName });
    case 'LineString':
      return createElement('gml:LineString', [writePositions(writing, geometry.coordinates)], { srsName });
    case 'Polygon': {
      const rings = geometry.coordinates.map((ring, index) =>
        createElement(getBoundaryName(isGml3, index === 0), [
          createElement('gml:LinearRing', [writePositions(writing, ring)]),
        ]),
      );
      return createElement('gml:Polygon', rings, { srsName });
    }
    case 'Envelope': {
      const [lower, upper] = geometry.coordinates;
      return isGml3
        ? createElement(
            'gml:Envelope',
            [
              createTextElement('gml:lowerCorner', lower.join(' ')),
              createTextElement('gml:upperCorner', upper.join(' ')),
            ],
            { srsName },
          )
        : createElement('gml:Box', [writePositions(writing, geometry.coordinates)], { srsName });
    }
    default: {
      const [name, member] = (isGml3 ? gml3Multi : gml2Multi)[geometry.type];
      const members = geometry.members.map((each) => createElement(member, [writeGeometry(writing, each)]));
      return createElement(name, members, { srsName });
    }
  }
}

function getBoundaryName(isGml3: boolean, isOuter: boolean): string {
  if (isGml3) return isOuter ? 'gml:exterior' : 'gml:interior';
  return isOuter ? 'gml:outerBoundaryIs' : 'gml:innerBoundaryIs';
}

function writePosition(writing: SldWriteContext, position: Position): OutputElement {
  return writing.isSymbologyEncoding
    ? createTextElement('gml:pos', position.join(' '))
    : createTextElement('gml:coordinates', position.join(','));
}

function writePositions(writing: SldWriteContext, positions: readonly Position[]): OutputElement {
  if (!writing.isSymbologyEncoding)
    return createTextElement('gml:coordinates', positions.map((position) => position.join(',')).join(' '));
  const srsDimension = positions[0]?.length === 3 ? '3' : undefined;
  return createTextElement('gml:posList', positions.flat().join(' '), { srsDimension });
}
