import { describe, expect, test } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import { readJson } from '../../lib/json/reader.ts';
import type { Expression } from '../model/expression.ts';
import type { Constant, Filter } from '../model/filter.ts';
import type { GeometryLiteral } from '../model/geometry-literal.ts';
import { createLiteral } from '../model/literal.ts';
import { readCql2Json, readCql2Text } from './cql2.ts';

const readFromJson = (json: unknown) =>
  readCql2Json(readJson(JSON.stringify(json), { maxDepth: 100, maxNodes: 10_000 }));

const call = (name: string, ...inputs: Expression[]): Expression => ({ kind: 'function', name, arguments: inputs });
const compared = (left: Expression, right: Expression): Filter => ({
  kind: 'comparison',
  operator: 'equal',
  left,
  right,
});
const like = (value: Expression, pattern: string): Filter => ({
  kind: 'like',
  value,
  pattern,
  wildCard: '%',
  singleCharacter: '_',
  escape: '\\',
});
const a = property('a');
const b = property('b');
const [jsonA, jsonB] = [{ property: 'a' }, { property: 'b' }];
const op = (name: string, ...args: unknown[]) => ({ op: name, args });
const point: GeometryLiteral = { kind: 'geometry', type: 'Point', coordinates: [1, -2] };
const period = { kind: 'period' as const, start: '2020-01-01', end: '2020-02-01T00:00:00Z' };
const interval = { interval: ['2020-01-01', '2020-02-01T00:00:00Z'] };
const intervalText = "INTERVAL('2020-01-01', '2020-02-01T00:00:00Z')";

