import { describe, expect, test } from 'vitest';
import { checkSvg, computeMaxPixels } from './svg-check.ts';

const svg = (content: string): string =>
  `<svg viewBox="0 0 100 100" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`;

const bomb = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const content = level === 0 ? '<rect width="5" height="5"/>' : `<use xlink:href="#l${level - 1}"/>`.repeat(10);
    return `<g id="l${level}">${content}</g>`;
  }).join('');

const tinyPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const widePng = `${'iVBORw0KGgoAAAANSUhEUgAA//8AAP//'}${'A'.repeat(40)}`;

const largePng = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000006d6000006d6', 'hex'),
  Buffer.alloc(40),
]).toString('base64');

describe('SVG that may be drawn', () => {
  test.each([
    ['shapes', '<circle r="3" style="fill:#F00"/><text>A &amp; B</text>'],
    ['an internal gradient', '<linearGradient id="g"/><rect fill="url(#g)"/><rect fill="url( \'#g\' )"/>'],
    ['a symbol used twice', '<symbol id="s"><rect/></symbol><use href="#s"/><use xlink:href="#s"/>'],
    ['an internal style sheet', '<style>.a { fill: red; mask: url(#m) }</style>'],
    ['a link, which is never followed', '<a href="https://example.org/"><rect/></a>'],
    ['a small embedded picture', `<image href="data:image/png;base64,${tinyPng}"/>`],
    ['a shadow', '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect filter="url(#f)"/>'],
    ['a thousand shapes from three elements', bomb(4)],
    [
      'a shadow as written by drawing programs',
      '<filter id="f"><feGaussianBlur in="SourceAlpha" stdDeviation="2"/><feOffset dx="1" dy="1" result="o"/><feMerge><feMergeNode in="o"/><feMergeNode in="SourceGraphic"/></feMerge></filter><circle r="9" filter="url(#f)"/>',
    ],
    ['a dashed outline', '<circle cx="50" cy="50" r="40" stroke-dasharray="4 2"/>'],
    ['a solid line', '<path d="M0 0H99999" stroke-dasharray="none"/>'],
    ['a drawing of a thousand small curves', curves(1_000)],
    ['coordinates with tenths', `<g transform="translate(0,100) scale(0.1,-0.1)">${curves(300, 10)}</g>`],
  ])('is accepted: %s', (_, content) => {
    expect(checkSvg(svg(content))).toMatchObject({ kind: 'drawn' });
  });
});

