import { describe, expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const utf16le = (text: string): Uint8Array => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16();
const declared = (encoding: string): string => `<?xml version='1.0' encoding="${encoding}"?><a>é€</a>`;

describe('text decoding', () => {
  test.each([
    ['a body without any declaration as UTF-8', utf8('{"a":"é€😀"}'), undefined, false, '{"a":"é€😀"}'],
    ['an empty body', utf8(''), undefined, true, ''],
    ['a header with ISO-8859-1', latin1('{"a":"é"}'), 'ISO-8859-1', false, '{"a":"é"}'],
    ['a header with windows-1252', Uint8Array.of(0x80, 0xe9), 'windows-1252', false, '€é'],
    ['a header with UTF-16LE', utf16le('{"a":1}'), 'UTF-16LE', false, '{"a":1}'],
    ['a header with UTF-16BE', utf16be('{"a":1}'), 'utf-16be', false, '{"a":1}'],
    ['a header with UTF-16 and big-endian bytes', utf16be('<a/>'), 'UTF-16', true, '<a/>'],
    ['a header with UTF-16 and little-endian bytes', utf16le('<a/>'), 'UTF-16', true, '<a/>'],
    ['a header with spaces around the charset', latin1('é'), ' latin1 ', false, 'é'],
    ['a header with an empty charset', utf8('é'), '', false, 'é'],
    ['a UTF-8 mark, which is stripped', utf8('\uFEFF<a/>'), undefined, true, '<a/>'],
    ['a UTF-16LE mark, which is stripped', utf16le('\uFEFF<a>é</a>'), undefined, true, '<a>é</a>'],
    ['a UTF-16BE mark, which is stripped', utf16be('\uFEFF<a>é</a>'), undefined, true, '<a>é</a>'],
    ['a mark that contradicts the header', utf8('\uFEFFé'), 'ISO-8859-1', false, 'é'],
    [
      'a mark that contradicts the XML declaration',
      utf8(`\uFEFF${declared('UTF-16')}`),
      undefined,
      true,
      declared('UTF-16'),
    ],
    [
      'a header that contradicts the XML declaration',
      utf8(declared('ISO-8859-1')),
      'utf-8',
      true,
      declared('ISO-8859-1'),
    ],
    ['a second mark as text', utf8('\uFEFF\uFEFFa'), undefined, false, '\uFEFFa'],
    [
      'an XML declaration with ISO-8859-1',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'),
      undefined,
      true,
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>',
    ],
    [
      'an XML declaration with single quotes and spaces',
      latin1("<?xml  version = '1.0'\n encoding = 'latin1' ?><a>é</a>"),
      undefined,
      true,
      "<?xml  version = '1.0'\n encoding = 'latin1' ?><a>é</a>",
    ],
    [
      'an XML declaration with UTF-16 in a body that is not UTF-16',
      utf8(declared('utf-16')),
      undefined,
      true,
      declared('utf-16'),
    ],
    ['UTF-16LE XML without a mark', utf16le(declared('utf-16')), undefined, true, declared('utf-16')],
    ['UTF-16BE XML without a mark', utf16be(declared('utf-16')), undefined, true, declared('utf-16')],
    ['an XML declaration in JSON as text', utf8(declared('ISO-8859-1')), undefined, false, declared('ISO-8859-1')],
  ])('decodes %s', (_situation, bytes, charset, xml, text) => {
    expect(decodeText(bytes, charset, xml)).toBe(text);
  });

  test.each([
    ['bytes that are not UTF-8', Uint8Array.of(0x61, 0xff), undefined, false, 'utf-8'],
    ['a surrogate spelled out in UTF-8', Uint8Array.of(0xed, 0xa0, 0x80), undefined, false, 'utf-8'],
    ['UTF-8 that ends in the middle of a character', utf8('é').subarray(0, 1), 'UTF-8', true, 'utf-8'],
    ['half a UTF-16 unit', Uint8Array.of(0x61, 0x00, 0x62), 'utf-16le', false, 'utf-16le'],
    ['half a surrogate pair', Uint8Array.of(0xff, 0xfe, 0x00, 0xd8), undefined, false, 'utf-16le'],
    ['an unknown charset in the header', utf8('{}'), 'klingon-1', false, 'klingon-1'],
    ['an unknown encoding in the XML declaration', utf8(declared('klingon-1')), undefined, true, 'klingon-1'],
  ])('rejects %s', (_situation, bytes, charset, xml, named) => {
    expect(() => decodeText(bytes, charset, xml)).toThrow(
      expect.objectContaining({ code: 'text-undecodable', details: { charset: named } }),
    );
  });
});
