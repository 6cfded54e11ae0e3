import { describe, expect, test } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { Filter, GeometryLiteral } from '../model/model.ts';
import type { SldVersion } from './document/sld-version.ts';
import { readSld } from './reader.ts';
import { writeSld } from './writer.ts';

const a = '<ogc:PropertyName>a</ogc:PropertyName>';
const one = '<ogc:Literal>1</ogc:Literal>';

/** Filters in the model with their notation, which both versions share. */
const alike: readonly (readonly [Filter, string])[] = [
  [
    { kind: 'comparison', operator: 'equal', left: property('a'), right: createLiteral(1) },
    `<ogc:PropertyIsEqualTo>${a}${one}</ogc:PropertyIsEqualTo>`,
  ],
  [
    { kind: 'comparison', operator: 'notEqual', left: property('a'), right: createLiteral(1), matchCase: false },
    `<ogc:PropertyIsNotEqualTo matchCase="false">${a}${one}</ogc:PropertyIsNotEqualTo>`,
  ],
  [
    { kind: 'comparison', operator: 'less', left: createLiteral(1), right: property('a') },
    `<ogc:PropertyIsLessThan>${one}${a}</ogc:PropertyIsLessThan>`,
  ],
  [
    { kind: 'comparison', operator: 'lessOrEqual', left: property('a'), right: createLiteral(1) },
    `<ogc:PropertyIsLessThanOrEqualTo>${a}${one}</ogc:PropertyIsLessThanOrEqualTo>`,
  ],
  [
    { kind: 'comparison', operator: 'greater', left: property('a'), right: createLiteral(1) },
    `<ogc:PropertyIsGreaterThan>${a}${one}</ogc:PropertyIsGreaterThan>`,
  ],
  [
    {
      kind: 'comparison',
      operator: 'greaterOrEqual',
      left: {
        kind: 'arithmetic',
        operator: 'subtract',
        left: { kind: 'arithmetic', operator: 'add', left: property('a'), right: createLiteral(1) },
        right: { kind: 'arithmetic', operator: 'multiply', left: property('a'), right: createLiteral(1) },
      },
      right: { kind: 'function', name: 'env', arguments: [createLiteral(', ')] },
    },
    `<ogc:PropertyIsGreaterThanOrEqualTo><ogc:Sub><ogc:Add>${a}${one}</ogc:Add><ogc:Mul>${a}${one}</ogc:Mul></ogc:Sub>` +
      '<ogc:Function name="env"><ogc:Literal>, </ogc:Literal></ogc:Function></ogc:PropertyIsGreaterThanOrEqualTo>',
  ],
  [{ kind: 'isNull', value: property('a') }, `<ogc:PropertyIsNull>${a}</ogc:PropertyIsNull>`],
  [
    { kind: 'between', value: property('a'), lower: createLiteral(1), upper: property('b') },
    `<ogc:PropertyIsBetween>${a}<ogc:LowerBoundary>${one}</ogc:LowerBoundary>` +
      '<ogc:UpperBoundary><ogc:PropertyName>b</ogc:PropertyName></ogc:UpperBoundary></ogc:PropertyIsBetween>',
  ],
  [
    {
      kind: 'and',
      filters: [
        { kind: 'isNull', value: property('a') },
        { kind: 'not', filter: { kind: 'isNull', value: property('a') } },
      ],
    },
    `<ogc:And><ogc:PropertyIsNull>${a}</ogc:PropertyIsNull><ogc:Not><ogc:PropertyIsNull>${a}</ogc:PropertyIsNull></ogc:Not></ogc:And>`,
  ],
  [
    {
      kind: 'or',
      filters: [
        { kind: 'isNull', value: property('a') },
        { kind: 'isNull', value: createLiteral(1) },
        { kind: 'isNull', value: property('a') },
      ],
    },
    `<ogc:Or><ogc:PropertyIsNull>${a}</ogc:PropertyIsNull><ogc:PropertyIsNull>${one}</ogc:PropertyIsNull><ogc:PropertyIsNull>${a}</ogc:PropertyIsNull></ogc:Or>`,
  ],
  [
    { kind: 'not', filter: { kind: 'identifiers', identifiers: ['roads.1'] } },
    '<ogc:Not><ogc:FeatureId fid="roads.1"/></ogc:Not>',
  ],
  [
    { kind: 'identifiers', identifiers: ['roads.1', 'roads.2'] },
    '<ogc:FeatureId fid="roads.1"/><ogc:FeatureId fid="roads.2"/>',
  ],
];

