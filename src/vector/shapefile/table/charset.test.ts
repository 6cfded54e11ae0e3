import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { type CharsetHints, chooseCharset } from './charset.ts';

async function decode(hints: CharsetHints, bytes: Buffer): Promise<string> {
  const decoder = await chooseCharset(hints);
  return decoder(Buffer.concat([Buffer.from('x'), bytes, Buffer.from('x')]), 1, 1 + bytes.length);
}

describe('encoding of a table', () => {
  const euro = Buffer.from([0x80]);

  test('the user setting takes precedence over the .cpg file, and that over the language byte', async () => {
    expect(await decode({ charset: 'CP1252', codePage: 'UTF-8', languageDriver: 0x01 }, euro)).toBe('€');
    expect(await decode({ codePage: '1252', languageDriver: 0x01 }, euro)).toBe('€');
    expect(await decode({ languageDriver: 0x01 }, euro)).toBe('Ç');
  });

  test('a .cpg file with an unknown encoding is ignored', async () => {
    expect(await decode({ codePage: 'whatever', languageDriver: 0x03 }, euro)).toBe('€');
  });

  test('the default is ISO-8859-1', async () => {
    expect(await decode({}, Buffer.from([0xe9, 0x80]))).toBe('é\u0080');
    expect(await decode({ languageDriver: 0, charset: ' ' }, Buffer.from([0xe9]))).toBe('é');
  });

  test('an unknown user setting is rejected, and so are wide-character encodings', async () => {
    await expect(chooseCharset({ charset: 'KLINGON-8' })).rejects.toMatchObject({ code: 'charset-unknown' });
    await expect(chooseCharset({ charset: 'UTF-16' })).rejects.toMatchObject({ code: 'charset-unknown' });
    for (const charset of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '_internal', '../etc']) {
      await expect(chooseCharset({ charset })).rejects.toMatchObject({ code: 'charset-unknown' });
    }
    await expect(chooseCharset({ charset: 'base64' })).rejects.toMatchObject({ code: 'charset-unknown' });
  });
});

describe('encoding names', () => {
  test.for([
    ['UTF-8', 'utf8', '東京'],
    ['utf8', 'utf8', '東京'],
    ['65001', 'utf8', '東京'],
    ['\uFEFFUTF-8\r\n', 'utf8', '東京'],
    ['ANSI 1252', 'cp1252', '€'],
    ['windows-1251', 'cp1251', 'Київ'],
    ['OEM 850', 'cp850', 'é'],
    ['88591', 'latin1', 'é'],
    ['8859_2', 'iso-8859-2', 'ł'],
    ['ISO 8859-15', 'iso-8859-15', '€'],
    ['LDID/201', 'cp1251', 'Київ'],
    ['932', 'cp932', '表示ソ'],
    ['SHIFT_JIS', 'shift_jis', '表示ソ'],
    ['936', 'cp936', '中文'],
    ['Big5', 'big5', '中文'],
    ['EUC-KR', 'euc-kr', '서울'],
  ] as const)('recognises %s', async ([name, encoding, text]) => {
    expect(await decode({ codePage: name }, iconv.encode(text, encoding))).toBe(text);
  });
});

describe('decoded texts', () => {
  test.for([
    ['Zürich', 6, 'Zürich'.slice(0, 5)],
    ['Zürich', 2, 'Z'],
    ['a東', 3, 'a'],
    ['a東', 2, 'a'],
    ['a😀', 4, 'a'],
    ['a😀', 5, 'a😀'],
    ['plain', 5, 'plain'],
  ] as const)('%s truncated after %i bytes of UTF-8 has only whole characters', async ([text, length, expected]) => {
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from(text).subarray(0, length))).toBe(expected);
  });

  test('invalid UTF-8 bytes are replaced, not rejected', async () => {
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from([0x41, 0xe9, 0x42]))).toBe('A\uFFFDB');
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]))).toContain('\uFFFD');
  });
});
