import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyHref, formatAddressPattern } from './classify-href.ts';

describe('local graphic', () => {
  it.each([
    ['port.svg', 'port.svg'],
    [' port.svg\n', 'port.svg'],
    ['./icons/tree.png', 'icons/tree.png'],
    ['icons//tree.png', 'icons/tree.png'],
    ['icons/../tree.png', 'tree.png'],
    ['a%20tree.png', 'a tree.png'],
    ['b%C3%A4ume.png', 'bäume.png'],
    ['100%.png', '100%.png'],
    ['port.svg?fill=%23ff0000', 'port.svg'],
    ['symbols.svg#tree', 'symbols.svg'],
    ['...png', '...png'],
    ['..hidden/tree.png', '..hidden/tree.png'],
  ])('resolves %j to the file %j', (href, path) => {
    expect(classifyHref(href)).toEqual({ href, kind: 'local', path });
  });
});

it.each([
  'http://example.org/a.png',
  `HTTPS://example.org/\${icon}`,
  'ftp://example.org/a.png',
  'data:image/png;base64,AA',
])('classifies %s as remote or dynamic', (href) => {
  expect(classifyHref(href)?.kind).toBe(href.includes(`\${`) ? 'dynamic' : 'remote');
});

it.each([`\${icon}.png`, `icons/\${kind}/\${name}.svg`, `\${a`, `\${strConcat("..", "/")}a.png`])(
  'depends on the feature: %s',
  (href) => {
    expect(classifyHref(href)).toEqual({ href, kind: 'dynamic' });
  },
);

it.each([
  [`k\${rank}.svg`, 'k*.svg'],
  [`icons/\${kind}/\${name}.svg`, 'icons/*.svg'],
  [`peak.svg?fill=\${colour}`, 'peak.svg'],
  [`\${icon}`, '*'],
  [`http://example.org/\${icon}`, undefined],
])('finds the fixed parts of the path of %s', (href, pattern) => {
  expect(formatAddressPattern(href)).toBe(pattern);
});

it('ignores the font of a mark', () => {
  expect(classifyHref('ttf://Castles#0x41')).toBeUndefined();
});

describe('graphic outside of the folder of the style', () => {
  it.each([
    ['', 'it does not name a file'],
    ['.', 'it does not name a file'],
    ['icons/', 'it does not name a file'],
    ['?fill=red', 'it does not name a file'],
    ['/etc/passwd', 'its path is absolute'],
    ['//host/share/a.png', 'it refers to another host'],
    ['\\\\host\\a.png', 'it contains a backslash'],
    ['..\\a.png', 'it contains a backslash'],
    ['../a.png', 'its path leaves the folder of the style'],
    ['icons/../../a.png', 'its path leaves the folder of the style'],
    [`../\${icon}.png`, 'its path leaves the folder of the style'],
    ['%2e%2e/a.png', 'it contains an encoded separator or dot'],
    ['%2E./a.png', 'it contains an encoded separator or dot'],
    ['..%2fa.png', 'it contains an encoded separator or dot'],
    ['..%5Ca.png', 'it contains an encoded separator or dot'],
    ['%252e%252e/a.png', 'it contains an encoded separator or dot'],
    ['a.png%00.svg', 'it contains an encoded separator or dot'],
    ['file:///etc/passwd', 'it is a file: URL'],
    ['FILE:icons/a.png', 'it is a file: URL'],
    ['c:/a.png', 'it begins with a drive letter'],
    ['C:a.png', 'it begins with a drive letter'],
    ['icons/nul.png', 'a part of its path is not a valid file name: it is the name of a device'],
    ['icons /a.png', 'a part of its path is not a valid file name: it ends with a dot or a space'],
    ['a%0Ab.png', 'a part of its path is not a valid file name: it contains a control character'],
    ['a.png:stream', 'remote'],
  ])('is not read: %j, because %s', (href, reason) => {
    const found = classifyHref(href);

    if (reason === 'remote') expect(found?.kind).toBe('remote');
    else expect(found).toEqual({ href, kind: 'outside', reason });
  });
});

it('never resolves to a path outside of the folder', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%2e',
    '%2f',
    '%5c',
    '%25',
    '%',
    'a',
    ' ',
    ':',
    '~',
    '\0',
    `\${x}`,
    '?',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
      const found = classifyHref(pieces.join(''));
      if (found?.kind !== 'local') return;
      expect(found.path).not.toMatch(/\\|^\/|\/$|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|\p{Cc}|^[a-z]:/iu);
      expect(found.path).not.toBe('');
    }),
    { numRuns: 5_000 },
  );
});