describe('CQL2', () => {
  test.each<[string, unknown, Filter | Constant]>([
    ['a = 1', op('=', jsonA, 1), compared(a, createLiteral(1))],
    ['a <> -1.5', op('<>', jsonA, -1.5), { ...compared(a, createLiteral('-1.5')), operator: 'notEqual' } as Filter],
    [
      '"the ""a""" >= TRUE',
      op('>=', { property: 'the "a"' }, true),
      {
        kind: 'comparison',
        operator: 'greaterOrEqual',
        left: property('the "a"'),
        right: createLiteral('true'),
      },
    ],
    [
      "a < 'it''s'",
      op('<', jsonA, "it's"),
      { kind: 'comparison', operator: 'less', left: a, right: createLiteral("it's") },
    ],
    ["a = 'it\\'s'", op('=', jsonA, "it's"), compared(a, createLiteral("it's"))],
    ['TRUE', true, { kind: 'include' }],
    ['NOT TRUE', op('not', true), { kind: 'exclude' }],
    [
      'a = 1 AND NOT (b = 2 OR a IS NULL)',
      op('and', op('=', jsonA, 1), op('not', op('or', op('=', jsonB, 2), op('isNull', jsonA)))),
      {
        kind: 'and',
        filters: [
          compared(a, createLiteral(1)),
          {
            kind: 'not',
            filter: { kind: 'or', filters: [compared(b, createLiteral(2)), { kind: 'isNull', value: a }] },
          },
        ],
      },
    ],
    ['a IS NOT NULL', op('not', op('isNull', jsonA)), { kind: 'not', filter: { kind: 'isNull', value: a } }],
    ["a LIKE 'x\\%%'", op('like', jsonA, 'x\\%%'), like(a, 'x\\%%')],
    ["a NOT LIKE '_'", op('not', op('like', jsonA, '_')), { kind: 'not', filter: like(a, '_') }],
    [
      'a BETWEEN 1 AND 2',
      op('between', jsonA, 1, 2),
      { kind: 'between', value: a, lower: createLiteral(1), upper: createLiteral(2) },
    ],
    [
      "a NOT IN ('x', 'y')",
      op('not', op('in', jsonA, ['x', 'y'])),
      {
        kind: 'not',
        filter: { kind: 'membership', value: a, list: [createLiteral('x'), createLiteral('y')] },
      },
    ],
    [
      "CASEI(a) = CASEI('X')",
      op('=', op('casei', jsonA), op('casei', 'X')),
      { ...compared(a, createLiteral('X')), matchCase: false } as Filter,
    ],
    [
      "CASEI(a) = CASEI('X')",
      op('=', { casei: jsonA }, { casei: 'X' }),
      { ...compared(a, createLiteral('X')), matchCase: false } as Filter,
    ],
    ["CASEI(a) = 'x'", op('=', op('casei', jsonA), 'x'), compared(call('casei', a), createLiteral('x'))],
    [
      "CASEI(a) LIKE CASEI('X%')",
      op('like', op('casei', jsonA), op('casei', 'X%')),
      { ...like(a, 'X%'), matchCase: false } as Filter,
    ],
    [
      "CASEI(a) IN (CASEI('X'), CASEI('y'))",
      op('in', op('casei', jsonA), [op('casei', 'X'), op('casei', 'y')]),
      {
        kind: 'membership',
        value: call('casei', a),
        list: [createLiteral('x'), createLiteral('y')],
      },
    ],
    [
      "ACCENTI(a) = ACCENTI('Épée')",
      op('=', op('accenti', jsonA), op('accenti', 'Épée')),
      compared(call('strStripAccents', a), createLiteral('Epee')),
    ],
    [
      "CASEI(ACCENTI(a)) LIKE ACCENTI(CASEI('É%'))",
      op('like', op('casei', op('accenti', jsonA)), op('accenti', op('casei', 'É%'))),
      {
        ...like(call('strStripAccents', a), 'E%'),
        matchCase: false,
      } as Filter,
    ],
    [
      'a + 2 * b = 1',
      op('=', op('+', jsonA, op('*', 2, jsonB)), 1),
      compared(
        {
          kind: 'arithmetic',
          operator: 'add',
          left: a,
          right: { kind: 'arithmetic', operator: 'multiply', left: createLiteral(2), right: b },
        },
        createLiteral(1),
      ),
    ],
    [
      'a ^ 2 ^ 3 % 4 = b div 2',
      op('=', op('%', op('^', jsonA, op('^', 2, 3)), 4), op('div', jsonB, 2)),
      compared(
        call('modulo', call('pow', a, call('pow', createLiteral(2), createLiteral(3))), createLiteral(4)),
        call('div', b, createLiteral(2)),
      ),
    ],
    ['strLength(a) = 3', op('=', op('strLength', jsonA), 3), compared(call('strLength', a), createLiteral(3))],
    [
      "strStartsWith(a, 'x')",
      { function: { name: 'strStartsWith', args: [jsonA, 'x'] } },
      compared(call('strStartsWith', a, createLiteral('x')), createLiteral('true')),
    ],
    [
      "a > DATE('2020-01-01')",
      op('>', jsonA, { date: '2020-01-01' }),
      { kind: 'comparison', operator: 'greater', left: a, right: createLiteral('2020-01-01') },
    ],
    [
      "T_AFTER(a, TIMESTAMP('2020-01-01T00:00:00Z'))",
      op('t_after', jsonA, { timestamp: '2020-01-01T00:00:00Z' }),
      { kind: 'temporal', operator: 'after', value: a, time: createLiteral('2020-01-01T00:00:00Z') },
    ],
    [
      `T_DURING(a, ${intervalText})`,
      op('t_during', jsonA, interval),
      { kind: 'temporal', operator: 'during', value: a, time: period },
    ],
    [
      `T_FINISHEDBY(INTERVAL(a, '..'), ${intervalText})`,
      op('t_finishedBy', { interval: [jsonA, '..'] }, interval),
      {
        kind: 'temporal',
        operator: 'finishedBy',
        value: { kind: 'period', start: { kind: 'property', name: 'a' }, end: '..' },
        time: period,
      },
    ],
    [
      'S_INTERSECTS(a, POINT(1 -2))',
      op('s_intersects', jsonA, { type: 'Point', coordinates: [1, -2] }),
      { kind: 'spatial', operator: 'intersects', left: a, right: point },
    ],
    [
      'S_WITHIN(a, BBOX(1, 2, 3, 4))',
      op('s_within', jsonA, { bbox: [1, 2, 3, 4] }),
      {
        kind: 'spatial',
        operator: 'within',
        left: a,
        right: {
          kind: 'geometry',
          type: 'Envelope',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      },
    ],
    [
      'S_CONTAINS(a, BBOX(1, 2, 0, 3, 4, 9))',
      op('s_contains', jsonA, { bbox: [1, 2, 0, 3, 4, 9] }),
      {
        kind: 'spatial',
        operator: 'contains',
        left: a,
        right: {
          kind: 'geometry',
          type: 'Envelope',
          coordinates: [
            [1, 2, 0],
            [3, 4, 9],
          ],
        },
      },
    ],
    [
      'S_EQUALS(GEOMETRYCOLLECTION(POINT(1 -2), MULTIPOINT(1 -2)), a)',
      op(
        's_equals',
        {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Point', coordinates: [1, -2] },
            { type: 'MultiPoint', coordinates: [[1, -2]] },
          ],
        },
        jsonA,
      ),
      {
        kind: 'spatial',
        operator: 'equals',
        left: {
          kind: 'geometry',
          type: 'GeometryCollection',
          members: [point, { kind: 'geometry', type: 'MultiPoint', members: [point] }],
        },
        right: a,
      },
    ],
  ])('reads %s in text and in JSON', (text, json, expected) => {
    const [fromText, fromJson] = [readCql2Text(text), readFromJson(json)];

    expect(fromText).toMatchObject({ kind: 'read' });
    expect(fromText.kind === 'read' && fromText.filter).toEqual(expected);
    expect(fromJson.kind === 'read' && fromJson.filter).toEqual(expected);
  });

  test.each([
    ['', 'line 1, column 1', 'a value or a condition was expected, but the end was found'],
    ['a', 'line 1, column 1', 'a condition such as a = 1 was expected, but a value was found'],
    ['a = (b = 1)', 'line 1, column 8', 'a value was expected, but a condition was found'],
    ['a =\n= 1', 'line 2, column 1', "a value or a condition was expected, but '=' was found"],
    ['a NOT = 1', 'line 1, column 7', "LIKE, IN or BETWEEN was expected, but '=' was found"],
    ["A_CONTAINS(a, ['x'])", 'line 1, column 1', "'A_CONTAINS' compares lists, but no attribute contains lists"],
    ['a LIKE b', 'line 1, column 8', "a pattern such as 'A%' was expected"],
    ['a IN ()', 'line 1, column 6', 'the list is empty'],
    ["a > DATE('2020-02-30')", 'line 1, column 10', "invalid date '2020-02-30'; expected a value such as '2020-12-31'"],
    [
      "a > TIMESTAMP('2020-02-01')",
      'line 1, column 15',
      "invalid timestamp '2020-02-01'; expected a value such as '2020-12-31T12:00:00Z'",
    ],
    [
      "T_AFTER(a, INTERVAL('2021-01-01', '2020-01-01'))",
      'line 1, column 12',
      'the end of the interval is before its start',
    ],
    [
      "T_AFTER(a, INTERVAL('2021-01-01'))",
      'line 1, column 12',
      'an interval must have a start and an end, but 1 was found',
    ],
    ['a = INTERVAL(a, b)', 'line 1, column 5', 'a value was expected, but an interval was found'],
    [
      'S_WITHIN(a, BBOX(1, 2, 3))',
      'line 1, column 17',
      'BBOX requires four numbers (west, south, east, north), or six with heights',
    ],
    ['S_WITHIN(a)', 'line 1, column 1', "'S_WITHIN' requires 2 operands, but 1 was found"],
    ["a = 'x", 'line 1, column 5', "the string has no closing '"],
    ['('.repeat(101), 'line 1, column 102', 'brackets and functions are nested more than 100 levels deep'],
    ['1'.repeat(500_001), 'line 1, column 1', 'the text exceeds 500000 characters'],
  ])('rejects invalid CQL2 text with its position: %.60s', (text, where, message) => {
    expect(readCql2Text(text)).toEqual({ kind: 'refused', where, message });
  });

  test.each([
    [null, '$', "null is not allowed as a value; use the operation 'isNull'"],
    [
      {},
      '$',
      "an object with 'op', 'property', 'date', 'timestamp', 'interval' or 'bbox', or a geometry, was expected, but an empty object was found",
    ],
    [op('and', true), '$', "'and' requires 2 operands, but 1 was found"],
    [
      op('and', true, op('=', jsonA, { prop: 'b' })),
      '$.args[1].args[1]',
      "an object with 'op', 'property', 'date', 'timestamp', 'interval' or 'bbox', or a geometry, was expected, but an object with 'prop' was found",
    ],
    [{ op: 1, args: [] }, '$.op', 'a string was expected'],
    [{ op: 'and', args: {} }, '$.args', 'a list was expected'],
    [op('a_contains', jsonA, ['x']), '$', "'a_contains' compares lists, but no attribute contains lists"],
    [op('in', jsonA, 'x'), '$.args[1]', 'a list of values was expected'],
    [op('=', jsonA, ['x']), '$.args[1]', 'a value was expected, but a list was found'],
    [
      op('s_within', jsonA, { type: 'Point', coordinates: [1] }),
      '$.args[1].coordinates',
      'a position must have two or three numbers, but 1 was found',
    ],
    [
      op('s_within', jsonA, { type: 'Circle' }),
      '$.args[1].type',
      "'Circle' is not a geometry type such as Point, LineString or Polygon",
    ],
    [
      op('s_within', jsonA, {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      }),
      '$.args[1].coordinates[0]',
      'the first and the last position of a ring must be equal',
    ],
    [op('s_within', jsonA, { bbox: [1, 2, 3, 'x'] }), '$.args[1].bbox[3]', 'a number was expected'],
    [
      op('t_after', jsonA, { interval: ['yesterday', '..'] }),
      '$.args[1].interval[0]',
      "invalid date or timestamp 'yesterday'",
    ],
  ])('rejects invalid CQL2 JSON with its path: %j', (json, where, message) => {
    expect(readFromJson(json)).toEqual({ kind: 'refused', where, message });
  });
});