describe('SVG that may not be drawn', () => {
  test.each([
    ['a picture from the web', '<image href="http://example.org/a.png"/>'],
    ['a picture from the file system', '<image xlink:href="file:///etc/hostname"/>'],
    ['a picture in the same folder', '<image xlink:href=" other.png"/>'],
    ['a part of another document', '<use href="other.svg#a"/>'],
    ['an external fill', '<rect fill="url(https://example.org/a.svg#g)"/>'],
    ['an external style', '<rect style="fill: URL(  \'//example.org\')"/>'],
    ['an external style sheet', '<style>@IMPORT "a.css";</style>'],
    ['a style sheet with escaped words', '<style>@\\69mport "a.css";</style>'],
    ['a style sheet in CDATA', '<style><![CDATA[ a { fill: url(a.svg) } ]]></style>'],
    ['another base address', '<g xml:base="http://example.org/"><rect/></g>'],
    ['a script', '<script>while (true);</script>'],
    ['a web page', '<foreignObject><p/></foreignObject>'],
    ['an embedded SVG', `<image href="data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}"/>`],
    ['a huge embedded picture', `<image href="data:image/png;base64,${widePng}"/>`],
    ['text embedded as a picture', '<image href="data:text/plain,hello"/>'],
    ['ten million shapes from eight elements', bomb(8)],
    ['a shape that contains itself', '<g id="a"><use href="#a"/></g>'],
    ['nested patterns', `${patterns(12)}<rect fill="url(#p11)"/>`],
    [
      'a marker on each corner of a long line',
      `<marker id="m">${'<g/>'.repeat(50)}</marker><path marker-mid="url(#m)" d="${'M0 0'.repeat(500)}"/>`,
    ],
    ['a hundred filter effects', filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(100))],
    [
      'a blur far beyond the picture',
      '<filter id="f" width="9000%" height="9000%"><feGaussianBlur stdDeviation="9"/></filter><rect filter="url(#f)"/>',
    ],
    ['many corners of a very wide line', `<path stroke-width="100" d="M0 0${'l1 1'.repeat(12_000)}"/>`],
    ['many corners of a line that a style sheet widens', `<style>path{stroke-width:100%}</style>${zigzag(12_000, 1)}`],
    ['six blurs', filtered('<feGaussianBlur stdDeviation="9"/>'.repeat(6))],
    ['noise', filtered('<feTurbulence baseFrequency="0.05" numOctaves="255"/>')],
    ['noise of one octave', filtered('<feTurbulence baseFrequency="0.05"/>')],
    ['a dilation', filtered('<feMorphology operator="dilate" radius="50"/>')],
    ['a convolution', filtered(`<feConvolveMatrix order="20" kernelMatrix="${'1 '.repeat(400)}"/>`)],
    ['light', filtered('<feSpecularLighting><fePointLight x="5" y="5" z="5"/></feSpecularLighting>')],
    ['a displacement', filtered('<feDisplacementMap in2="SourceGraphic" scale="9"/>')],
    ['tiles of a filter effect', filtered('<feTile/>')],
    ['an unknown filter effect', filtered('<feNonsense/>')],
    [
      'a filter effect on many shapes',
      `<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>${'<rect filter="url(#f)"/>'.repeat(5)}`,
    ],
    [
      'a filter effect on many shapes by a style sheet',
      `<style>rect{filter:url(#f)}</style><filter id="f"><feGaussianBlur stdDeviation="9"/></filter>${'<rect/>'.repeat(5)}`,
    ],
    ['tiny dashes', '<path d="M0 0H100" stroke-dasharray="0.001"/>'],
    ['tiny dashes in a style attribute', '<path d="M0 0H100" style="stroke-dasharray : 0.001"/>'],
    ['tiny dashes after large ones', '<path d="M0 0H100" stroke-dasharray="5" style="stroke-dasharray:0.001"/>'],
    ['tiny dashes by a style sheet', '<style>path{stroke-dasharray/**/:.001}</style><path d="M0 0H100"/>'],
    ['tiny dashes of a group', '<g stroke-dasharray="1e-3"><g><path d="M0 0h100"/></g></g>'],
    [
      'tiny dashes of a used element',
      '<defs><path id="p" d="M0 0H100"/></defs><use href="#p" stroke-dasharray=".001"/>',
    ],
    ['tiny dashes on the root element', '<rect width="100%" height="100%" stroke-dasharray=".001"/>'],
    ['dashes of an unknown length', '<rect width="10" height="10" stroke-dasharray="0.0001%"/>'],
    ['dashed text', '<text stroke-dasharray="1">abc</text>'],
    ['a long line with common dashes', '<path d="M0 0H100000" stroke-dasharray="1 1"/>'],
    ['a style attribute with escaped words', '<path d="M0 0H100" style="stroke-d\\61sharray:.001"/>'],
    ['twenty thousand lines across the picture', zigzag(20_000, 100)],
    ['the same with relative lines', `<path d="M0 0${'l99 3l-99 3'.repeat(10_000)}"/>`],
    ['the same enlarged', `<g transform="scale(100)">${zigzag(20_000, 1)}</g>`],
    ['the same enlarged by a view box', `<svg viewBox="0 0 1 1" width="100">${zigzag(20_000, 1)}</svg>`],
    [
      'the same enlarged where it is used',
      `<defs><g id="z">${zigzag(2_000, 1)}</g></defs><use transform="scale(999)" href="#z"/>`,
    ],
    [
      'a chain of five thousand references',
      Array.from({ length: 5_000 }, (_, at) => `<g id="c${at}"><use href="#c${at + 1}"/></g>`).join(''),
    ],
    ['two large pictures', `<image href="data:image/png;base64,${largePng}"/>`.repeat(2)],
    ['excessive nesting', '<g>'.repeat(200) + '</g>'.repeat(200)],
  ])('is rejected: %s', (_, content) => {
    expect(checkSvg(svg(content))).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['an entity', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg><text>&a;</text></svg>'],
    ['an external style sheet instruction', '<?xml-stylesheet href="a.css"?><svg/>'],
    ['malformed XML', '<svg><rect></svg>'],
    ['another document type', '<html/>'],
    ['a document of several megabytes', `<svg><!--${' '.repeat(1_000_000)}--></svg>`],
  ])('is rejected as a document: %s', (_, text) => {
    expect(checkSvg(text)).toMatchObject({ kind: 'refused' });
  });
});

test('a rejection names the filter primitive and the supported ones', () => {
  expect(checkSvg(svg(filtered('<feTurbulence numOctaves="255"/>')))).toEqual({
    kind: 'refused',
    reason:
      "the filter primitive 'feTurbulence' is not supported; supported are feBlend, feColorMatrix, feComponentTransfer, feComposite, feDropShadow, feFlood, feGaussianBlur, feFuncA, feFuncB, feFuncG, feFuncR, feMerge, feMergeNode, feOffset",
    isCostly: true,
  });
});

test('a higher cost reduces the maximum size, which is never above 2048 by 2048 pixels', () => {
  const pixels = (content: string): number => {
    const verdict = checkSvg(svg(content));
    return verdict.kind === 'drawn' ? computeMaxPixels(verdict) : 0;
  };

  expect(pixels('<rect/>')).toBe(2_048 * 2_048);
  expect(pixels(bomb(4))).toBeLessThan(1_000 * 1_000);
  expect(pixels(bomb(4))).toBeGreaterThan(500 * 500);
  expect(pixels(filtered('<feGaussianBlur stdDeviation="2"/>'.repeat(4)))).toBeLessThan(1_000 * 1_000);
});

function filtered(primitives: string): string {
  return `<filter id="f">${primitives}</filter><rect filter="url(#f)"/>`;
}

function zigzag(corners: number, size: number): string {
  const places = Array.from({ length: corners }, (_, index) => `${(index % 2) * size} ${((index * 7919) % 100) / 100}`);
  return `<path d="M${places.join('L')}"/>`;
}

/** Returns curves as drawing programs write them, with adjacent points. */
function curves(count: number, unit = 1): string {
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [(index % 30) * 3 * unit, Math.floor(index / 30) * 3 * unit];
    return `<path d="M${x} ${y}c${unit} 0 ${2 * unit} ${unit} ${2 * unit} ${2 * unit}s-${unit} ${unit} -${2 * unit} ${unit}z"/>`;
  }).join('');
}

function patterns(levels: number): string {
  return Array.from(
    { length: levels },
    (_, level) => `<pattern id="p${level}">${`<rect fill="url(#p${level - 1})"/>`.repeat(5)}</pattern>`,
  ).join('');
}
