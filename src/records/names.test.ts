import { describe, expect, it } from 'vitest';
import { MAX_NAME_BYTES } from '../lib/text/name-rule.ts';
import { checkName, formatPrintableName, resolveNewName } from './names.ts';

const rule = { what: 'place', field: 'place.name', forbidden: [':'], reserved: ['default'] };

describe('name rule', () => {
  it.each([
    ['letters', 'acme'],
    ['capital letters', 'ACME'],
    ['digits only', '2024'],
    ['a dot', 'my.ws'],
    ['a format at the end', 'my.ws.xml'],
    ['dots in a row', 'a..b'],
    ['spaces inside', 'a b  c'],
    ['punctuation', 'a!"#$%&\'()*+,-;<=>?@[]^_`{|}~'],
    ['letters beyond ASCII', 'münchen'],
    ['a letter and its accent apart', 'mu\u0308nchen'],
    ['other scripts', '地图 карта خريطة'],
    ['emoji', '🗺️'],
    ['a word that begins like a reserved one', 'defaults'],
    ['a reserved word with another ending', 'default.tif'],
    ['a single character', 'x'],
    ['as many bytes as are allowed', 'x'.repeat(MAX_NAME_BYTES)],
  ])('accepts %s: %s', (_case, name) => {
    expect(() => checkName(name, rule)).not.toThrow();
  });

  it.each([
    ['an empty name', '', 'it is empty'],
    ['only spaces', ' \t ', 'it is empty'],
    ['a leading space', ' a', 'it begins or ends with a space'],
    ['a trailing space', 'a\u00a0', 'it begins or ends with a space'],
    ['a slash', 'a/b', 'it contains the character /'],
    ['a backslash', 'a\\b', 'it contains the character \\'],
    ['a character that this kind forbids', 'a:b', 'it contains the character :'],
    ['a NUL', 'a\0b', 'it contains a control character'],
    ['a line break', 'a\nb', 'it contains a control character'],
    ['an escape sequence', '\u001b[31mred', 'it contains a control character'],
    ['a C1 control', 'a\u0085b', 'it contains a control character'],
    ['a line separator', 'a\u2028b', 'it contains a control character'],
    ['a noncharacter', 'a\uffffb', 'it contains a control character'],
    ['an unpaired surrogate', 'a\ud800b', 'it is not valid Unicode text'],
    ['the current folder', '.', 'it ends with a dot'],
    ['the parent folder', '..', 'it ends with a dot'],
    ['traversal', '../../etc', 'it contains the character /'],
    ['a leading dot', '.hidden', 'it begins with a dot'],
    ['only an extension', '.xml', 'it begins with a dot'],
    ['a trailing dot', 'a.', 'it ends with a dot'],
    ['a reserved word', 'default', 'it is reserved'],
    ['a reserved word in capitals', 'Default', 'it is reserved'],
    ['a reserved word with a format', 'default.JSON', 'it is reserved'],
    ['too many bytes', 'x'.repeat(MAX_NAME_BYTES + 1), 'it is longer than 200 bytes'],
    ['too many bytes in few characters', '🗺'.repeat(51), 'it is longer than 200 bytes'],
  ])('rejects %s', (_case, name, reason) => {
    expect(() => checkName(name, rule)).toThrow(
      expect.objectContaining({
        code: 'name-illegal',
        status: 400,
        message: expect.stringMatching(/^Invalid name '.*' for a place: /s),
        details: expect.objectContaining({ reason, field: 'place.name' }),
      }),
    );
  });

  it('accepts characters and words that only another kind forbids or reserves', () => {
    expect(() => checkName('a:b', { what: 'layer', field: 'layer.name' })).not.toThrow();
    expect(() => checkName('default', { what: 'style', field: 'style.name' })).not.toThrow();
  });
});

describe('new name', () => {
  it('keeps the old name when none is sent and otherwise uses the sent name', () => {
    expect(resolveNewName('old', undefined, rule)).toBe('old');
    expect(resolveNewName('old', 'old', rule)).toBe('old');
    expect(resolveNewName('old', 'new', rule)).toBe('new');
  });

  it.each([null, ''])('cannot be cleared with %j', (sent) => {
    expect(() => resolveNewName('old', sent, rule)).toThrow(expect.objectContaining({ code: 'name-emptied' }));
  });

  it('must follow the rule unless it is unchanged', () => {
    expect(() => resolveNewName('old', 'a:b', rule)).toThrow(expect.objectContaining({ code: 'name-illegal' }));
    expect(resolveNewName('a:b', 'a:b', rule)).toBe('a:b');
  });
});

describe('name in a message', () => {
  it('contains no control sequences and is shortened', () => {
    expect(formatPrintableName('a\u001b[2Jb')).toBe('a\ufffd[2Jb');
    expect(formatPrintableName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(80)}…`);
    expect(formatPrintableName('a\ud800')).toBe('a\ufffd');
  });
});
