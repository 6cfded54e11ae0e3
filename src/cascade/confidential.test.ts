import { describe, expect, it } from 'vitest';
import { collectSecrets, redactReason } from './confidential.ts';

const basic = {
  header: 'authorization',
  value: `Basic ${Buffer.from('me:open sesame & more').toString('base64')}`,
};
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('secrets of a request to a remote server', () => {
  it.each([
    ['a password', 'http://maps.example/wms', basic, ['open sesame & more']],
    ['a token in a header', 'http://maps.example/wms', { header: 'authorization', value: 'Bearer abc.d' }, ['abc.d']],
    ['a key in a header', 'http://maps.example/wms', { header: 'x-api-key', value: 'abc' }, ['abc']],
    ['a token in the address', 'http://maps.example/wms?map=town&TOKEN=a%2Fb&v=1', undefined, ['a/b']],
  ])('include %s', (_what, url, credentials, expected) => {
    expect(collectSecrets(url, credentials)).toEqual(expect.arrayContaining(expected));
  });

  it('are empty without credentials', () => {
    expect(collectSecrets('http://maps.example/wms?map=town&service=WMS', undefined)).toEqual([]);
  });

  it('are not disclosed if the response repeats them, in any notation', () => {
    const secrets = collectSecrets('http://maps.example/wms?key=a%2Fb%20c', basic);

    for (const repeated of [
      'open sesame & more',
      'OPEN SESAME &amp; MORE',
      'pw=open%20sesame%20%26%20more',
      'pw=open+sesame+%26+more',
      basic.value,
      Buffer.from('open sesame & more').toString('base64'),
      'key=a%2fb%20c',
    ]) {
      const reason = redactReason('the server answered: op…', bytesOf(`<E>denied: ${repeated}</E>`), secrets);

      expect([repeated, reason]).toEqual([repeated, expect.stringContaining('not shown')]);
    }
  });

  it('are also searched in the extracted reason', () => {
    const reason = redactReason('the server said: open sesame', bytesOf('<E>open&#32;sesame</E>'), ['open sesame']);

    expect(reason).toContain('not shown');
  });

  it('do not change other reasons', () => {
    const secrets = collectSecrets('http://maps.example/wms', basic);

    expect(redactReason('the server said: no such map', bytesOf('<E>no such map</E>'), secrets)).toBe(
      'the server said: no such map',
    );
    expect(redactReason('the server said: no such map', new Uint8Array(2_000_000), [])).toContain('no such map');
    expect(redactReason('the server said: no such map', new Uint8Array(2_000_000), secrets)).toContain('not shown');
  });
});
