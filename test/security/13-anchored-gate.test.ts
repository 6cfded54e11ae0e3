/** Lesson 13: a check for one host allows no other host, in any spelling of the URL. */
import { describe, expect, it } from 'vitest';
import { startRemoteServer } from '../support/remote-server.ts';
import { testGate } from '../support/url-gates.ts';

const checks = {
  exact: '^https?://trusted\\.example\\.com(:\\d+)?/.*$',
  folder: '^http://files\\.example\\.com/public/.*$',
  'not anchored': 'http://loose\\.example\\.com/.*',
};
const names = {
  'trusted.example.com': ['93.184.216.34'],
  'files.example.com': ['93.184.216.34'],
  'loose.example.com': ['93.184.216.34'],
};

describe('lesson 13: anchored URL checks', () => {
  it.each([
    'http://trusted.example.com@evil.org/',
    'http://trusted.example.com:80@evil.org/',
    'http://evil.org/#http://trusted.example.com/',
    'http://evil.org/?http://trusted.example.com/',
    'http://evil.org/http://trusted.example.com/',
    'http://trusted.example.com.evil.org/',
    'http://trusted.example.com%2eevil.org/',
    'http://trusted.example.com%00.evil.org/',
    'http://trusted.example.com%40evil.org/',
    'http://trusted.example.com\\@evil.org/',
    'http://evil.org\\@trusted.example.com/',
    'http://evil.org\\.trusted.example.com/',
    'http:\\\\trusted.example.com/',
    'http:/\\trusted.example.com/',
    'http:trusted.example.com/',
    'http:///trusted.example.com/',
    'http://trusted\t.example.com/',
    'http://trusted\n.example.com/',
    'http://trusted.example.com\r\n/',
    ' http://trusted.example.com/',
    'http://trusted.example.com /',
    'http://trustedXexample.com/',
    'http://trusted。example。com/',
    'http://ｔrusted.example.com/',
    'http://trusted.exam\u200bple.com/',
    'http://trusted.example.com./',
    'http://xtrusted.example.com/',
    'javascript://trusted.example.com/%0aalert(1)',
    'http://[::ffff:5db8:d822]/',
    'http://1572395042/',
    'http://0135.0270.0330.042/',
    'http://0x5d.0xb8.0xd8.0x22/',
    'http://93.184.55330/',
    'http://files.example.com/public/../private/a',
    'http://files.example.com/public/%2e%2e/private/a',
    'http://files.example.com/public/..%2fprivate/a',
    'http://files.example.com/public/..%5cprivate/a',
    'http://files.example.com/public%2f..%2fprivate/a',
    'http://files.example.com/PUBLIC/a',
    'xhttp://loose.example.com/',
    'http://evil.org/http://loose.example.com/',
  ])('does not allow %j', async (url) => {
    const gate = testGate({ checks, names: { ...names, 'evil.org': ['93.184.216.35'] } });

    expect(await gate.check(url)).toMatchObject({ kind: 'refused' });
    expect(gate.lookedUp).toEqual([]);
  });

  it.each([
    ['http://trusted.example.com/', 'exact'],
    ['HTTP://TRUSTED.EXAMPLE.COM/', 'exact'],
    ['http://trusted.example.com:80/a', 'exact'],
    ['https://trusted.example.com:8443/a?b#c', 'exact'],
    ['http://files.example.com/private/../public/a', 'folder'],
    ['http://loose.example.com/a', 'not anchored'],
  ])('allows %j by its own check', async (url, check) => {
    expect(await testGate({ checks, names }).check(url)).toMatchObject({ kind: 'open', check });
  });

  it('allows an IP address in one spelling only', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('inside'));
    const gate = testGate({ checks: { loopback: `^http://127\\.0\\.0\\.1:${remote.port}/.*$` } });

    (await gate.open(`http://127.0.0.1:${remote.port}/`)).body.resume();
    for (const host of [
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '[::ffff:127.0.0.1]',
      '0',
      '[::1]',
    ]) {
      await expect(gate.open(`http://${host}:${remote.port}/`)).rejects.toMatchObject({ code: 'url-refused' });
    }
    expect(remote.asked).toHaveLength(1);
  });
});
