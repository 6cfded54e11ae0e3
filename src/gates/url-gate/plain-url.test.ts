import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainUrl } from './plain-url.ts';

const MAX_LENGTH = 2_048;
const read = (text: string) => readPlainUrl(text, MAX_LENGTH);

describe('plain URL', () => {
  it.each([
    ['http://example.com', 'http://example.com/'],
    ['HTTP://EXAMPLE.com:80/a', 'http://example.com/a'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:8443/a?b=c', 'https://example.com:8443/a?b=c'],
    ['http://example.com/a#b', 'http://example.com/a'],
    ['http://evil.org/#example.com', 'http://evil.org/'],
    ['http://example.com?x', 'http://example.com/?x'],
    ['http://example.com/a/../b', 'http://example.com/b'],
    ['http://example.com/a/%2E%2e/b', 'http://example.com/b'],
    ['http://example.com/a%20b%C3%A9', 'http://example.com/a%20b%C3%A9'],
    ['http://example.com/é', 'http://example.com/%C3%A9'],
    ['http://example.com/a%2Fb', 'http://example.com/a%2Fb'],
    ['http://example.com/user@host', 'http://example.com/user@host'],
    ['http://xn--mnchen-3ya.de/', 'http://xn--mnchen-3ya.de/'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['http://[::FFFF:7F00:1]/', 'http://[::ffff:7f00:1]/'],
  ])('%j is parsed as %j', (text, href) => {
    expect(read(text)).toMatchObject({ url: { href } });
  });

  it('is shown without its query', () => {
    expect(read('http://example.com/a?token=secret')).toMatchObject({ url: { shown: 'http://example.com/a' } });
  });
});

describe('ambiguous URL', () => {
  it.each([
    ['', 'not a complete'],
    ['example.com/a', 'not a complete'],
    ['//example.com/a', 'not a complete'],
    ['ftp://example.com/a', 'not a complete'],
    ['file:///etc/passwd', 'not a complete'],
    ['jar:http://example.com!/a', 'not a complete'],
    ['http:example.com', 'not a complete'],
    ['http:/example.com', 'not a complete'],
    ['http:///example.com', 'must be written as'],
    ['http://', 'not a complete'],
    ['http://example.com@evil.org/', 'credentials'],
    ['http://user:password@example.com/', 'credentials'],
    ['http://@example.com/', 'credentials'],
    ['http://a%40b.com/', 'not a complete'],
    ['http://exam%70le.com/', "written as 'example.com'"],
    ['http://münchen.de/', "written as 'xn--mnchen-3ya.de'"],
    ['http://ｅxample.com/', "written as 'example.com'"],
    ['http://exam\u00adple.com/', "written as 'example.com'"],
    ['http://2130706433/', "written as '127.0.0.1'"],
    ['http://0x7f000001/', "written as '127.0.0.1'"],
    ['http://0177.0.0.1/', "written as '127.0.0.1'"],
    ['http://127.1/', "written as '127.0.0.1'"],
    ['http://127.0.0.1./', "written as '127.0.0.1'"],
    ['http://１２７.0.0.1/', "written as '127.0.0.1'"],
    ['http://[0:0:0:0:0:0:0:1]/', "written as '[::1]'"],
    ['http://[::ffff:127.0.0.1]/', "written as '[::ffff:7f00:1]'"],
    ['http://[fe80::1%25eth0]/', 'not a complete'],
    ['http://example.com./', 'empty part'],
    ['http://example..com/', 'empty part'],
    ['http://example.com:/', 'port'],
    ['http://example.com:0080/', 'port'],
    ['http://example.com:99999/', 'not a complete'],
    ['http://example.com\\@evil.org/', 'backslash'],
    ['http://evil.org\\.example.com/', 'backslash'],
    ['http://example.com/a\\..\\b', 'backslash'],
    ['http://exam\tple.com/', 'control character'],
    ['ht\ntp://example.com/', 'control character'],
    ['http://example.com/a\r\nHost: evil', 'control character'],
    [' http://example.com/', 'space'],
    ['http://example.com/a b', 'space'],
    ['http://example.com/\u3000', 'space'],
    ['http://example.com/%', 'percent'],
    ['http://example.com/%zz', 'percent'],
    ['http://example.com/a%00.png', 'control character'],
    ['http://example.com/a%0d%0a', 'control character'],
    ['http://example.com/a%5c..%5cb', 'backslash'],
    ['http://example.com/public/..%2f..%2fsecret', 'encoded dots'],
    ['http://example.com/public/%2e%2e%2fsecret', 'encoded dots'],
    ['http://example.com/public/..;/secret', 'encoded dots'],
    [`http://example.com/${'a'.repeat(MAX_LENGTH)}`, 'longer'],
    ['http://example.com/\ud800', 'Unicode'],
  ])('%j is rejected: %s', (text, reason) => {
    expect(read(text)).toMatchObject({ objection: expect.stringContaining(reason) });
  });

  it.each([
    'http://user:hunter2@example.com/',
    'http://user:hunter2@example.com:port/?q=hunter2',
    'http://user:hun/ter2hunter2@example.com/',
    'http://user:hunter2?x@example.com/',
    'user:hunter2@example.com',
    'http://example.com\t/?token=hunter2',
    'http://example.com\t/#hunter2',
  ])('%j is shown without secrets', (text) => {
    const result = read(text);

    expect(result).toHaveProperty('objection');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('arbitrary URL', () => {
  const piece = fc.oneof(
    fc.constantFrom('http', 'https', ':', '/', '//', '@', '.', '%2e', '%2f', '%', '[', ']', '::1', '#', '?', ';', '\\'),
    fc.constantFrom(
      'example.com',
      '127.0.0.1',
      '0x7f',
      '1',
      'a',
      'é',
      '\t',
      '\u00ad',
      '😀',
      ':80',
      '..',
      '+',
      '&',
      '=',
      '|',
    ),
  );

  it('is rejected, or parses to itself with the same host in other parsers', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const result = read(`http://${pieces.join('')}`);
        if (!('url' in result)) {
          return;
        }
        const { url } = result;
        const again = read(url.href);
        expect(again).toEqual({ url });
        expect(new URL(url.href).href).toBe(url.href);
        expect(new URL(url.href).username).toBe('');
        expect(url.href).toMatch(/^https?:\/\/[^@\\\s#]*[^\\\s#]*$/);
      }),
      { numRuns: 5_000 },
    );
  });
});
