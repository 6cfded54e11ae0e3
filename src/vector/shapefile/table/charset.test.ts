import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { type CharsetHints, chooseCharset } from './charset.ts';

async function decode(hints: CharsetHints, bytes: Buffer): Promise<string> {
  const decoder = await chooseCharset(hints);
  return decoder(Buffer.concat([Buffer.from('x'), bytes, Buffer.from('x')]), 1, 1 + bytes.length);
}

describe('what tells the encoding', () => {
  const euro = Buffer.from([0x80]);

  test('the user comes before the .cpg file, and that before the byte in the table', async () => {
    expect(await decode({ charset: 'CP1252', codePage: 'UTF-8', languageDriver: 0x01 }, euro)).toBe('€');
    expect(await decode({ codePage: '1252', languageDriver: 0x01 }, euro)).toBe('€');
    expect(await decode({ languageDriver: 0x01 }, euro)).toBe('Ç');
  });

  test('a .cpg file that names nothing known is passed over', async () => {
    expect(await decode({ codePage: 'whatever', languageDriver: 0x03 }, euro)).toBe('€');
  });

  test('without any of them it is ISO-8859-1', async () => {
    expect(await decode({}, Buffer.from([0xe9, 0x80]))).toBe('é\u0080');
    expect(await decode({ languageDriver: 0, charset: ' ' }, Buffer.from([0xe9]))).toBe('é');
  });

  test('an encoding that the user asks for and nobody knows is refused, and so are those of wide characters', async () => {
    await expect(chooseCharset({ charset: 'KLINGON-8' })).rejects.toMatchObject({ code: 'charset-unknown' });
    await expect(chooseCharset({ charset: 'UTF-16' })).rejects.toMatchObject({ code: 'charset-unknown' });
    for (const charset of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '_internal', '../etc']) {
      await expect(chooseCharset({ charset })).rejects.toMatchObject({ code: 'charset-unknown' });
    }
    await expect(chooseCharset({ charset: 'base64' })).rejects.toMatchObject({ code: 'charset-unknown' });
  });
});

describe('the spellings of encodings', () => {
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
  ] as const)('%s', async ([name, encoding, text]) => {
    expect(await decode({ codePage: name }, iconv.encode(text, encoding))).toBe(text);
  });
});

describe('texts', () => {
  test.for([
    ['Zürich', 6, 'Zürich'.slice(0, 5)],
    ['Zürich', 2, 'Z'],
    ['a東', 3, 'a'],
    ['a東', 2, 'a'],
    ['a😀', 4, 'a'],
    ['a😀', 5, 'a😀'],
    ['plain', 5, 'plain'],
  ] as const)('%s cut off after %i bytes of UTF-8 has whole characters only', async ([text, length, expected]) => {
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from(text).subarray(0, length))).toBe(expected);
  });

  test('bytes that are no UTF-8 are replaced, not refused', async () => {
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from([0x41, 0xe9, 0x42]))).toBe('A\uFFFDB');
    expect(await decode({ codePage: 'UTF-8' }, Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]))).toContain('\uFFFD');
  });
});
