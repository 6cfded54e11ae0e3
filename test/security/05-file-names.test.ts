/** Lesson 5: the `filename` parameter. Endpoints with this parameter call `checkFileName`. */

import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFileName } from '../../src/gates/path-gate.ts';

describe('lesson 5: file names', () => {
  it.each([
    ['', 'it is empty'],
    ['   ', 'it is empty'],
    ['a/b', 'the separator /'],
    ['a\\b', 'the separator \\'],
    ['/etc/passwd', 'the separator /'],
    ['..\\..\\x', 'the separator \\'],
    ['.', 'dots'],
    ['..', 'dots'],
    ['....', 'dots'],
    ['a\0.tif', 'control character'],
    ['a\r\nb', 'control character'],
    ['a\u007f', 'control character'],
    ['a\u202egpj.exe', 'control character'],
    ['C:x', 'the character :'],
    ['a.tif::$DATA', 'the character :'],
    ['a*.tif', 'the character *'],
    ['CON', 'device'],
    ['con.tif', 'device'],
    ['Aux', 'device'],
    ['NUL .txt', 'device'],
    ['lpt9.dbf', 'device'],
    ['COM¹', 'device'],
    ['a.', 'dot or a space'],
    ['a ', 'dot or a space'],
    ['a\u00a0', 'dot or a space'],
    ['é'.repeat(128), 'longer than 255 bytes'],
    ['a\ud800', 'Unicode'],
  ])('rejects the file name %j', (name, reason) => {
    expect(() => checkFileName(name)).toThrow(
      expect.objectContaining({ code: 'file-name-illegal', message: expect.stringContaining(reason) }),
    );
  });

  it('resolves every accepted file name to a file inside the target folder', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '..',
      '/',
      '\\',
      ':',
      ' ',
      '\0',
      'CON',
      '\u2044',
      '\uff0f',
      '\u202e',
      'é',
      '%2f',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const name = pieces.join('');
        try {
          checkFileName(name);
        } catch {
          return;
        }
        expect(normalize(join('/folder', name))).toBe(`/folder/${name}`);
        expect(name).not.toMatch(/[/\\:\p{Cc}]|^\.+$|[. ]$/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