/** Filters and geometries that the versions write differently: GML 2 and GML 3. */
const different: readonly (readonly [Filter, string, string])[] = [
  [
    { kind: 'like', value: property('a'), pattern: 'x*', wildCard: '*', singleCharacter: '.', escape: '!' },
    `<ogc:PropertyIsLike wildCard="*" singleChar="." escape="!">${a}<ogc:Literal>x*</ogc:Literal></ogc:PropertyIsLike>`,
    `<ogc:PropertyIsLike wildCard="*" singleChar="." escapeChar="!">${a}<ogc:Literal>x*</ogc:Literal></ogc:PropertyIsLike>`,
  ],
  [
    {
      kind: 'boundingBox',
      geometry: property('a'),
      bounds: {
        kind: 'geometry',
        type: 'Envelope',
        srsName: 'EPSG:4326',
        coordinates: [
          [1, 2],
          [3.5, -4],
        ],
      },
    },
    `<ogc:BBOX>${a}<gml:Box srsName="EPSG:4326"><gml:coordinates>1,2 3.5,-4</gml:coordinates></gml:Box></ogc:BBOX>`,
    `<ogc:BBOX>${a}<gml:Envelope srsName="EPSG:4326"><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3.5 -4</gml:upperCorner></gml:Envelope></ogc:BBOX>`,
  ],
  [
    {
      kind: 'distance',
      operator: 'beyond',
      left: property('a'),
      right: { kind: 'geometry', type: 'Point', coordinates: [1, 2, 3] },
      distance: 50,
      units: 'metre',
    },
    `<ogc:Beyond>${a}<gml:Point><gml:coordinates>1,2,3</gml:coordinates></gml:Point><ogc:Distance units="metre">50</ogc:Distance></ogc:Beyond>`,
    `<ogc:Beyond>${a}<gml:Point><gml:pos>1 2 3</gml:pos></gml:Point><ogc:Distance units="metre">50</ogc:Distance></ogc:Beyond>`,
  ],
  [
    {
      kind: 'distance',
      operator: 'within',
      left: property('a'),
      right: {
        kind: 'geometry',
        type: 'LineString',
        coordinates: [
          [0, 0, 1],
          [1, 1, 2],
        ],
      },
      distance: 0,
    },
    `<ogc:DWithin>${a}<gml:LineString><gml:coordinates>0,0,1 1,1,2</gml:coordinates></gml:LineString><ogc:Distance>0</ogc:Distance></ogc:DWithin>`,
    `<ogc:DWithin>${a}<gml:LineString><gml:posList srsDimension="3">0 0 1 1 1 2</gml:posList></gml:LineString><ogc:Distance>0</ogc:Distance></ogc:DWithin>`,
  ],
  ...(['equals', 'disjoint', 'touches', 'within', 'overlaps', 'crosses', 'intersects', 'contains'] as const).map(
    (operator): readonly [Filter, string, string] => {
      const name = `ogc:${operator.charAt(0).toUpperCase()}${operator.slice(1)}`;
      const ring = [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ];
      const polygon: GeometryLiteral = { kind: 'geometry', type: 'Polygon', coordinates: [ring, ring] };
      return [
        {
          kind: 'spatial',
          operator,
          left: property('a'),
          right: { kind: 'geometry', type: 'MultiPolygon', members: [polygon] },
        },
        `<${name}>${a}<gml:MultiPolygon><gml:polygonMember><gml:Polygon>` +
          '<gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>0,0 1,0 1,1 0,0</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs>' +
          '<gml:innerBoundaryIs><gml:LinearRing><gml:coordinates>0,0 1,0 1,1 0,0</gml:coordinates></gml:LinearRing></gml:innerBoundaryIs>' +
          `</gml:Polygon></gml:polygonMember></gml:MultiPolygon></${name}>`,
        `<${name}>${a}<gml:MultiSurface><gml:surfaceMember><gml:Polygon>` +
          '<gml:exterior><gml:LinearRing><gml:posList>0 0 1 0 1 1 0 0</gml:posList></gml:LinearRing></gml:exterior>' +
          '<gml:interior><gml:LinearRing><gml:posList>0 0 1 0 1 1 0 0</gml:posList></gml:LinearRing></gml:interior>' +
          `</gml:Polygon></gml:surfaceMember></gml:MultiSurface></${name}>`,
      ];
    },
  ),
];

