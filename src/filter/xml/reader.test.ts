import { describe, expect, test } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import { readXml } from '../../lib/xml/reader.ts';
import type { Filter } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { readXmlFilter } from './reader.ts';

const namespaces = {
  '1.0': 'xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '1.1': 'xmlns="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml"',
  '2.0': 'xmlns="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"',
};
type Version = keyof typeof namespaces;

const outcomeOf = (inner: string, version: Version = '2.0') =>
  readXmlFilter(readXml(`<Filter ${namespaces[version]}>${inner}</Filter>`, { maxDepth: 100, maxNodes: 10_000 }));

function read(inner: string, version?: Version): unknown {
  const outcome = outcomeOf(inner, version);
  if (outcome.kind === 'refused') throw new Error(`${outcome.where}: ${outcome.message}`);
  return outcome.filter;
}

const a = '<ValueReference>a</ValueReference>';
const g = '<ValueReference>g</ValueReference>';
const literalOf = (text: string) => `<Literal>${text}</Literal>`;
const point = { kind: 'geometry', type: 'Point', coordinates: [1, 2] };

describe('valid Filter Encoding documents', () => {
  test.each<[string, string, Filter]>([
    [
      'a comparison that ignores case',
      `<PropertyIsEqualTo matchCase="false" matchAction="Any">${a}${literalOf('x')}</PropertyIsEqualTo>`,
      { kind: 'comparison', operator: 'equal', left: property('a'), right: createLiteral('x'), matchCase: false },
    ],
    [
      'a literal before the name',
      `<PropertyIsLessThan>${literalOf('1')}<PropertyName>svc:a</PropertyName></PropertyIsLessThan>`,
      { kind: 'comparison', operator: 'less', left: createLiteral('1'), right: property('svc:a') },
    ],
    [
      'a pattern with custom wildcards',
      `<PropertyIsLike wildCard="**" singleChar="?" escapeChar="!">${a}${literalOf('x**?!*')}</PropertyIsLike>`,
      {
        kind: 'like',
        value: property('a'),
        pattern: 'x**?!*',
        wildCard: '**',
        singleCharacter: '?',
        escape: '!',
      },
    ],
    ['a test for null', `<PropertyIsNull>${a}</PropertyIsNull>`, { kind: 'isNull', value: property('a') }],
    [
      'a test for nil',
      `<PropertyIsNil nilReason="unknown">${a}</PropertyIsNil>`,
      { kind: 'isNull', value: property('a') },
    ],
    [
      'a range',
      `<PropertyIsBetween>${a}<LowerBoundary>${literalOf('1')}</LowerBoundary><UpperBoundary>${literalOf('2')}</UpperBoundary></PropertyIsBetween>`,
      { kind: 'between', value: property('a'), lower: createLiteral(1), upper: createLiteral(2) },
    ],
    [
      'feature identifiers',
      '<ResourceId rid="roads.1"/><ResourceId rid="roads.2"/>',
      { kind: 'identifiers', identifiers: ['roads.1', 'roads.2'] },
    ],
    [
      'joined conditions',
      `<Or><Not><PropertyIsNull>${a}</PropertyIsNull></Not><FeatureId fid="roads.1"/></Or>`,
      {
        kind: 'or',
        filters: [
          { kind: 'not', filter: { kind: 'isNull', value: property('a') } },
          { kind: 'identifiers', identifiers: ['roads.1'] },
        ],
      },
    ],
    [
      'a function',
      `<PropertyIsEqualTo><Function name="strLength">${a}</Function>${literalOf('3')}</PropertyIsEqualTo>`,
      {
        kind: 'comparison',
        operator: 'equal',
        left: { kind: 'function', name: 'strLength', arguments: [property('a')] },
        right: createLiteral(3),
      },
    ],
    [
      'a box in a literal without a geometry name',
      '<BBOX><Literal><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326"><gml:lowerCorner>1 2</gml:lowerCorner><gml:upperCorner>3 4</gml:upperCorner></gml:Envelope></Literal></BBOX>',
      {
        kind: 'boundingBox',
        bounds: {
          kind: 'geometry',
          type: 'Envelope',
          srsName: 'urn:ogc:def:crs:EPSG::4326',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      },
    ],
    [
      'a distance with a unit',
      `<DWithin>${g}<gml:Point gml:id="p"><gml:pos>1 2</gml:pos></gml:Point><Distance uom="m">10</Distance></DWithin>`,
      { kind: 'distance', operator: 'within', left: property('g'), right: point as never, distance: 10, units: 'm' },
    ],
    [
      'positions with the dimension on the geometry',
      `<Intersects>${g}<gml:Polygon srsDimension="3"><gml:exterior><gml:LinearRing><gml:posList>0 0 9 1 0 9 1 1 9 0 0 9</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></Intersects>`,
      {
        kind: 'spatial',
        operator: 'intersects',
        left: property('g'),
        right: {
          kind: 'geometry',
          type: 'Polygon',
          coordinates: [
            [
              [0, 0, 9],
              [1, 0, 9],
              [1, 1, 9],
              [0, 0, 9],
            ],
          ],
        },
      },
    ],
    [
      'a period',
      `<During>${a}<gml:TimePeriod gml:id="t"><gml:beginPosition>2020-01-01</gml:beginPosition><gml:endPosition>2020-02-01</gml:endPosition></gml:TimePeriod></During>`,
      {
        kind: 'temporal',
        operator: 'during',
        value: property('a'),
        time: { kind: 'period', start: '2020-01-01', end: '2020-02-01' },
      },
    ],
    [
      'an open-ended period of instants in a literal',
      `<AnyInteracts>${a}<Literal><gml:TimePeriod><gml:begin><gml:TimeInstant><gml:timePosition>2020-01-01</gml:timePosition></gml:TimeInstant></gml:begin><gml:endPosition indeterminatePosition="unknown"/></gml:TimePeriod></Literal></AnyInteracts>`,
      {
        kind: 'temporal',
        operator: 'intersects',
        value: property('a'),
        time: { kind: 'period', start: '2020-01-01', end: '..' },
      },
    ],
    [
      'a moment',
      `<TEquals>${a}<gml:TimeInstant><gml:timePosition>2020-01-01T00:00:00Z</gml:timePosition></gml:TimeInstant></TEquals>`,
      { kind: 'temporal', operator: 'tequals', value: property('a'), time: createLiteral('2020-01-01T00:00:00Z') },
    ],
  ])('reads %s', (_title, inner, expected) => {
    expect(read(inner)).toEqual(expected);
  });

  test('reads GML 2 geometries of Filter 1.0', () => {
    const box = '<gml:Box><gml:coordinates>1,2 3,4</gml:coordinates></gml:Box>';

    expect(read(`<BBOX><PropertyName>svc:g</PropertyName>${box}</BBOX>`, '1.0')).toMatchObject({
      kind: 'boundingBox',
      geometry: property('svc:g'),
      bounds: {
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    });
  });

  test('reads identifiers of Filter 1.1', () => {
    expect(read('<GmlObjectId gml:id="roads.1"/>', '1.1')).toEqual({ kind: 'identifiers', identifiers: ['roads.1'] });
  });

  test('reads elements without a namespace', () => {
    const text = '<Filter><PropertyIsNull><PropertyName>a</PropertyName></PropertyIsNull></Filter>';

    expect(readXmlFilter(readXml(text, { maxDepth: 10, maxNodes: 100 }))).toMatchObject({
      filter: { kind: 'isNull', value: property('a') },
    });
  });
});

describe('invalid Filter Encoding documents', () => {
  test.each([
    ['no content', '', 'Filter', 'Filter requires a condition, but none was found'],
    [
      'two adjacent conditions',
      `<PropertyIsNull>${a}</PropertyIsNull><PropertyIsNull>${a}</PropertyIsNull>`,
      'Filter/PropertyIsNull[2]',
      'Filter requires one condition, or only identifiers, but 2 were found. Join several conditions with And or Or',
    ],
    [
      'an element that is not a condition',
      `<And><PropertyIsNull>${a}</PropertyIsNull><Perhaps/></And>`,
      'Filter/And/Perhaps',
      "'Perhaps' is not expected here. Expected: a condition such as PropertyIsEqualTo, BBOX or And",
    ],
    [
      'an element that is not a value',
      `<PropertyIsEqualTo>${a}<Value>1</Value></PropertyIsEqualTo>`,
      'Filter/PropertyIsEqualTo/Value',
      "'Value' is not expected here. Expected: an expression such as PropertyName, Literal or Function",
    ],
    [
      'a comparison of one value',
      `<PropertyIsEqualTo>${a}</PropertyIsEqualTo>`,
      'Filter/PropertyIsEqualTo',
      'PropertyIsEqualTo requires 2 expressions, but 1 was found',
    ],
    [
      'And with one condition',
      `<And><PropertyIsNull>${a}</PropertyIsNull></And>`,
      'Filter/And',
      'And requires at least two conditions, but 1 was found',
    ],
    [
      'a pattern without wildcard attributes',
      `<PropertyIsLike escapeChar="!">${a}${literalOf('x')}</PropertyIsLike>`,
      'Filter/PropertyIsLike',
      "the attribute 'wildCard' is missing on PropertyIsLike",
    ],
    [
      'an unknown matchAction',
      `<PropertyIsEqualTo matchAction="Some">${a}${literalOf('x')}</PropertyIsEqualTo>`,
      'Filter/PropertyIsEqualTo',
      "matchAction is 'Some', but Any, All or One was expected",
    ],
    [
      'a version of a feature',
      '<ResourceId rid="a.1" version="FIRST"/>',
      'Filter/ResourceId',
      "the attribute 'version' selects a version of a feature, but versions are not supported",
    ],
    [
      'a period that ends before it begins',
      `<During>${a}<gml:TimePeriod><gml:beginPosition>2021-01-01</gml:beginPosition><gml:endPosition>2020-01-01</gml:endPosition></gml:TimePeriod></During>`,
      'Filter/During/TimePeriod',
      "'2021-01-01' to '2020-01-01' is not a valid period within the years 1 to 9999",
    ],
    [
      'an indeterminate moment',
      `<After>${a}<gml:TimeInstant><gml:timePosition indeterminatePosition="now"/></gml:TimeInstant></After>`,
      'Filter/After/TimeInstant/timePosition',
      "timePosition contains indeterminatePosition 'now', but a time such as 2020-01-01T00:00:00Z was expected",
    ],
    [
      'a negative distance',
      `<Beyond>${g}<gml:Point><gml:pos>1 2</gml:pos></gml:Point><Distance>-1</Distance></Beyond>`,
      'Filter/Beyond/Distance',
      "Distance is '-1', but a non-negative number was expected",
    ],
    [
      'a box without corners',
      `<BBOX>${g}</BBOX>`,
      'Filter/BBOX',
      'BBOX requires an Envelope or a Box, but none was found',
    ],
    [
      'another namespace',
      `<PropertyIsNull xmlns:x="http://example.com/">${a}<x:Literal/></PropertyIsNull>`,
      'Filter/PropertyIsNull/Literal',
      "'x:Literal' has the namespace 'http://example.com/', which is not a filter namespace",
    ],
  ])('rejects a filter with %s and returns the path', (_title, inner, path, message) => {
    const outcome = outcomeOf(inner);

    expect(outcome).toMatchObject({ kind: 'refused', message });
    expect(outcome.kind === 'refused' && outcome.where).toMatch(
      new RegExp(`^${path.replace(/[[\]]/g, '\\$&')} \\(line \\d+, column \\d+\\)$`),
    );
  });
});
