import { describe, expect, test } from 'vitest';
import type { OnlineResource } from '../model/model.ts';
import { parseTemplates } from './address-template.ts';
import { checkChart, isChartAddress, parseChart } from './chart-address.ts';
import { classifyHref } from './classify-href.ts';

const parse = (query: string) => parseChart({ kind: 'online', href: `http://chart?${query}` });

describe('the address of a chart', () => {
  test('contains values, colours and a background', () => {
    expect(parse('cht=p&chd=t:40,60&chco=FF0000,00ff0080&chf=bg,s,FFFFFF00&chs=60x30')).toMatchObject({
      kind: 'pie',
      series: [[40, 60]],
      colors: [['rgba(255, 0, 0, 1)', 'rgba(0, 255, 0, 0.502)']],
      background: 'rgba(255, 255, 255, 0)',
      width: 60,
      height: 30,
    });
  });

  test('has colours for series, or for the values of a series', () => {
    expect(parse('cht=bvg&chd=t:1,2|3,4&chco=000001|000002,000003')?.colors).toEqual([
      ['rgba(0, 0, 1, 1)', 'rgba(0, 0, 2, 1)'],
      ['rgba(0, 0, 3, 1)'],
    ]);
  });

  test('has ranges of x and y', () => {
    const xy = { hasX: true, xRange: [0, 10], range: [-5, 5] };
    expect(parse('cht=s&chd=t:1,2|3,4&chds=0,10,-5,5')).toMatchObject({ kind: 'points', ...xy });
    expect(parse('cht=lxy&chd=t:1,2|3,4&chds=0,10')).toMatchObject({ kind: 'lines', xRange: [0, 10], range: [0, 10] });
    expect(parse('cht=lc&chd=t:1,2|3,4&chds=0,10,-5,5')).toMatchObject({ hasX: false, range: [0, 10] });
  });

  test('limits series, values and sizes', () => {
    const chart = parse(`cht=ls&chs=1x99999999&chd=t:${Array.from({ length: 50 }, () => '1,'.repeat(500)).join('|')}`);

    expect([chart?.series.length, chart?.series[0]?.length, chart?.height]).toEqual([20, 100, 1000]);
  });

  test('has sample values in legends, and the values of a feature on maps', () => {
    const href = 'http://chart?cht=p&chd=t:\u0024{a},\u0024{b}';
    const { template } = parseTemplates<OnlineResource>({ kind: 'online', href });
    const bound = template?.map((part, index) =>
      part.text === undefined ? { value: index === 1 ? { kind: 'literal' as const, value: '7' } : undefined } : part,
    );

    expect(parseChart({ kind: 'online', href })?.series).toEqual([[40, 25]]);
    expect(parseChart({ kind: 'online', href, template: bound })?.series).toEqual([[7, Number.NaN]]);
  });

  test('is not a URL that a server could request', () => {
    expect(isChartAddress('HTTP://chart?cht=p')).toBe(true);
    expect(isChartAddress('http://chart.example.org/?cht=p')).toBe(false);
    expect(classifyHref('http://chart?cht=p&chd=t:1')).toBeUndefined();
  });
});

test.each([
  ['cht=p&chd=t:1', []],
  ['cht=\u0024{kind}&chd=t:\u0024{a}', []],
  [
    'cht=venn&chd=t:1',
    ["Unknown chart type cht='venn'. The chart is not drawn. Use p, p3, bhg, bhs, bvg, bvs, lc, ls, lxy, s."],
  ],
  [
    'cht=constructor',
    ["Unknown chart type cht='constructor'. The chart is not drawn. Use p, p3, bhg, bhs, bvg, bvs, lc, ls, lxy, s."],
  ],
  ['cht=p', ['A chart has no values and is not drawn. Write them as chd=t:10,20,30; expressions are allowed.']],
  [
    'cht=p&chd=t:1&chc0=ff0000&title=x',
    [
      "The chart parameter 'chc0' has no effect on maps. Did you mean 'chco'?",
      "The chart parameter 'title' has no effect on maps. Supported are cht, chd, chds, chco, chf, chp, chls, chs.",
    ],
  ],
])('the parameters of the chart %s are checked', (query, warnings) => {
  expect(checkChart(`http://chart?${query}`)).toEqual(warnings);
});
