import { afterEach, describe, expect, test, vi } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import type { Expression } from '../model/expression.ts';
import { createLiteral } from '../model/literal.ts';
import { evaluateExpression } from './expression.ts';
import type { StyleValue } from './values/style-value.ts';

const feature = { name: 'Elm Street', lanes: 4, width: '7.5', oneway: true, ref: null };

const call = (name: string, ...values: readonly (string | number | Expression)[]): Expression => ({
  kind: 'function',
  name,
  arguments: values.map((value) => (typeof value === 'object' ? value : createLiteral(value))),
});
const value = (expression: Expression): StyleValue | undefined => evaluateExpression(expression, feature);

describe('expression values', () => {
  test.each<[Expression, StyleValue | undefined]>([
    [createLiteral('0.5'), '0.5'],
    [property('lanes'), 4],
    [property('oneway'), true],
    [property('ref'), null],
    [property('nothing'), null],
    [property('constructor'), null],
    [property('roads:lanes'), 4],
    [property('road/lanes'), 4],
    [
      { kind: 'concatenation', parts: [property('name'), createLiteral(', '), property('ref'), property('lanes')] },
      'Elm Street, 4',
    ],
    [{ kind: 'geometry', type: 'Point', coordinates: [1, 2] }, undefined],
  ])('evaluates %j to %j', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });
});

describe('arithmetic', () => {
  const arithmetic = (operator: 'add' | 'subtract' | 'multiply' | 'divide', left: Expression, right: Expression) =>
    value({ kind: 'arithmetic', operator, left, right });

  test('converts numeric text to numbers', () => {
    expect(arithmetic('add', property('width'), createLiteral('0.5'))).toBe(8);
    expect(arithmetic('subtract', property('lanes'), createLiteral('1'))).toBe(3);
    expect(arithmetic('multiply', property('lanes'), property('width'))).toBe(30);
    expect(arithmetic('divide', property('lanes'), createLiteral('8'))).toBe(0.5);
  });

  test('returns no value for non-numeric operands or a division by zero', () => {
    expect(arithmetic('add', property('name'), createLiteral('1'))).toBeNull();
    expect(arithmetic('add', property('ref'), createLiteral('1'))).toBeNull();
    expect(arithmetic('divide', createLiteral('1'), createLiteral('0'))).toBeNull();
  });
});

