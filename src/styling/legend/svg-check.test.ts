import { describe, expect, test } from 'vitest';
import { svgWork } from './svg-check.ts';

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`;

const bomb = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const content = level === 0 ? '<rect width="5" height="5"/>' : `<use xlink:href="#l${level - 1}"/>`.repeat(10);
    return `<g id="l${level}">${content}</g>`;
  }).join('');

const tinyPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const widePng = `${'iVBORw0KGgoAAAANSUhEUgAA//8AAP//'}${'A'.repeat(40)}`;

describe('may be drawn', () => {
  test.each([
    ['shapes', '<circle r="3" style="fill:#F00"/><text>A &amp; B</text>'],
    ['a gradient of its own', '<linearGradient id="g"/><rect fill="url(#g)"/><rect fill="url( \'#g\' )"/>'],
    ['a symbol used twice', '<symbol id="s"><rect/></symbol><use href="#s"/><use xlink:href="#s"/>'],
    ['a style sheet of its own', '<style>.a { fill: red; mask: url(#m) }</style>'],
    ['a link, which is only followed by hand', '<a href="https://example.org/"><rect/></a>'],
    ['a small picture inside', `<image href="data:image/png;base64,${tinyPng}"/>`],
    ['a shadow', '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect filter="url(#f)"/>'],
    ['a thousand shapes out of three', bomb(4)],
  ])('%s', (_, content) => {
    expect(svgWork(svg(content))).toBeGreaterThan(0);
  });
});

describe('may not be drawn', () => {
  test.each([
    ['a picture from the web', '<image href="http://example.org/a.png"/>'],
    ['a picture from a disk', '<image xlink:href="file:///etc/hostname"/>'],
    ['a picture beside it', '<image xlink:href=" other.png"/>'],
    ['a part of another drawing', '<use href="other.svg#a"/>'],
    ['a fill from elsewhere', '<rect fill="url(https://example.org/a.svg#g)"/>'],
    ['a style from elsewhere', '<rect style="fill: URL(  \'//example.org\')"/>'],
    ['a style sheet from elsewhere', '<style>@IMPORT "a.css";</style>'],
    ['a style sheet with hidden words', '<style>@\\69mport "a.css";</style>'],
    ['a style sheet in CDATA', '<style><![CDATA[ a { fill: url(a.svg) } ]]></style>'],
    ['another base', '<g xml:base="http://example.org/"><rect/></g>'],
    ['a script', '<script>while (true);</script>'],
    ['a web page', '<foreignObject><p/></foreignObject>'],
    ['an SVG inside', `<image href="data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}"/>`],
    ['a huge picture inside', `<image href="data:image/png;base64,${widePng}"/>`],
    ['a text for a picture', '<image href="data:text/plain,hello"/>'],
    ['ten million shapes out of eight', bomb(8)],
    ['a shape that contains itself', '<g id="a"><use href="#a"/></g>'],
    ['patterns in patterns', patterns(12)],
    [
      'a marker on every corner of a long line',
      `<marker id="m">${'<g/>'.repeat(50)}</marker><path marker-mid="url(#m)" d="${'M0 0'.repeat(500)}"/>`,
    ],
    ['a hundred effects', `<filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(100)}</filter>`],
    ['too deep a nest', '<g>'.repeat(200) + '</g>'.repeat(200)],
  ])('%s', (_, content) => {
    expect(svgWork(svg(content))).toBeUndefined();
  });

  test.each([
    ['a DOCTYPE', '<!DOCTYPE svg><svg/>'],
    ['an entity', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg><text>&a;</text></svg>'],
    ['a style sheet beside it', '<?xml-stylesheet href="a.css"?><svg/>'],
    ['what is not XML', '<svg><rect></svg>'],
    ['another document', '<html/>'],
    ['a document of megabytes', `<svg><!--${' '.repeat(1_000_000)}--></svg>`],
  ])('%s', (_, text) => {
    expect(svgWork(text)).toBeUndefined();
  });
});

function patterns(levels: number): string {
  return Array.from(
    { length: levels },
    (_, level) => `<pattern id="p${level}">${`<rect fill="url(#p${level - 1})"/>`.repeat(5)}</pattern>`,
  ).join('');
}
