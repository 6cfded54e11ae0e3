import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findImageKind } from './image-kind.ts';

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const png = bytes([0x89], 'PNG\r\n', [0x1a, 0x0a, 0, 0, 0, 13], 'IHDR', [0, 0, 1, 0x2c, 0, 0, 0, 7]);
const gif = bytes('GIF89a', [0x2c, 1, 7, 0, 0, 0, 0]);
const bmp = bytes('BM', new Array(12).fill(0), [40, 0, 0, 0], [0x2c, 1, 0, 0], [0xf9, 0xff, 0xff, 0xff]);
const frame = [0xff, 0xc2, 0, 11, 8, 0, 7, 1, 0x2c, 1];
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xfe, 0, 3, 9], frame);

describe('findImageKind', () => {
  test.each([
    ['png', png],
    ['gif', gif],
    ['bmp', bmp],
    ['jpeg', jpeg],
  ])('recognises %s with its size', (kind, picture) => {
    expect(findImageKind(picture)).toEqual({ kind, width: 300, height: 7 });
  });

  test.each([
    ['<svg width="300" height="7"/>', { width: 300, height: 7 }],
    ['<svg xmlns="http://www.w3.org/2000/svg" height=\'1in\' width="10mm">', { width: 37.795, height: 96 }],
    ['\uFEFF<?xml version="1.0"?>\n<!-- <html> --><svg:svg viewBox="0 0 24 12">', { width: 24, height: 12 }],
    ['<svg width="48" viewBox="0 0 24 12">', { width: 48, height: 24 }],
    ['<svg width="100%" height="100%"/>', {}],
    [
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY a "b>">]><svg width="3" height="4">',
      {
        width: 3,
        height: 4,
      },
    ],
  ])('recognises an SVG: %s', (text, size) => {
    const { kind, ...found } = findImageKind(Buffer.from(text)) ?? {};

    expect(kind).toBe('svg');
    expect(Object.keys(found)).toEqual(Object.keys(size));
    for (const [name, pixels] of Object.entries(size)) expect(found).toHaveProperty(name, expect.closeTo(pixels, 2));
  });

  test('recognises an SVG in UTF-16', () => {
    expect(findImageKind(Buffer.from('\uFEFF<svg width="3" height="4"/>', 'utf16le'))).toEqual({
      kind: 'svg',
      width: 3,
      height: 4,
    });
  });
});

describe('findImageKind for other bytes', () => {
  test.each([
    ['nothing', ''],
    ['a web page', '<!DOCTYPE html><html><svg/></html>'],
    ['a document with a similar start', '<svgs/>'],
    ['text', 'BMW is a car and this is a text of more than twenty-six letters'],
    ['a shell script', '#!/bin/sh\necho svg'],
    ['an archive', 'PK\u0003\u0004 and so on, and so on, and on'],
  ])('is undefined for %s', (_, text) => {
    expect(findImageKind(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  test.each([
    ['png', png],
    ['gif', gif],
    ['bmp', bmp],
    ['jpeg', jpeg],
  ])('is undefined for a truncated %s', (_, picture) => {
    const headerBytes =
      { [png.length]: 24, [gif.length]: 10, [bmp.length]: 26, [jpeg.length]: 23 }[picture.length] ?? 0;

    for (let length = 0; length < headerBytes; length += 1)
      expect(findImageKind(picture.subarray(0, length))).toBeUndefined();
  });

  test('is undefined for an image without pixels', () => {
    expect(findImageKind(bytes('GIF89a', [0, 0, 7, 0, 0, 0, 0]))).toBeUndefined();
  });
});

test('accepts arbitrary bytes', () => {
  const start = fc.constantFrom(png, gif, bmp, jpeg, Buffer.from('<svg width="'), Buffer.from('<!DOCTYPE svg ['));
  fc.assert(
    fc.property(start, fc.nat(30), fc.uint8Array({ maxLength: 60 }), (head, length, tail) => {
      const found = findImageKind(Buffer.concat([head.subarray(0, length), tail]));

      expect(found === undefined || found.width === undefined || found.width > 0).toBe(true);
    }),
  );
});