describe('functions', () => {
  test.each<[Expression, StyleValue | undefined]>([
    [call('strToUpperCase', property('name')), 'ELM STREET'],
    [call('strSubstring', property('name'), 0, 3), 'Elm'],
    [call('strSubstring', property('name'), 5, 99), undefined],
    [call('strTrim2', '--a-', 'both', '-'), 'a'],
    [call('strTrim2', '---', 'both', '-'), ''],
    [call('Trim', '00700', 'leading', '0'), '700'],
    [call('Substring', 'abcdef', 2, 3), 'bcd'],
    [call('strIndexOf', 'abc', 'c'), 2],
    [call('StringPosition', 'c', 'abcc', 'backToFront'), 4],
    [call('strCapitalize', 'elm STREET'), 'Elm Street'],
    [call('strReplace', 'a-b-c', '-', '+', 'true'), 'a+b+c'],
    [call('strReplace', 'abc', '[a-c]+', ''), ''],
    [call('strReplace', 'M25 J10', 'M(\\d+).*J', '$1/', 'true'), '25/10'],
    [call('strReplace', 'abc', '(', ''), null],
    [call('strMatches', 'M25', 'M\\d+'), true],
    [call('strMatches', 'AM25', 'M\\d+'), false],
    [call('isLike', property('ref'), '.*'), false],
    [call('strReplace', 'a'.repeat(1_000), 'a', 'b'.repeat(1_000), 'true'), null],
    [call('strReplace', 'a'.repeat(50_000), 'a|b', '', 'true'), null],
    [call('strAbbreviate', 'Saint John in the Fields', 5, 12, '…'), 'Saint…'],
    [call('strAbbreviate', 'Fields', 5, 12, '…'), 'Fields'],
    [call('strDefaultIfBlank', property('ref'), 'none'), 'none'],
    [call('strDefaultIfBlank', ' ', 'none'), 'none'],
    [call('dateFormat', 'dd.MM.yyyy', '2020-02-03'), '03.02.2020'],
    [call('dateFormat', "EEE d MMM yy 'at' HH:mm:ss.SSS", '2020-02-03T04:05:06.007'), 'Mon 3 Feb 20 at 04:05:06.007'],
    [call('dateFormat', 'yyyy', call('dateParse', 'dd/MM/yyyy', '03/02/2020')), '2020'],
    [call('dateParse', 'yyyy', 'abc'), null],
    [call('dateDifference', '2020-01-03T00:00:00Z', '2020-01-01T00:00:00Z', 'd'), 2],
    [call('dateDifference', '2020-01-01T00:00:01Z', '2020-01-01T00:00:00Z'), 1_000],
    [call('IEEERemainder', 5, 3), -1],
    [call('double2bool', 0), false],
    [call('mapGet', '{"a": 7}', 'a'), 7],
    [call('jsonPointer', '{"a": ["x", "y"]}', '/a/1'), 'y'],
    [call('jsonPointer', '{"a": 1}', '/__proto__/b'), null],
    [call('jsonArrayContains', '{"a": ["x", "y"]}', '/a', 'y'), true],
    [call('strURLEncode', 'a b/c'), 'a%20b%2Fc'],
    [call('PropertyExists', 'ref'), true],
    [call('PropertyExists', 'nothing'), false],
    [call('isCoverage'), false],
    [call('area', property('geom')), undefined],
    [call('area', 'POLYGON((0 0, 4 0, 4 3, 0 3, 0 0))'), 12],
    [call('Concatenate', 'a'.repeat(60_000), 'b'.repeat(60_000)), undefined],
    [call('formatNumber', '1', '0,0'.repeat(50_000), '', 'x'.repeat(50_000)), undefined],
    [call('strConcat', property('ref'), 'x'), 'x'],
    [call('strLength', property('ref')), null],
    [call('numberFormat', '#,##0.00', 1234567.891), '1,234,567.89'],
    [call('numberFormat', '0.##', -2.5), '-2.5'],
    [call('numberFormat', '#%', 0.25), '25%'],
    [call('FormatNumber', -12, '0', '(0)'), '(12)'],
    [call('round', 2.5), 3],
    [call('max', property('lanes'), 9, 2), 9],
    [call('sqrt', -1), null],
    [call('pow', 2, 10), 1024],
    [call('if_then_else', call('greaterThan', property('lanes'), 3), 'wide', 'narrow'), 'wide'],
    [call('if_then_else', property('oneway'), 'yes', 'no'), 'yes'],
    [call('in', property('lanes'), 2, 4), true],
    [call('isNull', property('ref')), true],
    [call('coalesce', property('ref'), property('name')), 'Elm Street'],
    [call('env', 'size', 12), '12'],
    [call('env', 'size'), null],
    [call('property', 'lanes'), 4],
    [call('Recode', property('lanes'), 2, 'two', '4.0', 'four'), 'four'],
    [call('Recode', property('lanes'), 2, 'two'), null],
    [call('Categorize', property('lanes'), 'few', 4, 'some', 8, 'many'), 'some'],
    [call('Categorize', property('lanes'), 'few', 4, 'some', 8, 'many', 'preceding'), 'few'],
    [call('Categorize', property('ref'), 'few', 4, 'some'), null],
    [call('Interpolate', property('lanes'), 0, 0, 8, 10), 5],
    [call('Interpolate', property('lanes'), 0, '#000000', 8, '#FF8040', 'color'), '#804020'],
    [call('Interpolate', -3, 0, 1, 8, 10, 'numeric', 'linear'), '1'],
    [call('Interpolate', 99, 0, 1, 8, 10), '10'],
    [call('Interpolate', 2, 0, 0, 8, 10, 'numeric', 'cosine'), 10 * ((1 - Math.cos(Math.PI / 4)) / 2)],
    [call('darken', '#FF0000', '0.25'), '#800000'],
    [call('lighten', 'black', '50%'), '#808080'],
    [call('mix', 'red', 'blue', 0.5), '#800080'],
    [call('spin', '#FF0000', 120), '#00FF00'],
    [call('list', property('lanes'), 'a', property('ref')), '[4,"a",null]'],
    [call('litem', call('list', 'a', 'b'), 1), 'b'],
    [call('litem', property('name'), 0), null],
    [
      call('lapply', call('list', 'a', 'b'), call('strConcat', property('name'), property('.'))),
      '["Elm Streeta","Elm Streetb"]',
    ],
    [call('lapply', '["a"]', call('lapply', '["b"]', property('.'))), undefined],
    [call('lapply', call('list', ...Array.from({ length: 101 }, () => 'a')), property('.')), undefined],
    [call('attributeCount', property('ref')), 0],
    [call('attributeCount', property('name')), 1],
    [call('attributeCount', call('list', 1, 2, 3)), 3],
    [call('toDirection', 0), 'N'],
    [call('toDirection', 348.74), 'NNW'],
    [call('toDirection', 348.76), 'N'],
    [call('toDirection', -90), 'W'],
    [call('toDirection', 130, 4), 'E'],
    [call('toDirection', 157, 8), 'SE'],
    [call('toDirection', 157, 5), null],
    [call('toDirection', property('ref')), null],
    [call('stringTemplate', 'M25 north', '([A-Z])(\\d+)(?: (\\w+))?', '${2}/${1} ${3}${9}'), '25/M north'],
    [call('stringTemplate', 'M25', 'M|M25', '${0}'), 'M25'],
    [call('stringTemplate', 'B7', 'M(\\d+)', '${1}', 'none'), 'none'],
    [call('stringTemplate', 'B7', '(', '${1}'), null],
    [call('nobodyKnowsIt', 1), undefined],
  ])('evaluates %j to %j', (expression, expected) => {
    expect(value(expression)).toEqual(expected);
  });

  test('returns the fallback of an unknown function', () => {
    expect(value({ kind: 'function', name: 'nobodyKnowsIt', arguments: [], fallback: '7' })).toBe('7');
  });
});

describe('functions of time', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each(['America/New_York', 'Asia/Tokyo'])('do not depend on the zone of the server: %s', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(new Date(0).getTimezoneOffset()).not.toBe(0);

    expect(value(call('dateFormat', 'EEE d MMM yyyy HH:mm Z z', '2024-03-31'))).toBe('Sun 31 Mar 2024 00:00 +0000 UTC');
    expect(value(call('dateFormat', 'dd.MM.yyyy', '2024-03-31T00:00:00.000Z'))).toBe('31.03.2024');
    expect(value(call('dateFormat', 'HH:mm', '2024-03-31T04:05:06'))).toBe('04:05');
    expect(value(call('dateParse', 'dd/MM/yyyy', '31/03/2024'))).toBe('2024-03-31T00:00:00.000Z');
  });
});
