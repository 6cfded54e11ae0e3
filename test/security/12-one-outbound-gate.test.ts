/** Lesson 12: every URL that the server opens passes the URL checks, and without a check nothing is opened. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRemoteServer } from '../support/remote-server.ts';
import { testGate } from '../support/url-gates.ts';

const source = join(import.meta.dirname, '../../src');

const networkImport =
  /import (type )?(?:\{([^}]*)\}|\* as \w+|\w+) from '(?:node:)?(https?|http2|net|tls|dgram|dns|undici|axios|got|node-fetch)(?:\/promises)?'/g;

/** What these modules connect or look up with; their servers, types and address arithmetic are nobody's way out. */
const connecting =
  /^(?:request|get|connect|createConnection|createSocket|Socket|Agent|globalAgent|lookup|resolve\w*|fetch)$/;

/** Sources with a protocol of their own, whose host is a setting of theirs and no URL that is fetched. Each needs a reason. */
const ownProtocols: ReadonlySet<string> = new Set([
  // Directories for logins: LDAP, at the host an administrator configured.
  'security/auth-providers/ldap/ldap-connection.ts',
]);

/** How a file could reach the network by itself. */
function waysOut(code: string): readonly string[] {
  const globals = code.match(/(?<![.\w])fetch\(|new (?:WebSocket|EventSource)\(/g) ?? [];
  const imported = [...code.matchAll(networkImport)].flatMap(([statement, isType, names]) => {
    if (isType !== undefined) {
      return [];
    }
    return names === undefined
      ? [statement]
      : names
          .split(',')
          .map((name) => name.trim().split(' as ')[0] ?? '')
          .filter((name) => connecting.test(name));
  });
  return [...globals, ...imported];
}

describe('lesson 12: the way out', () => {
  it('is the gate, and no other file of the server opens connections, but for sources with a protocol of their own', async () => {
    const files = (await readdir(source, { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('gates/url-gate'),
    );
    const reaching: Record<string, readonly string[]> = {};
    for (const name of files) {
      const found = waysOut(await readFile(join(source, name), 'utf8'));
      if (found.length > 0 && !ownProtocols.has(name)) {
        reaching[name] = found;
      }
    }

    expect(files.length).toBeGreaterThan(50);
    expect(reaching).toEqual({});
  });

  it('would be noticed elsewhere', async () => {
    const gate = await readFile(join(source, 'gates/url-gate/pinned-request.ts'), 'utf8');

    expect(waysOut(gate)).toEqual(['Agent', 'request', 'Agent', 'request']);
    expect(waysOut("const reply = await fetch('http://x/');")).toEqual(['fetch(']);
  });

  it('is closed without checks, whatever is asked for, and nothing is even looked up', async () => {
    const remote = await startRemoteServer((_request, response) => response.end());
    const gate = testGate({ names: { 'example.com': ['93.184.216.34'] } });

    for (const url of ['http://example.com/', 'https://example.com/', `http://127.0.0.1:${remote.port}/`]) {
      await expect(gate.open(url)).rejects.toMatchObject({ code: 'url-refused', status: 403 });
    }
    expect(gate.lookedUp).toEqual([]);
    expect(remote.asked).toEqual([]);
  });

  it('names the URL it refuses without its query', async () => {
    await expect(testGate().open('http://example.com/a?token=hunter2#x')).rejects.toThrow(
      "The URL 'http://example.com/a' may not be opened: no enabled URL check matches it.",
    );
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:,x',
    'jar:http://example.com!/x',
  ])('is closed for %s, even with a check that matches everything', async (url) => {
    await expect(testGate({ checks: { all: '.*' } }).open(url)).rejects.toMatchObject({ code: 'url-refused' });
  });
});
