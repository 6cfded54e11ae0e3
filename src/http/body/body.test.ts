import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { guessBodyFormat, readDocument, readText } from './body.ts';

const limits = { maxDepth: 10, maxNodes: 100, maxDocumentBytes: 200 };

function document(body: string | Buffer, contentType?: string, more: Record<string, string> = {}) {
  const headers = { ...(contentType === undefined ? {} : { 'content-type': contentType }), ...more };
  return readDocument(Readable.from([Buffer.from(body)]), headers, limits);
}

/** Returns the text of the field `a` of a body. */
async function fieldOf(body: string | Buffer, contentType?: string): Promise<string | undefined> {
  return (await document(body, contentType))?.members.get('a')?.[0]?.text;
}

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>ü</a>', 'utf16le')]);

const latin1 = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', 'latin1');

describe('large document', () => {
  it.for([
    ['XML', `<a>${'<b>some text</b>'.repeat(20_000)}</a>`],
    ['JSON', `{"a":{"b":[${'"some text",'.repeat(20_000)}]}}`],
  ] as const)('is parsed in chunks and yields to other work: %s', async ([, body]) => {
    const generous = { maxDepth: 10, maxNodes: 100_000, maxDocumentBytes: 1_000_000 };
    let turns = 0;
    let isRead = false;
    const takeTurn = () => {
      turns += 1;
      if (!isRead) setImmediate(takeTurn);
    };
    takeTurn();

    const read = await readDocument(Readable.from([Buffer.from(body)]), {}, generous);
    isRead = true;

    expect(read?.members.get('a')?.[0]?.members.get('b')).toHaveLength(20_000);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('a document', () => {
  it.each([
    ['XML', '<a>x</a>', 'application/xml', 'x'],
    ['XML as text', '<a>x</a>', 'text/xml', 'x'],
    ['JSON', '{"a":"x"}', 'application/json', 'x'],
    ['JSON as text', '{"a":"x"}', 'text/json', 'x'],
    ['a type in capitals', '{"a":"x"}', 'Application/JSON', 'x'],
    ['a type with a charset', '{"a":"ü"}', 'application/json; charset=UTF-8', 'ü'],
    ['a quoted charset', '<a>ü</a>', 'text/xml;charset="utf-8"', 'ü'],
    ['a charset in the wrong quotes', '<a>ü</a>', "text/xml;charset='utf-8'", 'ü'],
    ['Latin-1', Buffer.from('<a>ü</a>', 'latin1'), 'text/xml; charset=ISO-8859-1', 'ü'],
    ['Latin-1 declared in the XML', latin1, 'text/xml', 'ü'],
    ['UTF-16 with a byte order mark', utf16, 'text/xml', 'ü'],
    ['UTF-8 with a byte order mark', '\ufeff{"a":"x"}', 'application/json', 'x'],
    ['XML without a type', '<a>x</a>', undefined, 'x'],
    ['XML without a type, with a byte order mark', '\ufeff<a>x</a>', undefined, 'x'],
    ['JSON without a type', ' \n{"a":"x"}', undefined, 'x'],
    ['JSON without a type, with a byte order mark', '\ufeff{"a":"x"}', undefined, 'x'],
    ['JSON with an empty type', '{"a":"x"}', ' ', 'x'],
  ] as const)('can be %s', async (_case, body, contentType, expected) => {
    expect(await fieldOf(body, contentType)).toBe(expected);
  });

  it.each([
    [
      'a form',
      'a=x',
      'application/x-www-form-urlencoded',
      415,
      "Unsupported Content-Type 'application/x-www-form-urlencoded'.",
    ],
    [
      'plain text',
      '<a/>',
      'text/plain',
      415,
      'This resource accepts application/xml, text/xml, application/json, text/json.',
    ],
    ['an invalid type', '<a/>', 'garbage', 415, "Unsupported Content-Type 'garbage'."],
    ['an unknown charset', '<a/>', 'text/xml; charset=klingon', 400, "in the encoding 'klingon'"],
    ['bytes that are not UTF-8', Buffer.from('<a>ü</a>', 'latin1'), 'text/xml', 400, "in the encoding 'utf-8'"],
    ['JSON declared as XML', '{"a":1}', 'text/xml', 400, 'The XML is not well-formed'],
    ['XML declared as JSON', '<a/>', 'application/json', 400, 'The JSON is not well-formed'],
  ] as const)('cannot be %s', async (_case, body, contentType, status, message) => {
    await expect(document(body, contentType)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
  });

  it('is undefined if it contains only white space', async () => {
    expect(await document('', 'text/xml')).toBeUndefined();
    expect(await document(' \r\n', 'application/json')).toBeUndefined();
    expect(await document('')).toBeUndefined();
  });

  it('is rejected above the limit, by declared and by actual length', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.from('<a>'.repeat(10));
      })(),
    );

    await expect(readDocument(endless, { 'content-type': 'text/xml' }, limits)).rejects.toMatchObject({
      code: 'body-too-large',
      status: 413,
      message: 'The body exceeds the limit of 200 bytes.',
    });
    await expect(document('<a/>', 'text/xml', { 'content-length': '201' })).rejects.toMatchObject({ status: 413 });
    expect(await fieldOf(`<a>${'x'.repeat(193)}</a>`, 'text/xml')).toHaveLength(193);
  });

  it('drains the rest of a rejected body, so that the client can read the response', async () => {
    const stream = new PassThrough();
    stream.write('x'.repeat(500));

    await expect(readDocument(stream, { 'content-type': 'text/xml' }, limits)).rejects.toThrow('exceeds the limit');

    expect(stream.destroyed).toBe(false);
  });

  it('is rejected if it is compressed', async () => {
    await expect(document('<a/>', 'text/xml', { 'content-encoding': 'gzip' })).rejects.toMatchObject({
      code: 'body-encoding-unknown',
      status: 415,
    });
    expect(await document('<a/>', 'text/xml', { 'content-encoding': 'Identity' })).toBeDefined();
  });

  it('returns a client error if the connection breaks', async () => {
    const stream = new PassThrough();
    stream.write('<a>');
    stream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));

    await expect(readDocument(stream, {}, limits)).rejects.toMatchObject({ code: 'body-incomplete', status: 400 });
  });

  it('rethrows other errors', async () => {
    const stream = new PassThrough();
    stream.destroy(new Error('the disk is on fire'));

    await expect(readDocument(stream, {}, limits)).rejects.toThrow('the disk is on fire');
  });
});

describe('line of text', () => {
  it('is trimmed', async () => {
    expect(await readText(Readable.from([Buffer.from(' file:data\n')]), {}, limits)).toBe('file:data');
    expect(await readText(Readable.from([Buffer.from(' \n')]), {}, limits)).toBeUndefined();
  });

  it('must be plain text', async () => {
    const headers = { 'content-type': 'text/xml' };

    await expect(readText(Readable.from([Buffer.from('x')]), headers, limits)).rejects.toMatchObject({ status: 415 });
  });
});

it.each([
  ['application/json', 'json'],
  ['application/vnd.api+json; charset=utf-8', 'json'],
  ['TEXT/XML', 'xml'],
  ['application/atom+xml', 'xml'],
  ['text/plain', undefined],
  [undefined, undefined],
])('a body declared as %s gets a response in %s', (contentType, expected) => {
  expect(guessBodyFormat(contentType === undefined ? {} : { 'content-type': contentType })).toBe(expected);
});