const rows = [...alike.map(([filter, text]) => [filter, text, text] as const), ...different].map(
  ([filter, older, newer]) => [filter.kind, 'operator' in filter ? filter.operator : '', filter, older, newer] as const,
);

describe.each(rows)('filter: %s %s', (_, __, filter, older, newer) => {
  test.each([
    ['1.0.0', older],
    ['1.1.0', newer],
  ] as const)('is read from SLD %s and written to it', (version, text) => {
    expect(filterIn(`<ogc:Filter>${text}</ogc:Filter>`, version)).toEqual(filter);
    expect(written(filter, version)).toBe(`<ogc:Filter>${text}</ogc:Filter>`);
  });
});

describe('filters outside of the schemas are written with an equivalent meaning', () => {
  const isNull: Filter = { kind: 'isNull', value: property('a') };

  test.each([
    ['a conjunction of one condition', { kind: 'and', filters: [isNull] }, isNull],
    [
      'several identifiers beside a condition',
      { kind: 'and', filters: [isNull, { kind: 'identifiers', identifiers: ['x', 'y'] }] },
      {
        kind: 'and',
        filters: [
          isNull,
          {
            kind: 'or',
            filters: [
              { kind: 'identifiers', identifiers: ['x'] },
              { kind: 'identifiers', identifiers: ['y'] },
            ],
          },
        ],
      },
    ],
  ] as const)('writes %s', (_, filter, expected) => {
    expect(filterIn(written(filter, '1.0.0'), '1.0.0')).toEqual(expected);
  });
});

describe('filters of real documents', () => {
  test.each([
    [
      'a space after each comma in coordinates',
      '<gml:coordinates>1, 2 3, 4</gml:coordinates>',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'other separators',
      '<gml:coordinates decimal="," cs=" " ts=";">1,5 2;3 4</gml:coordinates>',
      [
        [1.5, 2],
        [3, 4],
      ],
    ],
    [
      'coord elements',
      '<gml:coord><gml:X>1</gml:X><gml:Y>2</gml:Y></gml:coord><gml:coord><gml:X>3</gml:X><gml:Y>4</gml:Y></gml:coord>',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'pos elements',
      '<gml:pos>1 2</gml:pos><gml:pos>3 4</gml:pos>',
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('read lines with %s', (_, positions, coordinates) => {
    const text = `<ogc:Filter><ogc:Crosses>${a}<gml:LineString>${positions}</gml:LineString></ogc:Crosses></ogc:Filter>`;

    expect(filterIn(text, '1.0.0')).toMatchObject({ right: { type: 'LineString', coordinates } });
  });

  test('read geometries in literals and functions', () => {
    const point = '<gml:Point><gml:coordinates>1,2</gml:coordinates></gml:Point>';
    const text = `<ogc:Filter><ogc:Contains><ogc:Literal> ${point} </ogc:Literal>
      <ogc:Function name="buffer">${point}${one}</ogc:Function></ogc:Contains></ogc:Filter>`;
    const geometry = { kind: 'geometry', type: 'Point', coordinates: [1, 2] };

    expect(filterIn(text, '1.0.0')).toMatchObject({
      left: geometry,
      right: { kind: 'function', arguments: [geometry, createLiteral(1)] },
    });
  });
});

function filterIn(text: string, version: SldVersion): unknown {
  const prefix = version === '1.0.0' ? '' : 'se:';
  const document = `<StyledLayerDescriptor version="${version}" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"
      xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
    <NamedLayer><${prefix}Name>a</${prefix}Name><LayerFeatureConstraints><FeatureTypeConstraint>
    ${text}
    </FeatureTypeConstraint></LayerFeatureConstraints></NamedLayer></StyledLayerDescriptor>`;
  return readSld(document).model.layers[0]?.featureConstraints?.[0]?.filter;
}

function written(filter: Filter, version: SldVersion): string {
  const text = writeSld(
    {
      kind: 'styledLayerDescriptor',
      layers: [{ kind: 'namedLayer', name: 'a', featureConstraints: [{ filter, extents: [] }], styles: [] }],
    },
    version,
  );
  return (/<ogc:Filter>.*<\/ogc:Filter>/s.exec(text)?.[0] ?? '').replace(/>\n */g, '>');
}
